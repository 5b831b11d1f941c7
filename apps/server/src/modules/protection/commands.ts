import { isEasilyGuessed, ok, type Result, refused } from '@lode/kernel'
import { type RawBuilder, sql } from 'kysely'
import type { Address, Hex } from 'viem'
import { bytesOf } from '../../platform/chain/hex-column.ts'
import { readClock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { runTransaction } from '../../platform/db/transaction.ts'
import type { Session } from '../../platform/http/session.ts'
import { consumeNonce, expiryOf, hashSetupCode, newSetupCode } from '../identity/index.ts'
import type { PasswordHashing } from './password-hashing.ts'

type SignedMessage = Parameters<typeof consumeNonce>[1]

/** What every command here needs, with the session of the calling member. */
type CommandContext = { readonly db: Database; readonly hashing: PasswordHashing; readonly session: Session }

export type PasswordRefusal = 'fund-password-wrong' | 'fund-password-locked' | 'fund-password-unset' | 'unavailable'

/**
 * Runs a command that needs the fund password, and passes it the hash that was verified. The try is counted and
 * committed before argon2 runs, so that only five of any number of parallel guesses are verified. The answer takes the
 * same time if the password was never chosen. A locked password runs no argon2: the answer says "locked" anyway, and
 * free accounts could keep argon2 busy with tries that cannot succeed.
 */
function withFundPassword<T, E>(
  context: CommandContext,
  password: string,
  command: (hash: string) => Promise<Result<T, E>>,
): Promise<Result<T, E | PasswordRefusal>> {
  return runQueued<T, E | PasswordRefusal>(context, async () => {
    const checked = await checkFundPassword(context, password)
    return checked.ok ? command(checked.value) : checked
  })
}

async function checkFundPassword(context: CommandContext, password: string): Promise<Result<string, PasswordRefusal>> {
  const { db, hashing, session } = context
  const { rows } = await sql<{ verdict: 'try' | 'last-try' | 'locked' | 'unset'; hash: string | null }>`
    select * from lode.begin_fund_password_try(${session.memberId})`.execute(db)
  const [row] = rows
  if (!row) throw new Error('lode.begin_fund_password_try returned no row')
  if (row.verdict === 'locked') return refused('fund-password-locked')
  if (row.hash === null) {
    await hashing.verifyDummy(password)
    return refused('fund-password-unset')
  }
  if (!(await hashing.verify(row.hash, password))) {
    if (row.verdict !== 'last-try') return refused('fund-password-wrong')
    await sql`select lode.end_last_try(${session.memberId}, ${session.id})`.execute(db)
    return refused('fund-password-locked')
  }
  const { rows: ended } = await sql<{ unchanged: boolean }>`
    select lode.end_right_try(${session.memberId}, ${row.hash}) as unchanged`.execute(db)
  return ended[0]?.unchanged ? ok(row.hash) : refused('fund-password-wrong')
}

/**
 * Verifies the fund password for orderOnce(), which has already waited in the member's queue. The try is counted only
 * when the task is accepted.
 */
export async function verifyFundPassword(
  context: CommandContext,
  password: string,
): Promise<Result<void, PasswordRefusal>> {
  const checked = await context.hashing.runHashingTask(() => checkFundPassword(context, password))
  if (!checked.ok) return refused('unavailable')
  return checked.value.ok ? ok(undefined) : checked.value
}

async function runQueued<T, E>(
  { hashing, session }: CommandContext,
  task: () => Promise<Result<T, E>>,
): Promise<Result<T, E | 'unavailable'>> {
  const result = await hashing.runInMemberQueue(session.memberId, () => hashing.runHashingTask(task))
  return result.ok && result.value.ok ? result.value.value : refused('unavailable')
}

type ChooseRefusal = 'fund-password-chosen' | 'reset-waiting' | 'setup-code-wrong'

/**
 * A new password that is easily guessed is refused before anything is hashed, counted or consumed, so that the member
 * can send another one with the same code or signature. A present password is not checked: an old one stays valid.
 */
type NewPasswordRefusal = 'password-easily-guessed'

export async function chooseFundPassword(
  context: CommandContext,
  choice: { setupCode: string; newPassword: string },
): Promise<Result<void, ChooseRefusal | NewPasswordRefusal | 'unavailable'>> {
  if (isEasilyGuessed(choice.newPassword)) return refused('password-easily-guessed')
  const { db, hashing, session } = context
  const code = hashSetupCode(choice.setupCode)
  return runQueued(context, async () => {
    const checked = await callSqlFunction<ChooseRefusal>(db, sql`lode.judge_setup_code(${session.memberId}, ${code})`)
    if (!checked.ok) return checked
    const hash = await hashing.hash(choice.newPassword)
    return callSqlFunction<ChooseRefusal>(
      db,
      sql`lode.choose_fund_password(${session.memberId}, ${session.id}, ${code}, ${hash})`,
    )
  })
}

export async function changeFundPassword(
  context: CommandContext,
  change: { password: string; newPassword: string },
): Promise<Result<void, PasswordRefusal | NewPasswordRefusal | 'reset-waiting'>> {
  if (isEasilyGuessed(change.newPassword)) return refused('password-easily-guessed')
  const { db, hashing, session } = context
  return withFundPassword(context, change.password, async (oldHash) =>
    callSqlFunction<'reset-waiting' | 'fund-password-wrong'>(
      db,
      sql`lode.change_fund_password(
        ${session.memberId}, ${session.id}, ${oldHash}, ${await hashing.hash(change.newPassword)})`,
    ),
  )
}

/** Starts the reset. The new password takes effect after 72 hours, and all transfers are held from now on. */
export async function askReset(
  context: CommandContext,
  signed: SignedMessage,
  newPassword: string,
): Promise<Result<void, NewPasswordRefusal | 'signature-used' | 'reset-waiting' | 'unavailable'>> {
  if (isEasilyGuessed(newPassword)) return refused('password-easily-guessed')
  const { db, hashing, session } = context
  return runQueued(context, async () => {
    const hash = await hashing.hash(newPassword)
    return runTransaction(db, async (trx) => {
      if (!(await consumeNonce(trx, signed))) return refused('signature-used')
      return callSqlFunction<'reset-waiting'>(trx, sql`lode.ask_reset(${session.memberId}, ${session.id}, ${hash})`)
    })
  })
}

export const cancelReset = (
  context: CommandContext,
  password: string,
): Promise<Result<void, PasswordRefusal | 'reset-none'>> =>
  withFundPassword(context, password, () =>
    callSqlFunction<'reset-none'>(
      context.db,
      sql`lode.cancel_reset(${context.session.memberId}, ${context.session.id})`,
    ),
  )

export function issueSetupCode(
  { db, session }: Pick<CommandContext, 'db' | 'session'>,
  signed: SignedMessage,
): Promise<Result<string, 'signature-used' | 'setup-code-refused' | 'reset-waiting'>> {
  return runTransaction(db, async (trx) => {
    if (!(await consumeNonce(trx, signed))) return refused('signature-used')
    const code = newSetupCode()
    const issued = await callSqlFunction<'setup-code-refused' | 'reset-waiting'>(
      trx,
      sql`lode.issue_setup_code(${session.memberId}, ${session.id}, ${hashSetupCode(code)})`,
    )
    return issued.ok ? ok(code) : issued
  })
}

type AddressRefusal = 'reset-waiting' | 'fund-password-unset' | 'output-address-waiting' | 'output-address-same'

/** The text that the wallet signed for an output address. The signer verifies it again, from the stored row. */
type SignedAddress = { readonly verified: SignedMessage; readonly message: string; readonly signature: Hex }

/** `signed` is null if the address is the member's own wallet. */
export const askOutputAddress = (
  { db, hashing, session }: CommandContext,
  { address, password, signed }: { address: Address; password: string; signed: SignedAddress | null },
): Promise<Result<void, PasswordRefusal | AddressRefusal | 'message-expired' | 'signature-used'>> =>
  withFundPassword({ db, hashing, session }, password, () =>
    runTransaction<void, AddressRefusal | 'message-expired' | 'signature-used'>(db, async (trx) => {
      // The signer compares this moment with the text. The text may have expired while the fund password was verified.
      if (signed && (await readClock(trx)) >= expiryOf(signed.verified)) return refused('message-expired')
      if (signed && !(await consumeNonce(trx, signed.verified))) return refused('signature-used')
      return callSqlFunction<AddressRefusal>(
        trx,
        sql`lode.ask_output_address(
          ${session.memberId}, ${session.id}, ${bytesOf(address)},
          ${signed?.message ?? null}, ${signed && bytesOf(signed.signature)})`,
      )
    }),
  )

export const cancelOutputAddress = ({ db, session }: CommandContext): Promise<Result<void, 'output-address-none'>> =>
  callSqlFunction<'output-address-none'>(db, sql`lode.cancel_output_address(${session.memberId}, ${session.id})`)

export const lockTransfers = (
  context: CommandContext,
  { days, password }: { days: number; password: string },
): Promise<Result<void, PasswordRefusal | 'transfer-lock-shorter'>> =>
  withFundPassword(context, password, () =>
    callSqlFunction<'fund-password-unset' | 'transfer-lock-shorter'>(
      context.db,
      sql`lode.lock_transfers(${context.session.memberId}, ${context.session.id}, ${days})`,
    ),
  )

/** The SQL functions return `ok`, or the refusal by its name on the wire. */
async function callSqlFunction<Refusal extends string>(
  db: Database,
  call: RawBuilder<unknown>,
): Promise<Result<void, Refusal>> {
  const { rows } = await sql<{ verdict: Refusal | 'ok' }>`select ${call} as verdict`.execute(db)
  const verdict = rows[0]?.verdict
  if (verdict === undefined) throw new Error('the SQL function returned no row')
  return verdict === 'ok' ? ok(undefined) : refused(verdict)
}
