import * as z from 'zod/mini'
import { planStandings } from '../enums.ts'
import { moment, page, planVersion } from '../formats.ts'
import { memberRoute } from '../route.ts'

const noticeId = z.string().check(z.regex(/^[1-9][0-9]{0,17}$/))

const words = z.object({ title: z.string(), body: z.array(z.string()) })

const everyNotice = { id: noticeId, at: moment, read: z.boolean() }

const notice = z.discriminatedUnion('kind', [
  /** A message from the pool, in all languages, because the reader may change the language while reading. */
  z.object({
    ...everyNotice,
    kind: z.literal('message'),
    words: z.object({ en: words, zh_tw: words, zh_cn: words }),
  }),
  /** A plan version makes leaving harder. */
  z.object({
    ...everyNotice,
    kind: z.literal('plan'),
    version: planVersion,
    startsAt: moment,
    standing: z.enum(planStandings),
    /** The values that make it harder, by path in the plan, in whole coins. */
    changes: z.array(z.object({ path: z.string(), before: z.string(), after: z.string() })),
  }),
])

/** How many notices are unread. Above a hundred the exact number does not matter. */
const unread = z.int().check(z.minimum(0), z.maximum(100))

export const noticeRoutes = {
  'notice/list': memberRoute('GET', '/notice/list', {
    summary: 'What members were told, newest first, with what this one has read',
    request: page,
    data: z.object({ items: z.array(notice), next: z.nullable(z.string()), unread }),
    exit: true,
  }),

  'notice/read': memberRoute('POST', '/notice/read', {
    summary: 'The member has read this notice; or this one and all before it',
    request: { id: noticeId, andOlder: z.optional(z.boolean()) },
    data: z.object({ unread }),
  }),
}
