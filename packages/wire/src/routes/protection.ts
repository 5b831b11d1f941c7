import * as z from 'zod/mini'
import { challengePurposes, holdReasons, securityKinds, sessionModes } from '../enums.ts'
import { address, fundPassword, moment, opaqueId, pageQuery, setupCode, signature, signInMessage } from '../formats.ts'
import { memberRoute } from '../route.ts'

const outputAddress = z.object({
  address,
  /** The member's own wallet, which is bound from the start and never causes a hold. */
  own: z.boolean(),
  /** When the address was bound. Null for the own wallet if no other address was ever bound. */
  boundAt: z.nullable(moment),
  waiting: z.nullable(z.object({ address, askedAt: moment, bindsAt: moment })),
})

/** The protections of a member's money against a thief of the session token or the wallet. */
export const protection = z.object({
  /** The time of this answer, from which every end below is counted. */
  at: moment,
  fundPassword: z.object({
    chosen: z.boolean(),
    lockedUntil: z.nullable(moment),
    reset: z.nullable(z.object({ askedAt: moment, endsAt: moment })),
  }),
  outputAddress,
  /** The own wallet and the addresses bound so far, newest first, at most twenty. Used to find look-alike addresses. */
  addressesUsed: z.array(address),
  transfersLockedUntil: z.nullable(moment),
  /** The holds that a transfer requested now, from this browser, would have, with their ends. */
  holds: z.array(z.object({ reason: z.enum(holdReasons), endsAt: moment })),
})

/** Browser and system as the browser reports them, if known. */
const device = z.object({ browser: z.nullable(z.string()), system: z.nullable(z.string()) })

const passwordRefusals = [
  'password-format',
  'fund-password-wrong',
  'fund-password-locked',
  'fund-password-unset',
] as const
const signatureRefusals = [
  'message-invalid',
  'message-expired',
  'signature-invalid',
  'signature-used',
  'chain-unavailable',
] as const

export const protectionRoutes = {
  'account/challenge': memberRoute('GET', '/account/challenge', {
    summary: 'The message that the member’s wallet is to sign for one purpose; it serves for no other',
    request: {
      purpose: z.enum(challengePurposes),
      /** The new output address; for the purpose `output-address` only. */
      address: z.optional(address),
    },
    data: z.object({ message: signInMessage }),
    exit: true,
    refusals: ['address-format', 'output-address-refused'],
  }),

  'account/fund-password': memberRoute('POST', '/account/fund-password', {
    summary:
      'Choose the first fund password with the set-up code, or change it with the present one: exactly one of both',
    request: { newPassword: fundPassword, setupCode: z.optional(setupCode), password: z.optional(fundPassword) },
    data: protection,
    exit: true,
    refusals: [
      ...passwordRefusals,
      'password-easily-guessed',
      'fund-password-chosen',
      'setup-code-wrong',
      'reset-waiting',
    ],
  }),

  'account/fund-password/reset': memberRoute('POST', '/account/fund-password/reset', {
    summary: 'Reset a lost fund password by a signature made for that; the new one counts from 72 hours later',
    request: { message: signInMessage, signature, newPassword: fundPassword },
    data: protection,
    exit: true,
    refusals: [...signatureRefusals, 'password-format', 'password-easily-guessed', 'reset-waiting'],
  }),

  'account/fund-password/reset/cancel': memberRoute('POST', '/account/fund-password/reset/cancel', {
    summary: 'Cancel a reset that waits, with the present fund password',
    request: { password: fundPassword },
    data: protection,
    exit: true,
    refusals: [...passwordRefusals, 'reset-none'],
  }),

  'account/fund-password/setup-code': memberRoute('POST', '/account/fund-password/setup-code', {
    summary: 'A new set-up code by a signature made for that, while no fund password was chosen and no money has moved',
    request: { message: signInMessage, signature },
    data: z.object({ setupCode: z.string() }),
    exit: true,
    refusals: [...signatureRefusals, 'setup-code-refused', 'reset-waiting'],
  }),

  'account/output-address': memberRoute('POST', '/account/output-address', {
    summary:
      'Ask for another output address, which is bound 48 hours later; the wallet signs it, unless it is the wallet itself',
    request: {
      address,
      password: fundPassword,
      message: z.optional(signInMessage),
      signature: z.optional(signature),
    },
    data: z.object({
      protection,
      /** A look-alike address that was used before. */
      lookAlike: z.nullable(address),
    }),
    refusals: [
      ...signatureRefusals,
      ...passwordRefusals,
      'reset-waiting',
      'address-format',
      'output-address-refused',
      'output-address-same',
      'output-address-waiting',
    ],
  }),

  'account/output-address/cancel': memberRoute('POST', '/account/output-address/cancel', {
    summary: 'Cancel a change of the output address that waits',
    request: {},
    data: protection,
    exit: true,
    refusals: ['output-address-none'],
  }),

  'account/transfer-lock': memberRoute('POST', '/account/transfer-lock', {
    summary: 'Lock all transfers out for a number of days; nobody can shorten it',
    request: { days: z.int().check(z.minimum(1), z.maximum(30)), password: fundPassword },
    data: protection,
    refusals: [...passwordRefusals, 'transfer-lock-shorter'],
  }),

  'account/security-log': memberRoute('GET', '/account/security-log', {
    summary: 'The security log: every change of the account’s protections, newest first',
    request: pageQuery,
    data: z.object({
      items: z.array(
        z.object({
          id: opaqueId,
          at: moment,
          kind: z.enum(securityKinds),
          /** The browser that did it; null if it is not known. */
          device: z.nullable(device),
          address: z.nullable(address),
          /** When the change takes effect, or when it ends. */
          until: z.nullable(moment),
        }),
      ),
      next: z.nullable(z.string()),
    }),
  }),

  'account/sessions': memberRoute('GET', '/account/sessions', {
    summary: 'The sessions of the member; twenty at most',
    request: {},
    data: z.object({
      items: z.array(
        z.object({
          id: z.string(),
          device,
          mode: z.enum(sessionModes),
          createdAt: moment,
          lastActionAt: moment,
          /** Whether it is the caller's session. */
          current: z.boolean(),
        }),
      ),
    }),
  }),

  'account/sessions/revoke': memberRoute('POST', '/account/sessions/revoke', {
    summary: 'End one session, or all others',
    request: { session: z.union([z.uuid(), z.literal('others')]) },
    data: z.object({ revoked: z.int() }),
    refusals: ['session-unknown'],
  }),
}
