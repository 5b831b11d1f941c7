import { type Result, refused } from '@lode/kernel'
import type { Database } from '../../platform/db/database.ts'
import { faultPoint } from '../../platform/faults/fault-point.ts'
import type { Session } from '../../platform/http/session.ts'
import { type Command, readStoredAnswer, runOnce } from '../ledger/index.ts'
import { type PasswordRefusal, verifyFundPassword } from './commands.ts'
import type { PasswordHashing } from './password-hashing.ts'

export type OrderContext = { readonly db: Database; readonly hashing: PasswordHashing; readonly session: Session }

type OrderRequest<Objection extends string, Refusal extends string> = {
  readonly command: Command
  /** Null for an order that takes nothing from the balance: it needs no password. */
  readonly password: string | null
  /** A cheap check before the password is verified: why the order is refused, or null. */
  objection(db: Database): Promise<Objection | null>
  /** Makes the order inside one transaction and returns its id. Checks everything again, under its locks. */
  make(trx: Database): Promise<Result<string, Refusal>>
}

/**
 * Thrown by `make` when the member signed out while the order was queued. The answer is not stored: the member may sign
 * in and press again.
 */
export class SessionEndedError extends Error {}

/**
 * Makes an order (promotion, pledge or transfer) once for its idempotency key and returns its id. The answer is stored
 * for ever, except `unavailable` and `session-expired`: a repeated wrong password is refused without a second
 * verification, and a repeated order returns the first one's id.
 *
 * Orders that need the password are queued for each member. The cheap check runs when an order's turn comes, so that a
 * thousand orders for a used-up balance verify no password at all.
 */
export async function orderOnce<Objection extends string, Refusal extends string>(
  context: OrderContext,
  { command, password, objection, make }: OrderRequest<Objection, Refusal>,
): Promise<Result<string, Objection | Refusal | PasswordRefusal | 'key-conflict' | 'session-expired'>> {
  const { db, hashing, session } = context
  type Answer = Result<string, Objection | Refusal | PasswordRefusal | 'key-conflict' | 'session-expired'>
  const makeOnce = async (): Promise<Answer> => {
    try {
      const made = await runOnce<string, Refusal>(db, command, make)
      faultPoint('api:after-commit')
      return made
    } catch (error) {
      if (error instanceof SessionEndedError) return refused('session-expired')
      throw error
    }
  }
  if (password === null) return makeOnce()

  type StoredRefusal = Objection | Refusal | PasswordRefusal
  /** Stores this answer, unless the key has one already. */
  const storeAnswer = (result: Result<string, StoredRefusal>) =>
    runOnce<string, StoredRefusal>(db, command, async () => result)
  const turn = await hashing.runInMemberQueue(session.memberId, async (): Promise<Answer> => {
    const storedAnswer = await readStoredAnswer<string, StoredRefusal>(db, command)
    if (storedAnswer) return storedAnswer
    const reason = await objection(db)
    if (reason) return storeAnswer(refused(reason))
    const verified = await verifyFundPassword(context, password)
    if (!verified.ok) return verified.error === 'unavailable' ? verified : storeAnswer(verified)
    return makeOnce()
  })
  return turn.ok ? turn.value : refused('unavailable')
}
