import { type InvitationCode, parseInvitationCode, type Result } from '@lode/kernel'
import { formatInvite } from '../../shared/format/index.ts'

const LINK = /[?&]invite=([0-9a-z-]+)/i

/** Finds the code in a typed or pasted text: the code in any spelling, or the whole invitation link. */
export const parseInviteText = (text: string): Result<InvitationCode, 'invite-format'> =>
  parseInvitationCode(LINK.exec(text)?.[1] ?? text)

/** A valid code in two groups. Any other text is returned unchanged. */
export function formatInviteText(text: string): string {
  const code = parseInviteText(text)
  return code.ok ? formatInvite(code.value) : text
}
