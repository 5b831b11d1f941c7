import { type InvitationCode, parseInvitationCode, type Result } from '@lode/kernel'
import { spelledInvite } from '../../shared/format/index.ts'

const LINK = /[?&]invite=([0-9a-z-]+)/i

/** What a member typed or pasted, be it the code in any spelling or the whole invitation link. */
export const inviteIn = (text: string): Result<InvitationCode, 'invite-format'> =>
  parseInvitationCode(LINK.exec(text)?.[1] ?? text)

/** A right code in two groups, as it is read out; anything else as it was typed. */
export function tidyInvite(text: string): string {
  const code = inviteIn(text)
  return code.ok ? spelledInvite(code.value) : text
}
