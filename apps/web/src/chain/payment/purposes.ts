import type { Result } from '@lode/kernel'
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
  /** Which transactions made such a payment in these blocks, whatever their hash: the oldest first. */
  findPaid(chain: Chain, intent: Intent, from: number, to: number): Promise<Result<readonly Hex[], 'no-node'>>
  creditOf(intent: Intent, hash: Hex): Promise<Credit>
}

const deposit: PurposeRules = {
  payCall: depositCall,
  isPayment: isDeposit,
  findPaid: (chain, intent, from, to) => chain.transactionsWith(depositedLog(intent), from, to),

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
