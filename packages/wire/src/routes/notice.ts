import * as z from 'zod/mini'
import { planStandings } from '../enums.ts'
import { moment, opaqueId, pageQuery, planVersion } from '../formats.ts'
import { memberRoute } from '../route.ts'

const titleAndBody = z.object({ title: z.string(), body: z.array(z.string()) })

const noticeFields = { id: opaqueId, at: moment, read: z.boolean() }

const notice = z.discriminatedUnion('kind', [
  /** A message from the pool, in all languages, because the reader may change the language while reading. */
  z.object({
    ...noticeFields,
    kind: z.literal('message'),
    words: z.object({ en: titleAndBody, zh_tw: titleAndBody, zh_cn: titleAndBody }),
  }),
  /** A plan version makes leaving harder. */
  z.object({
    ...noticeFields,
    kind: z.literal('plan'),
    version: planVersion,
    startsAt: moment,
    standing: z.enum(planStandings),
    /** The changed values that make leaving harder, each with its path in the plan. Amounts are in whole coins. */
    changes: z.array(z.object({ path: z.string(), before: z.string(), after: z.string() })),
  }),
])

/** How many notices are unread, counted up to a hundred. */
const unread = z.int().check(z.minimum(0), z.maximum(100))

export const noticeRoutes = {
  'notice/list': memberRoute('GET', '/notice/list', {
    summary: 'The notices, newest first, and which of them the member has read',
    request: pageQuery,
    data: z.object({ items: z.array(notice), next: z.nullable(z.string()), unread }),
    exit: true,
  }),

  'notice/read': memberRoute('POST', '/notice/read', {
    summary: 'Mark this notice as read, or this one and all older ones',
    request: { id: opaqueId, andOlder: z.optional(z.boolean()) },
    data: z.object({ unread }),
  }),
}
