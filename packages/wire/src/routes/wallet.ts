import * as z from 'zod/mini'
import { logStatuses, logTypes, receivedTypes } from '../enums.ts'
import { address, amount, asset, calendarDay, moment, pageQuery, transactionHash } from '../formats.ts'
import { memberRoute } from '../route.ts'

/** The price of one coin in USDT, its time, and the price feed's address. */
const price = z.object({ price: amount, at: moment, source: address })

const item = z.object({
  symbol: asset,
  /** Available. */
  balance: amount,
  /** The member's money that cannot be used now: the sum of its parts. */
  freeze: amount,
  freezeParts: z.object({
    /** Frozen for transfers out. */
    out: amount,
    /** Frozen for orders. */
    order: amount,
    pledged: amount,
  }),
  /** Seen on the chain and not final: not part of the balance. */
  incoming: amount,
  /** Null for USDT, in which prices are given, and if no recent price is known. */
  price: z.nullable(price),
  /** Balance and freeze in USDT; null if no recent price is known. */
  values: z.nullable(amount),
  /** The quota of any 24 hours, and what is left of it; null if no plan is in force. */
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
  /** When frozen money was settled or unfrozen. */
  endedAt: z.nullable(moment),
  tx: z.nullable(transactionHash),
  /** The available balance of the asset right after the line was written; null while a deposit is not final. */
  balanceAfter: z.nullable(amount),
})

/** Whether what the member took out and holds now is `more` or `less` than what was paid in, and by how much. */
const result = z.object({
  takenOutAndHeld: amount,
  than: z.enum(['more', 'less', 'same']),
  difference: amount,
})

/** Where the changes of one asset count. */
const flows = {
  paidIn: z.object({
    amount,
    /** Credited to the balance; `beforeRegistering` is the part that arrived before the account was registered. */
    deposits: amount,
    beforeRegistering: amount,
    /** False credits that were undone. They are not in `deposits`. Always 0 in a period. */
    undone: amount,
    /** Paid on the chain for an order, without passing through the balance. */
    promotionsOnline: amount,
    pledgesOnline: amount,
  }),
  received: z.object({
    amount,
    /** The parts that are not zero. */
    parts: z.array(z.object({ type: z.enum(receivedTypes), amount })),
  }),
  spent: z.object({
    amount,
    promotionsFromBalance: amount,
    /** The same amount is in `paidIn`: an online payment is paid in and spent at once. */
    promotionsOnline: amount,
    /** Fees of paid transfers, on top of the amount. They go to the pool, and part of a fee in BTN is burned. */
    transferFees: amount,
    /** False credits that were undone and were no deposits. In a period: all that were undone. */
    undone: amount,
  }),
  /** What arrived at the member's output address. */
  takenOut: amount,
}

/** The whole history in one asset, exact: paid in + received − spent − taken out = held. */
const account = z.object({
  symbol: asset,
  ...flows,
  /** All that belongs to the member now: available, frozen for transfers out, frozen for orders, and pledged. */
  held: z.object({ amount, available: amount, out: amount, order: amount, pledged: amount }),
  /** All BTN ever pledged, and what has come back. It stays the member's, so it is neither spent nor received. */
  principal: z.object({ pledged: amount, returned: amount }),
  result,
})

/** From `from` to `to`, both included. */
const days = { from: calendarDay, to: calendarDay }

export const walletRoutes = {
  'wallet/assets': memberRoute('GET', '/wallet/assets', {
    summary: 'What the member holds: each asset, what of it is put aside, and what it is worth',
    request: {},
    data: z.object({
      items: z.array(item),
      /** `without`: assets that are held but not counted, because they have no price. */
      total: z.object({ values: amount, without: z.array(asset) }),
      at: moment,
    }),
    exit: true,
  }),

  'wallet/log': memberRoute('GET', '/wallet/log', {
    summary: 'The log of one asset, newest first; deposits that are seen and not final stand at its head as confirming',
    request: {
      ...pageQuery,
      symbol: asset,
      type: z.optional(z.enum(logTypes)),
      status: z.optional(z.enum(logStatuses)),
      /** Only lines of deposits that this chain transaction brought. */
      tx: z.optional(transactionHash),
      /** Only lines that began in these days. */
      from: z.optional(days.from),
      to: z.optional(days.to),
    },
    data: z.object({ lines: z.array(line), next: z.nullable(z.string()) }),
    exit: true,
  }),

  'wallet/report-sent': memberRoute('POST', '/wallet/report-sent', {
    summary: 'Report a deposit that this browser has sent, for the member’s other devices; nothing is credited by it',
    request: { symbol: asset, amount, tx: transactionHash },
    data: z.object({ tx: transactionHash }),
  }),

  'wallet/sent': memberRoute('GET', '/wallet/sent', {
    summary:
      'Deposits of one asset that the member’s browsers have reported and the pool has not seen on the chain yet',
    request: { symbol: asset },
    data: z.object({ items: z.array(z.object({ tx: transactionHash, amount, at: moment })) }),
    exit: true,
  }),

  'wallet/statement': memberRoute('GET', '/wallet/statement', {
    summary: 'All that the member has paid in, received, spent and taken out since registration, from the ledger',
    request: {},
    data: z.object({
      at: moment,
      accounts: z.array(account),
      /**
       * All assets in USDT at current prices, rounded to cents so that paid in + received − spent − taken out = held.
       * Each figure differs from its exact value by less than a cent. `without`: assets that are not counted, because
       * they have no price.
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

  'wallet/period': memberRoute('GET', '/wallet/period', {
    summary: 'A statement of some days: what the member held before and after, and what changed in between',
    request: days,
    data: z.object({
      at: moment,
      ...days,
      /** Exact: opening + paid in + received − spent − taken out = closing. */
      accounts: z.array(z.object({ symbol: asset, opening: amount, ...flows, closing: amount })),
    }),
    exit: true,
  }),
}
