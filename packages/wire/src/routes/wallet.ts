import * as z from 'zod/mini'
import { logStatuses, logTypes } from '../enums.ts'
import { address, amount, asset, moment, page, transactionHash } from '../formats.ts'
import { memberRoute } from '../route.ts'

/** What one coin is worth in USDT, when that was so, and the contract that says it. */
const price = z.object({ price: amount, at: moment, source: address })

const item = z.object({
  symbol: asset,
  /** What can be used. */
  balance: amount,
  /** What is the member's and cannot be used now: the sum of its parts. */
  freeze: amount,
  freezeParts: z.object({
    /** On its way out. */
    out: amount,
    /** Put aside for orders. */
    order: amount,
    pledged: amount,
  }),
  /** Seen on the chain and not final: not part of the balance. */
  incoming: amount,
  /** Null for USDT, which is the measure, and where no fresh price is known. */
  price: z.nullable(price),
  /** Balance and freeze in USDT; null where no fresh price is known. */
  values: z.nullable(amount),
  /** What may still be transferred out, of what may be in any 24 hours; null where no plan is published. */
  quota: z.nullable(z.object({ left: amount, total: amount })),
  lastChangeAt: z.nullable(moment),
})

const line = z.object({
  id: z.string(),
  /** One of `logTypes`; a client that does not know it shows it as unknown. */
  type: z.string(),
  status: z.enum(logStatuses),
  direction: z.enum(['in', 'out']),
  amount,
  fee: amount,
  at: moment,
  /** When what was put aside was settled or released. */
  endedAt: z.nullable(moment),
  tx: z.nullable(transactionHash),
})

export const walletRoutes = {
  'wallet/assets': memberRoute('GET', '/wallet/assets', {
    summary: 'What the member holds: each asset, what of it is put aside, and what it is worth',
    request: {},
    data: z.object({
      items: z.array(item),
      /** `without`: the symbols that are held and not counted, for want of a price. */
      total: z.object({ values: amount, without: z.array(asset) }),
      at: moment,
    }),
    exit: true,
  }),

  'wallet/log': memberRoute('GET', '/wallet/log', {
    summary: 'The log of one asset, newest first; deposits that are seen and not final stand at its head as confirming',
    request: {
      ...page,
      symbol: asset,
      type: z.optional(z.enum(logTypes)),
      status: z.optional(z.enum(logStatuses)),
      /** Only what this transaction of the chain brought. */
      tx: z.optional(transactionHash),
    },
    data: z.object({ lines: z.array(line), next: z.nullable(z.string()) }),
    exit: true,
  }),
}
