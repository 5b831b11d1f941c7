import * as z from 'zod/mini'
import { poolAccounts, poolPaymentStates } from '../enums.ts'
import { address, amount, asset, moment, page, planVersion, tokens, transactionHash } from '../formats.ts'
import { openRoute } from '../route.ts'
import { funding } from './pledge.ts'

export const poolRoutes = {
  'pool/chain': openRoute('GET', '/pool/chain', {
    summary:
      'The chain that the pool lives on, in the words that a wallet needs to switch to it, and its contracts there',
    request: {},
    data: z.object({
      chainId: z.int(),
      name: z.string(),
      rpcUrl: z.string(),
      currency: z.object({ name: z.string(), symbol: z.string(), decimals: z.int() }),
      explorerUrl: z.nullable(z.string()),
      vault: address,
      tokens,
      /** How long a block usually takes to become final. */
      finalityMinutes: z.int(),
    }),
  }),

  'pool/figures': openRoute('GET', '/pool/figures', {
    summary: 'What everybody may know of the pool, each part as of when it was counted',
    request: {},
    data: z.object({
      at: moment,
      /** Transfers out that wait for the operators' decision since more than 72 hours. */
      transfersOverdue: z.int(),
      /** What the pool holds to keep its tokens tradable: in its liquidity account, and in the reserve. */
      liquidity: z.array(z.object({ symbol: asset, amount })),
      /** BTN that is burned, as far as it is final on the chain. */
      burned: amount,
      /** What is held on the chain and whose it is, as of the last final block that is in the books; null before there was one. */
      books: z.nullable(
        z.object({
          block: z.int(),
          blockAt: moment,
          /** Whether the vault was seen to hold, at this very block, what the books say. */
          checked: z.boolean(),
          holdings: z.array(
            z.object({
              symbol: asset,
              /** In the vault and in cold storage; and of it what is in cold storage. */
              held: amount,
              cold: amount,
              /** Members', also on its way to them; dividends and partners' parts; what strangers sent; what is to be burned. */
              owed: amount,
              /** The pool's funds and the reserves. */
              own: amount,
            }),
          ),
        }),
      ),
      /** By the plan in force; null where none is. Ratios are in basis points, the first two of the issuance. */
      plan: z.nullable(
        z.object({
          version: planVersion,
          /** BTN. */
          issuance: amount,
          airdrop: z.int(),
          promotion: z.int(),
          /** Of a fee in BTN: what is burned. */
          destruction: z.int(),
        }),
      ),
      production: z.object({
        /** BTN times the weight of its term, of all pledges that run today. */
        effective: amount,
        /** The last day that is closed: the BTC that it shared out, and what was paid in for it. */
        last: z.nullable(z.object({ day: z.int(), closedAt: moment, shared: amount, fundings: z.array(funding) })),
      }),
      /** What takes longer to count is counted less often; null where it could not be counted yet in the time that a call has. */
      totals: z.nullable(
        z.object({
          at: moment,
          members: z.int(),
          /** Promotions sold, and the computing power that came with them in TH/s. */
          units: z.int(),
          power: z.number(),
          /** USDT of their prices that went to the mining fund. */
          investment: amount,
          /** Pledges whose BTN is locked, and how much that is. */
          pledges: z.int(),
          pledged: amount,
        }),
      ),
    }),
  }),

  'pool/payments': openRoute('GET', '/pool/payments', {
    summary: 'What two operators have paid from the pool’s own accounts, newest first',
    request: page,
    data: z.object({
      items: z.array(
        z.object({
          id: z.string(),
          from: z.enum(poolAccounts),
          /** What for, in the operators' words. */
          purpose: z.string(),
          symbol: asset,
          amount,
          address,
          state: z.enum(poolPaymentStates),
          /** When the second of them had signed and it was booked. */
          at: moment,
          /** The time of the block that paid it. */
          paidAt: z.nullable(moment),
          /** The one that is under way, or that paid it. */
          tx: z.nullable(transactionHash),
        }),
      ),
      next: z.nullable(z.string()),
    }),
  }),
}
