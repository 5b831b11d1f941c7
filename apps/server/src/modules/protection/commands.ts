import { ok, type Result, refused } from '@lode/kernel'
import { type RawBuilder, sql } from 'kysely'
import type { Address } from 'viem'
import { bytesOf } from '../../platform/chain/column.ts'
import type { Database } from '../../platform/db/database.ts'
import { transaction } from '../../platform/db/transaction.ts'
import type { Session } from '../../platform/http/session.ts'
import { consumeNonce, hashSetupCode, newSetupCode } from '../identity/index.ts'
import type { PasswordHashing } from './password-hashing.ts'

type Signed = Parameters<typeof consumeNonce>[1]

/** The caller's session, and what a command needs. */
type Acting = { readonly db: Database; readonly hashing: PasswordHashing; readonly session: Session }

export type PasswordRefusal = 'fund-password-wrong' | 'fund-password-locked' | 'fund-password-unset' | 'unavailable'

/**
 * Runs a command that needs the fund password, and passes it the hash that was verified. The try is counted and
 * committed before argon2 runs, so that only five of any number of parallel guesses are verified. A locked account, or
 * one without a password, takes the same time as any other.
 */
function withFundPassword<T, E>(
  acting: Acting,
  password: string,
  command: (hash: string) => Promise<Result<T, E>>,
): Promise<Result<T, E | PasswordRefusal>> {
  return gated<T, E | PasswordRefusal>(acting, async () => {
    const checked = await checkFundPassword(acting, password)
    return checked.ok ? command(checked.value) : checked
  })
}

async function checkFundPassword(acting: Acting, password: string): Promise<Result<string, PasswordRefusal>> {
  const { db, hashing, session } = acting
  const { rows } = await sql<{ verdict: 'try' | 'last-try' | 'locked' | 'unset'; hash: string | null }>`
    select * from lode.begin_fund_password_try(${session.memberId})`.execute(db)
  const [row] = rows
  if (!row) throw new Error('a try was neither counted nor refused')
  if (row.hash === null) {
    await hashing.verifyNothing(password)
    return refused(row.verdict === 'unset' ? 'fund-password-unset' : 'fund-password-locked')
  }
  if (!(await hashing.verify(row.hash, password))) {
    if (row.verdict !== 'last-try') return refused('fund-password-wrong')
    await sql`select lode.end_last_try(${session.memberId}, ${session.id})`.execute(db)
    return refused('fund-password-locked')
  }
  const { rows: ended } = await sql<{ present: boolean }>`
    select lode.end_right_try(${session.memberId}, ${row.hash}) as present`.execute(db)
  return ended[0]?.present ? ok(row.hash) : refused('fund-password-wrong')
}

/**
 * Verifies the fund password for other modules, whose command waits in the member's queue itself. The try is counted
 * only once there is room to verify it.
 */
export async function verifyFundPassword(acting: Acting, password: string): Promise<Result<void, PasswordRefusal>> {
  const checked = await acting.hashing.gated(() => checkFundPassword(acting, password))
  if (!checked.ok) return refused('unavailable')
  return checked.value.ok ? ok(undefined) : checked.value
}

async function gated<T, E>(
  { hashing, session }: Acting,
  task: () => Promise<Result<T, E>>,
): Promise<Result<T, E | 'unavailable'>> {
  const result = await hashing.inLine(session.memberId, () => hashing.gated(task))
  return result.ok && result.value.ok ? result.value.value : refused('unavailable')
}

type ChooseRefusal = 'fund-password-chosen' | 'reset-waiting' | 'setup-code-wrong'

export function chooseFundPassword(
  acting: Acting,
  choice: { setupCode: string; newPassword: string },
): Promise<Result<void, ChooseRefusal | 'unavailable'>> {
  const { db, hashing, session } = acting
  const code = hashSetupCode(choice.setupCode)
  return gated(acting, async () => {
    const judged = await verdictOf<ChooseRefusal>(db, sql`lode.judge_setup_code(${session.memberId}, ${code})`)
    if (!judged.ok) return judged
    const hash = await hashing.hash(choice.newPassword)
    return verdictOf<ChooseRefusal>(
      db,
      sql`lode.choose_fund_password(${session.memberId}, ${session.id}, ${code}, ${hash})`,
    )
  })
}

