import * as z from 'zod/mini'
import { clientErrorKinds } from '../enums.ts'
import { openRoute } from '../route.ts'

export const clientRoutes = {
  'client/report': openRoute('POST', '/client/report', {
    summary: 'Report an error of the web app, without personal data; it is counted and logged',
    request: {
      kind: z.enum(clientErrorKinds),
      /** The error's name, message and place, already scrubbed by the app. */
      text: z.string().check(z.maxLength(600)),
      /** The name of the app's main script, which contains the hash of the build. */
      build: z.string().check(z.maxLength(80)),
    },
    data: z.object({}),
  }),
}
