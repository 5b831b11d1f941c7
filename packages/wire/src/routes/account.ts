import * as z from 'zod/mini'
import { sessionModes } from '../enums.ts'
import { address, addressTail, language, moment } from '../formats.ts'
import { memberRoute } from '../route.ts'
import { protection } from './protection.ts'

const riskVersion = z.int().check(z.minimum(1), z.maximum(1_000_000))

export const accountRoutes = {
  'account/profile': memberRoute('GET', '/account/profile', {
    summary: 'The profile of the signed-in member',
    request: {},
    data: z.object({
      account: address,
      mode: z.enum(sessionModes),
      level: z.int(),
      activated: z.boolean(),
      /** Since when operators have disabled the member, and why, as they wrote it. Null if they have not. */
      disabled: z.nullable(z.object({ since: moment, reason: z.nullable(z.string()) })),
      /** Null for the first member, who has no inviter. */
      inviterTail: z.nullable(addressTail),
      inviteCode: z.string(),
      lang: language,
      /** The previous sign-in; null on the first. */
      lastLoginAt: z.nullable(moment),
      registeredAt: moment,
      protection,
      /** The version of the risk explanation to accept, and when this member accepted it. */
      risk: z.object({ version: riskVersion, acceptedAt: z.nullable(moment) }),
    }),
    exit: true,
  }),

  'account/lang': memberRoute('POST', '/account/lang', {
    summary: 'Choose the language of the interface',
    request: { lang: language },
    data: z.object({ lang: language }),
  }),

  'account/accept-risk': memberRoute('POST', '/account/accept-risk', {
    summary: 'The member has read the explanation of risks, in this version, and accepts it',
    request: { version: riskVersion },
    data: z.object({ version: riskVersion, acceptedAt: moment }),
    refusals: ['risk-changed'],
  }),

  'account/logout': memberRoute('POST', '/account/logout', {
    summary: 'End this session',
    request: {},
    data: z.object({}),
    exit: true,
  }),
}
