import { findPromiseWords, ok, type Result, refused } from '@lode/kernel'
import type { DataOf, Language } from '@lode/wire'
import * as z from 'zod'

type Notice = DataOf<'notice/list'>['items'][number]
export type NoticeWords = Extract<Notice, { kind: 'message' }>['words']

/** One line of plain text. Members are told that notices never have links, so that fraud is easier to notice. */
const plainLineSchema = (longest: number) =>
  z
    .string()
    .min(1)
    .max(longest)
    .regex(/^[^\p{C}\p{Zl}\p{Zp}]*$/u, 'must be one line of plain words')
    .refine((text) => text === text.trim(), 'begins or ends with a space')
    .refine((text) => !/https?:|www\./i.test(text), 'has a link')
    .superRefine((text, context) => {
      const words = findPromiseWords(text)
      if (words.length > 0)
        context.addIssue({ code: 'custom', message: `promises what nobody can: ${words.join(', ')}` })
    })

const wordsSchema = z.strictObject({ title: plainLineSchema(80), body: z.array(plainLineSchema(600)).min(1).max(10) })
const noticeSchema = z.strictObject({ en: wordsSchema, zh_tw: wordsSchema, zh_cn: wordsSchema } satisfies Record<
  Language,
  typeof wordsSchema
>)

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((inner, name) => (inner as Record<PropertyKey, unknown> | undefined)?.[name], value)

/** Where in the file, as people count: `en, paragraph 2`. */
function describePlace([lang, part, index]: readonly PropertyKey[]): string {
  if (lang === undefined) return 'the notice'
  if (part === undefined) return String(lang)
  return `${String(lang)}, ${typeof index === 'number' ? `paragraph ${index + 1}` : String(part)}`
}

/** Returns the notice, or all its errors at once. */
export function parseNoticeText(text: string): Result<NoticeWords, string[]> {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return refused(['it is not JSON'])
  }
  const notice = noticeSchema.safeParse(parsed)
  if (notice.success) return ok(notice.data)
  return refused(
    notice.error.issues.map(({ path, message }) => {
      const problem = path.length > 0 && valueAt(parsed, path) === undefined ? 'is missing' : message
      return `${describePlace(path)}: ${problem}`
    }),
  )
}
