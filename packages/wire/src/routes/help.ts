import * as z from 'zod/mini'
import { language } from '../formats.ts'
import { memberRoute } from '../route.ts'

const spans = z.array(z.object({ text: z.string(), strong: z.boolean() }))

/**
 * An article consists of these blocks only. They hold plain text and no markup, so an article cannot contain a link, a
 * script or hidden text.
 */
const block = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('heading'), text: z.string() }),
  z.object({ kind: z.literal('paragraph'), spans }),
  z.object({ kind: z.literal('list'), ordered: z.boolean(), items: z.array(spans) }),
])

export const helpRoutes = {
  'help/list': memberRoute('GET', '/help/list', {
    summary: 'All articles of the help in one language',
    request: { lang: language },
    data: z.object({
      articles: z.array(z.object({ slug: z.string(), title: z.string(), blocks: z.array(block) })),
    }),
    exit: true,
  }),
}
