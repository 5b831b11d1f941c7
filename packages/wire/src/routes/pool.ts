import * as z from 'zod/mini'
import { address, moment, tokens } from '../formats.ts'
import { openRoute } from '../route.ts'

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
    summary: 'What everybody may know of the pool, as of when it was counted',
    request: {},
    data: z.object({
      at: moment,
      /** Transfers out that wait for the operators' decision since more than 72 hours. */
      transfersOverdue: z.int(),
    }),
  }),
}
