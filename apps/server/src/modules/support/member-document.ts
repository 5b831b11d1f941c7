import { assets } from '@lode/kernel'
import { orderFailures, rewardFailures, rewardTypes } from '@lode/wire'
import * as z from 'zod'

/** What look_up_member answers. Amounts are in smallest units. */

const time = z.string().transform((text) => new Date(text))
const amount = z.string().transform((text) => BigInt(text))
const hex = z.string().transform((text) => `0x${text}` as const)
const asset = z.enum(assets)

const listOf = <Item extends z.ZodType>(item: Item) => z.object({ count: z.int(), newest: z.array(item) })

const member = z.object({
  id: z.int(),
  registeredAt: time,
  level: z.int(),
  lastLoginAt: z.nullable(time),
  disabledAt: z.nullable(time),
  disabledBy: z.nullable(z.int()),
  /** What the member reads about it. */
  disabledBecause: z.nullable(z.string()),
  /** An asset that the member never had is missing. `frozen` is for transfers out, orders and pledges. */
  balances: z.array(z.object({ asset, available: amount, frozen: amount })),
  protection: z.nullable(
    z.object({
      passwordChosenAt: z.nullable(time),
      passwordChangedAt: z.nullable(time),
      passwordLockedUntil: z.nullable(time),
      resetEndsAt: z.nullable(time),
      resetDoneAt: z.nullable(time),
      transfersLockedUntil: z.nullable(time),
    }),
  ),
  outputAddresses: z.array(z.object({ address: hex, askedAt: time, bindsAt: time, canceledAt: z.nullable(time) })),
  reported: z.array(z.object({ asset, amount, tx: hex, at: time })),
  credited: listOf(z.object({ asset, amount, log: z.string(), at: time, isFromSuspense: z.boolean() })),
  orders: listOf(
    z.object({
      id: z.uuid(),
      type: z.int(),
      asset,
      amount,
      fromBalance: amount,
      madeAt: time,
      deadline: z.nullable(time),
      submittedTx: z.nullable(hex),
      ended: z.nullable(z.enum(['success', 'failed'])),
      endedAt: z.nullable(time),
      failure: z.nullable(z.enum(orderFailures)),
      paidTx: z.nullable(hex),
    }),
  ),
  rewards: listOf(
    z.object({
      type: z.enum(rewardTypes),
      amount,
      failed: z.nullable(z.enum(rewardFailures)),
      layer: z.nullable(z.int()),
      at: time,
      claimedAt: z.nullable(time),
      order: z.uuid(),
    }),
  ),
  pledges: listOf(
    z.object({
      id: z.uuid(),
      amount,
      startDay: z.int(),
      endDay: z.int(),
      received: amount,
      returnedAt: z.nullable(time),
    }),
  ),
  transfers: listOf(z.uuid()),
})

export const memberDocument = z.object({
  /** Deposits that were seen in blocks which are not final. */
  incoming: z.array(z.object({ asset, amount, tx: hex, seenAt: time, block: z.int() })),
  /** Money that came from this address before it was registered, and waits. */
  suspense: z.array(z.object({ asset, amount })),
  /** Null if the address is not registered. */
  member: z.nullable(member),
})

export type MemberDocument = z.output<typeof memberDocument>
