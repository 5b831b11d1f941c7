import * as z from 'zod/mini'
import { address, addressTail, deviceId, invitationCode, language, signature, signInMessage } from '../formats.ts'
import { openRoute } from '../route.ts'

const session = { token: z.string(), account: address, lang: language }

export const signRoutes = {
  'sign/check': openRoute('GET', '/sign/check', {
    summary: 'Whether an account may log in or must register, and the message that its wallet is to sign',
    request: { account: address, invite: z.optional(invitationCode) },
    data: z.object({
      action: z.enum(['login', 'register']),
      /** Null if the account must register and gave no invitation code: there is nothing to sign yet. */
      message: z.nullable(signInMessage),
      inviterTail: z.nullable(addressTail),
    }),
    refusals: ['account-format', 'invite-format', 'invite-unknown'],
  }),

  'sign/regist': openRoute('POST', '/sign/regist', {
    summary: 'Register with a signed message and an invitation code',
    request: {
      message: signInMessage,
      signature,
      invite: invitationCode,
      lang: language,
      device: z.optional(deviceId),
    },
    data: z.object({ ...session, setupCode: z.string() }),
    refusals: [
      'invite-format',
      'invite-unknown',
      'account-registered',
      'account-reserved',
      'message-invalid',
      'message-expired',
      'signature-invalid',
      'signature-used',
      'region-restricted',
      'registration-closed',
      'chain-unavailable',
    ],
  }),

  'sign/login': openRoute('POST', '/sign/login', {
    summary: 'Log in with a signed message; with `exit`, for a disabled account that takes its assets out',
    request: {
      message: signInMessage,
      signature,
      lang: language,
      exit: z.optional(z.boolean()),
      device: z.optional(deviceId),
    },
    data: z.object(session),
    refusals: [
      'account-unknown',
      'account-disabled',
      'message-invalid',
      'message-expired',
      'signature-invalid',
      'signature-used',
      'chain-unavailable',
    ],
  }),
}
