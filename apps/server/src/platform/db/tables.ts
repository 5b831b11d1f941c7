import type { Id } from '@lode/kernel'
import type { Language, SessionMode } from '@lode/wire'
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

/** A column that is written once. */
type Fixed<T> = ColumnType<T, T, never>

type MemberTable = {
  id: GeneratedAlways<bigint>
  account: Fixed<Buffer>
  invite_code: Fixed<string>
  sponsor_id: Fixed<bigint | null>
  level: Generated<number>
  lang: Language
  disabled_at: ColumnType<Date | null, never, Date | null>
  last_login_at: Date | null
  created_at: GeneratedAlways<Date>
}

type SessionTable = {
  id: Fixed<Id<'session'>>
  token_hash: Fixed<Buffer>
  member_id: Fixed<bigint>
  mode: Fixed<SessionMode>
  previous_login_at: Fixed<Date | null>
  last_action_at: Generated<Date>
  created_at: GeneratedAlways<Date>
}

type ConsumedNonceTable = { nonce: Fixed<Buffer>; expires_at: Fixed<Date> }

type SetupCodeTable = { member_id: Fixed<bigint>; code_hash: Fixed<Buffer>; created_at: GeneratedAlways<Date> }

export type Tables = {
  'lode.member': MemberTable
  'lode.session': SessionTable
  'lode.consumed_nonce': ConsumedNonceTable
  'lode.setup_code': SetupCodeTable
  'lode.migration': { name: string }
}