export function changeFundPassword(
  acting: Acting,
  change: { password: string; newPassword: string },
): Promise<Result<void, PasswordRefusal | 'reset-waiting'>> {
  const { db, hashing, session } = acting
  return withFundPassword(acting, change.password, async (oldHash) =>
    verdictOf<'reset-waiting' | 'fund-password-wrong'>(
      db,
      sql`lode.change_fund_password(
        ${session.memberId}, ${session.id}, ${oldHash}, ${await hashing.hash(change.newPassword)})`,
    ),
  )
}

/** Starts the reset: from now on the new password waits, and all transfers are held. */
export function askReset(
  acting: Acting,
  signed: Signed,
  newPassword: string,
): Promise<Result<void, 'signature-used' | 'reset-waiting' | 'unavailable'>> {
  const { db, hashing, session } = acting
  return gated(acting, async () => {
    const hash = await hashing.hash(newPassword)
    return transaction(db, async (inside) => {
      if (!(await consumeNonce(inside, signed))) return refused('signature-used')
      return verdictOf<'reset-waiting'>(inside, sql`lode.ask_reset(${session.memberId}, ${session.id}, ${hash})`)
    })
  })
}

export const cancelReset = (acting: Acting, password: string): Promise<Result<void, PasswordRefusal | 'reset-none'>> =>
  withFundPassword(acting, password, () =>
    verdictOf<'reset-none'>(acting.db, sql`lode.cancel_reset(${acting.session.memberId}, ${acting.session.id})`),
  )

export function issueSetupCode(
  { db, session }: Pick<Acting, 'db' | 'session'>,
  signed: Signed,
): Promise<Result<string, 'signature-used' | 'setup-code-refused' | 'reset-waiting'>> {
  return transaction(db, async (inside) => {
    if (!(await consumeNonce(inside, signed))) return refused('signature-used')
    const code = newSetupCode()
    const issued = await verdictOf<'setup-code-refused' | 'reset-waiting'>(
      inside,
      sql`lode.issue_setup_code(${session.memberId}, ${session.id}, ${hashSetupCode(code)})`,
    )
    return issued.ok ? ok(code) : issued
  })
}

type AddressRefusal = 'reset-waiting' | 'fund-password-unset' | 'output-address-waiting' | 'output-address-same'

export const askOutputAddress = (
  acting: Acting,
  { address, password }: { address: Address; password: string },
): Promise<Result<void, PasswordRefusal | AddressRefusal>> =>
  withFundPassword(acting, password, () =>
    verdictOf<AddressRefusal>(
      acting.db,
      sql`lode.ask_output_address(${acting.session.memberId}, ${acting.session.id}, ${bytesOf(address)})`,
    ),
  )

export const cancelOutputAddress = ({ db, session }: Acting): Promise<Result<void, 'output-address-none'>> =>
  verdictOf<'output-address-none'>(db, sql`lode.cancel_output_address(${session.memberId}, ${session.id})`)

export const lockTransfers = (
  acting: Acting,
  { days, password }: { days: number; password: string },
): Promise<Result<void, PasswordRefusal | 'transfer-lock-shorter'>> =>
  withFundPassword(acting, password, () =>
    verdictOf<'fund-password-unset' | 'transfer-lock-shorter'>(
      acting.db,
      sql`lode.lock_transfers(${acting.session.memberId}, ${acting.session.id}, ${days})`,
    ),
  )

/** The SQL functions return `ok`, or the refusal by its name on the wire. */
async function verdictOf<Refusal extends string>(
  db: Database,
  call: RawBuilder<unknown>,
): Promise<Result<void, Refusal>> {
  const { rows } = await sql<{ verdict: Refusal | 'ok' }>`select ${call} as verdict`.execute(db)
  const verdict = rows[0]?.verdict
  if (verdict === undefined) throw new Error('a function answered nothing')
  return verdict === 'ok' ? ok(undefined) : refused(verdict)
}
