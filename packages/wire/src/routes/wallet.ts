import * as z from 'zod/mini'
import { logStatuses, logTypes, receivedTypes } from '../enums.ts'
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

/** What the member took out and holds now, against what was paid in: `more` or `less` than that, by the difference. */
const result = z.object({
  takenOutAndHeld: amount,
  than: z.enum(['more', 'less', 'same']),
  difference: amount,
})

/** The whole history in one symbol, exact: paid in + received − spent − taken out = held. */
const account = z.object({
  symbol: asset,
  paidIn: z.object({
    amount,
    /** Credited to the balance; and of it what had come before the account was registered. */
    deposits: amount,
    beforeRegistering: amount,
    /** Paid on the chain for an order, without passing the balance. */
    promotionsOnline: amount,
    pledgesOnline: amount,
  }),
  received: z.object({
    amount,
    /** Those that are more than nothing. */
    parts: z.array(z.object({ type: z.enum(receivedTypes), amount })),
  }),
  spent: z.object({
    amount,
    promotionsFromBalance: amount,
    /** The same amount is in `paidIn`: an online payment is paid in and spent at once. */
    promotionsOnline: amount,
    /** Fees of transfers that were paid. They come on top of the amount and stay with the pool. */
    transferFees: amount,
  }),
  /** What arrived at the member's output address. */
  takenOut: amount,
  /** All that is the member's now: available, on its way out, put aside for orders, and pledged. */
  held: z.object({ amount, available: amount, out: amount, order: amount, pledged: amount }),
  /** All that was ever pledged, and what of it has come back: it was the member's all the time, so it is neither in nor out. */
  principal: z.object({ pledged: amount, returned: amount }),
  result,
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

  'wallet/statement': memberRoute('GET', '/wallet/statement', {
    summary:
      'All that a member has paid in, received, spent and taken out since the beginning, by the postings of the books',
    request: {},
    data: z.object({
      at: moment,
      accounts: z.array(account),
      /**
       * All symbols in USDT by the prices of now, in cents. Each figure differs from its exact value by less than a
       * cent, so that they add up as those of a symbol do. `without`: the symbols that are not counted, for want of a
       * price.
       */
      total: z.object({
        paidIn: amount,
        received: amount,
        spent: amount,
        takenOut: amount,
        held: amount,
        result,
        without: z.array(asset),
      }),
    }),
    exit: true,
  }),
}
