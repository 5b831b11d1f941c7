import * as z from 'zod/mini'
import { addressTail, invitationCode } from '../formats.ts'
import { memberRoute } from '../route.ts'

export const shareRoutes = {
  'share/card': memberRoute('GET', '/share/card', {
    summary: 'The member’s invitation code and link',
    request: {},
    data: z.object({
      code: invitationCode,
      /** Opens registration with the code filled in, on the pool’s own domain. */
      link: z.url(),
      /** By this the invited person recognizes the inviter. */
      tail: addressTail,
    }),
  }),
}
