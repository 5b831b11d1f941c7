import { deposit } from '../commands/deposit.ts'
import { depositOfStranger } from '../commands/deposit-of-stranger.ts'
import { fundReserve } from '../commands/fund.ts'
import { fundDividend, fundWrongly } from '../commands/fund-dividend.ts'
import { killAtFaultPoint } from '../commands/kill-at-fault-point.ts'
import { killApi, killSigner } from '../commands/kill-process.ts'
import { plainAndDeposit } from '../commands/plain-and-deposit.ts'
import { plainTransfer } from '../commands/plain-transfer.ts'
import { payOrder, pledging, promotion, purchasesAtOnce } from '../commands/purchase.ts'
import { readPages } from '../commands/read-pages.ts'
import { register } from '../commands/register.ts'
import { reorganize } from '../commands/reorganize.ts'
import { cancel, transfer, transferAndCancel, transfersAtOnce } from '../commands/transfer-out.ts'
import { twoDepositsInABlock } from '../commands/two-deposits-in-a-block.ts'
import { dropTransactions } from '../commands/vault.ts'
import type { Command } from '../world.ts'

/**
 * What goes on while the pool moves to another vault. Left out is what would delay the move itself: clocks that jump,
 * a vault that is paused, nodes that are down, and orders that are canceled before they are paid.
 */
const withoutOrders: readonly Command[] = [
  register,
  readPages,
  deposit,
  depositOfStranger,
  plainTransfer,
  plainAndDeposit,
  twoDepositsInABlock,
  payOrder,
  transfer,
  transfersAtOnce,
  transferAndCancel,
  cancel,
  fundDividend,
  fundWrongly,
  fundReserve,
  reorganize,
  dropTransactions,
  killApi,
  killSigner,
  killAtFaultPoint,
]

export const traffic = {
  beforeMove: [...withoutOrders, promotion, pledging, purchasesAtOnce],
  /** The api takes no orders while the ledger is far behind the chain. */
  whileWaiting: withoutOrders,
} as const satisfies Record<string, readonly Command[]>
