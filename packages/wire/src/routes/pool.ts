import * as z from 'zod/mini'
import {
  announcementArguments,
  announcementKinds,
  announcementStates,
  poolAccounts,
  poolPaymentStates,
  poolProblems,
} from '../enums.ts'
import { address, amount, asset, moment, pageQuery, planVersion, tokens, transactionHash } from '../formats.ts'
import { openRoute } from '../route.ts'
import { funding } from './pledge.ts'

const announcement = z.object({
  kind: z.enum(announcementKinds),
  /** Addresses and hashes in full. If `symbol` is set, an amount is in whole coins of this asset. */
  arguments: z.array(z.object({ name: z.enum(announcementArguments), value: z.string(), symbol: z.nullable(asset) })),
  state: z.enum(announcementStates),
  vault: address,
  /** The chain transaction that announced it. */
  tx: transactionHash,
  /** With this hash a guardian withdraws it. */
  callHash: transactionHash,
  announcedAt: moment,
  /** It can happen from `notBefore` to `notAfter`. */
  notBefore: moment,
  notAfter: moment,
  /** When it was carried out, withdrawn, announced again, or expired. */
  endedAt: z.nullable(moment),
})

export const poolRoutes = {
  'pool/chain': openRoute('GET', '/pool/chain', {
    keptBy: 'anybody',
    summary: 'The chain of the pool, with everything that a wallet needs to switch to it, and the pool’s contracts',
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
      /** How the app reaches a wallet on another device; null if the pool does not offer WalletConnect. */
      walletConnect: z.nullable(z.object({ projectId: z.string(), relayUrl: z.string() })),
      /** Where the operators can be reached, and where BTN can be had; null if they have not said so. */
      contactUrl: z.nullable(z.string()),
      btnSourceUrl: z.nullable(z.string()),
    }),
  }),

  'pool/figures': openRoute('GET', '/pool/figures', {
    keptBy: 'anybody',
    summary: 'The public figures of the pool, each part with the time at which it was counted',
    request: {},
    data: z.object({
      at: moment,
      /** Transfers out that were requested at least 72 hours ago and still wait for a decision by operators. */
      transfersOverdue: z.int(),
      /** How many announcements of the vault's administrator are open. */
      announcements: z.int(),
      /** What keeps the pool from its work now, since when if known, and of which asset if it is only one. */
      problems: z.array(z.object({ kind: z.enum(poolProblems), symbol: z.nullable(asset), since: z.nullable(moment) })),
      /** What the pool holds for liquidity: in its liquidity account, and in the reserve. */
      liquidity: z.array(z.object({ symbol: asset, amount })),
      /** Burned BTN, final on the chain. */
      burned: amount,
      /** What is held on the chain and whose it is, at the posted block; null before there is one. */
      books: z.nullable(
        z.object({
          block: z.int(),
          blockAt: moment,
          /** Whether the vault's balances at this very block were compared with the ledger and are equal. */
          checked: z.boolean(),
          holdings: z.array(
            z.object({
              symbol: asset,
              /** In the vault and in cold storage together; `cold` is the part in cold storage. */
              held: amount,
              cold: amount,
              /**
               * Members' money, including what is on its way to them; dividends and partner rewards; suspense; and BTN
               * that must still be burned.
               */
              owed: amount,
              /** The pool accounts, treasury payments under way, and the reserves. */
              own: amount,
              /** What left without a payout and was not replaced: held = owed + own − missing. */
              missing: amount,
            }),
          ),
        }),
      ),
      /** From the plan in force; null if there is none. Ratios are in basis points. */
      plan: z.nullable(
        z.object({
          version: planVersion,
          /** BTN. */
          issuance: amount,
          /** The parts of the issuance that go to the airdrop reserve and to the promotion reserve. */
          airdrop: z.int(),
          promotion: z.int(),
          /** The part of a fee in BTN that is burned. */
          destruction: z.int(),
        }),
      ),
      production: z.object({
        /** The sum of all effective pledges that run today. */
        effective: amount,
        /** The last closed day: the BTC that it shared out, and its fundings. */
        last: z.nullable(z.object({ day: z.int(), closedAt: moment, shared: amount, fundings: z.array(funding) })),
      }),
      totals: z.object({
        members: z.int(),
        /** Promotions sold, and their computing power in TH/s. */
        units: z.int(),
        power: z.number(),
        /** USDT from promotions that went to the mining fund. */
        investment: amount,
        /** Pledges whose BTN is locked, and the locked amount. */
        pledges: z.int(),
        pledged: amount,
      }),
    }),
  }),

  'pool/payments': openRoute('GET', '/pool/payments', {
    keptBy: 'anybody',
    summary: 'The treasury payments from the pool’s own accounts, newest first, and what is missing',
    request: pageQuery,
    data: z.object({
      items: z.array(
        z.object({
          id: z.string(),
          from: z.enum(poolAccounts),
          /** The purpose, in the operators' words. */
          purpose: z.string(),
          symbol: asset,
          amount,
          address,
          state: z.enum(poolPaymentStates),
          /** When the second operator had signed and the payment was posted. */
          at: moment,
          /** The time of the block that paid it. */
          paidAt: z.nullable(moment),
          /** The chain transaction that is under way, or that paid it. */
          tx: z.nullable(transactionHash),
        }),
      ),
      next: z.nullable(z.string()),
      /** What is missing now, of each asset of which something is. */
      missing: z.array(z.object({ symbol: asset, amount })),
      /** The last hundred corrections: losses written off or replaced by the pool, false postings undone. Newest first. */
      corrections: z.array(
        z.object({
          id: z.string(),
          kind: z.enum(['write-off', 'fund', 'reverse']),
          symbol: asset,
          amount,
          /** The chain log of what was written off, or `block:` and the block at which a balance had fallen. Else null. */
          cause: z.nullable(z.string()),
          /** The reason, in the operators' words. */
          purpose: z.string(),
          at: moment,
        }),
      ),
    }),
  }),

  'pool/announcements': openRoute('GET', '/pool/announcements', {
    keptBy: 'anybody',
    summary:
      'What the vault’s administrator has announced, when it can happen, and what became of earlier announcements',
    request: {},
    data: z.object({
      /** All open announcements, also those that `open` leaves out. */
      openCount: z.int(),
      /**
       * First all that have an effect, then the newest hundred of the kind `other`. In each part the one that can happen
       * first is at the top.
       */
      open: z.array(announcement),
      /** A hundred of the last: first those that had an effect, then the others. In each part the last one is first. */
      ended: z.array(announcement),
    }),
  }),
}
