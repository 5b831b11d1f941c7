import { ok, type Result } from '@lode/kernel'
import type { Hex } from 'viem'
import { call } from '../../shared/api/index.ts'
import { session } from '../../shared/session/index.ts'
import { type Call, depositCall, depositedLog, isDeposit, type Permit } from './contracts.ts'
import type { Intent, Purpose } from './payment.ts'
import type { Chain, Transaction } from './reads.ts'

/** What the pool says of a payment: nothing yet, seen and not final, or in the books. */
export type Credit = 'none' | 'confirming' | 'credited' | 'no-answer'

/** What a kind of payment brings to the machine. */
export type PurposeRules = {
  /** The one call that pays, with a permit where one was signed. */
  payCall(intent: Intent, permit: Permit | null): Call
  /** Whether a transaction is this payment, whatever its hash and fee. */
  isPayment(intent: Intent, transaction: Transaction): boolean
  /** Whether the chain holds this payment already, by whichever transaction: the hashes, the oldest first. */
  findPaid(chain: Chain, intent: Intent, fromBlock: number): Promise<Result<readonly Hex[], 'no-node'>>
  creditOf(intent: Intent, hash: Hex): Promise<Credit>
}

/** Nodes answer for only so many blocks at a time; what was asked for longer ago is the pool's to find. */
const MOST_BLOCKS = 5_000

const deposit: PurposeRules = {
  payCall: depositCall,
  isPayment: isDeposit,

  async findPaid(chain, intent, fromBlock) {
    const latest = await chain.blockNumber()
    if (!latest.ok) return latest
    // Behind what it was: the node lags, or the chain was reorganised. There is nothing to look through yet.
    if (latest.value < fromBlock) return ok([])
    return chain.transactionsWith(depositedLog(intent), fromBlock, Math.min(latest.value, fromBlock + MOST_BLOCKS))
  },

  async creditOf({ account, symbol }, hash) {
    // Without a session the chain alone is asked; the session of somebody else would answer for somebody else.
    if (session.get().account?.toLowerCase() !== account.toLowerCase()) return 'no-answer'
    const log = await call('wallet/log', { symbol, tx: hash }, { quiet: true })
    if (!log.ok) return 'no-answer'
    if (log.value.lines.some(({ status }) => status === 'confirmed')) return 'credited'
    return log.value.lines.some(({ status }) => status === 'confirming') ? 'confirming' : 'none'
  },
}

const purposes: Record<Purpose['kind'], PurposeRules> = { deposit }

export const rulesOf = ({ purpose }: Intent): PurposeRules => purposes[purpose.kind]
