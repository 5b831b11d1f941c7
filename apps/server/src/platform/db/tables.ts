import type { Id } from '@lode/kernel'
import type { Language, SecurityKind, SessionMode } from '@lode/wire'
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
  device_hash: Fixed<Buffer | null>
  user_agent: Fixed<string | null>
  last_action_at: Generated<Date>
  created_at: GeneratedAlways<Date>
}

type ConsumedNonceTable = { nonce: Fixed<Buffer>; expires_at: Fixed<Date> }

type SetupCodeTable = { member_id: Fixed<bigint>; code_hash: Fixed<Buffer>; created_at: GeneratedAlways<Date> }

/** The hashes are not here: only a function that counts a try gives one out. */
type ProtectionTable = {
  member_id: GeneratedAlways<bigint>
  chosen_at: GeneratedAlways<Date | null>
  changed_at: GeneratedAlways<Date | null>
  locked_until: GeneratedAlways<Date | null>
  reset_asked_at: GeneratedAlways<Date | null>
  reset_ends_at: GeneratedAlways<Date | null>
  reset_done_at: GeneratedAlways<Date | null>
  transfers_locked_until: GeneratedAlways<Date | null>
}

type OutputAddressTable = {
  member_id: GeneratedAlways<bigint>
  number: GeneratedAlways<number>
  address: GeneratedAlways<Buffer>
  asked_at: GeneratedAlways<Date>
  binds_at: GeneratedAlways<Date>
  cancelled_at: GeneratedAlways<Date | null>
}

type SecurityLineTable = {
  member_id: GeneratedAlways<bigint>
  id: GeneratedAlways<bigint>
  at: GeneratedAlways<Date>
  kind: GeneratedAlways<SecurityKind>
  user_agent: GeneratedAlways<string | null>
  address: GeneratedAlways<Buffer | null>
  until: GeneratedAlways<Date | null>
}

export type Tables = {
  'lode.member': MemberTable
  'lode.session': SessionTable
  'lode.consumed_nonce': ConsumedNonceTable
  'lode.setup_code': SetupCodeTable
  'lode.protection': ProtectionTable
  'lode.output_address': OutputAddressTable
  'lode.security_line': SecurityLineTable
  'lode.migration': { name: string }
}
