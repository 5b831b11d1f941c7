import { type Result, refused } from '@lode/kernel'
import type { Database } from '../../platform/db/database.ts'
import { faultPoint } from '../../platform/faults/fault-point.ts'
import type { Session } from '../../platform/http/session.ts'
import { type Command, post, remembered, runOnce, type Transaction } from '../ledger/index.ts'
import { type PasswordHashing, type PasswordRefusal, verifyFundPassword } from '../protection/index.ts'
import { SessionEnded } from './commands.ts'
import type { SettledPurchase } from './settlement.ts'

type Acting = { readonly db: Database; readonly hashing: PasswordHashing; readonly session: Session }

type Ordering<Objection extends string, Refusal extends string> = {
  readonly command: Command
  /** There where a part is paid from the balance. */
  readonly password: string | null
  /** What speaks against it and costs little to find. */
  objection(db: Database): Promise<Objection | null>
  /** Makes it, inside one transaction, and answers its id. */
  make(inside: Database): Promise<Result<string, Refusal>>
}

/**
 * Makes an order once for its key, and answers its id. Orders that need the password wait in line, each member's apart, and what
 * costs little is looked at before it is verified. All of it is looked at again under the locks.
 */
export async function orderOnce<Objection extends string, Refusal extends string>(
  acting: Acting,
  { command, password, objection, make }: Ordering<Objection, Refusal>,
): Promise<Result<string, Objection | Refusal | PasswordRefusal | 'key-conflict' | 'session-expired'>> {
  const { db, hashing, session } = acting
  type Answer = Result<string, Objection | Refusal | PasswordRefusal | 'key-conflict' | 'session-expired'>
  const makeOnce = async (): Promise<Answer> => {
    try {
      const made = await runOnce<string, Refusal>(db, command, make)
      faultPoint('api:after-commit')
      return made
    } catch (error) {
      if (error instanceof SessionEnded) return refused('session-expired')
      throw error
    }
  }
  if (password === null) return makeOnce()

  type Remembered = Objection | Refusal | PasswordRefusal
  /** Unless the key has its answer already. */
  const answer = (result: Result<string, Remembered>) => runOnce<string, Remembered>(db, command, async () => result)
  const turn = await hashing.inLine(session.memberId, async (): Promise<Answer> => {
    const before = await remembered<string, Remembered>(db, command)
    if (before) return before
    const against = await objection(db)
    if (against) return answer(refused(against))
    const verified = await verifyFundPassword(acting, password)
    if (!verified.ok) return verified.error === 'unavailable' ? verified : answer(verified)
    return makeOnce()
  })
  return turn.ok ? turn.value : refused('unavailable')
}

/**
 * Posts what an order puts aside and, where it is settled at once, what it is in the books, all in one call. False where the
 * balance is not enough, and nothing may stay of it then.
 */
export async function postPurchase(
  inside: Database,
  reserved: readonly Transaction[],
  settled: SettledPurchase | null,
): Promise<boolean> {
  const entries = [...reserved, ...(settled?.entries ?? [])]
  const outcomes = await post(inside, entries)
  const outcomeOf = new Map(entries.map((entry, place) => [entry, outcomes[place]?.outcome]))
  if (reserved.some((entry) => outcomeOf.get(entry) === 'insufficient')) return false
  for (const [entry, outcome] of outcomeOf) {
    const lacks = outcome === 'insufficient' && settled?.mayLack.includes(entry)
    if (outcome !== 'posted' && !lacks) throw new Error(`${entry.key} was ${outcome ?? 'not answered'}`)
  }
  await settled?.finish((entry) => outcomeOf.get(entry) === 'posted')
  return true
}
