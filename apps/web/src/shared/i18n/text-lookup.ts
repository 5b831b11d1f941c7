import type { texts as english } from './texts/en.ts'
import type { texts as englishOfMembers } from './texts/member/en.ts'

/** `{ home: { level: 'Level', days_one: …, days_other: … } }` has the keys `home.level` and `home.days`. */
type KeysIn<Group> = {
  [Name in keyof Group & string]: Group[Name] extends string
    ? Name extends `${infer Counted}_${'one' | 'other'}`
      ? Counted
      : Name
    : `${Name}.${KeysIn<Group[Name]>}`
}[keyof Group & string]

/** The key of a text. A text with a count has one key for all its forms. */
type TextKey = KeysIn<typeof english> | KeysIn<typeof englishOfMembers>

/** The values for the placeholders. `count` also chooses between the forms `_one` and `_other`. */
export type TextValues = Readonly<Record<string, string | number | undefined>>

/** `t('wallet.fee')`, or `t('order.closing', { time })` for a text with the placeholder `{{time}}`. */
export type TextFunction = (key: TextKey, values?: TextValues) => string

/**
 * The text of a key in the first catalog that has it, with its placeholders filled. A key that no catalog has is
 * returned itself, so that the mistake is visible. Chinese has one form for every count, which is called `_other`.
 */
export function lookUpText(catalogs: readonly object[], key: string, values: TextValues = {}): string {
  const { count } = values
  const form = count === 1 ? '_one' : '_other'
  const text =
    (count !== undefined && (findText(catalogs, key + form) ?? findText(catalogs, `${key}_other`))) ||
    findText(catalogs, key)
  return text?.replace(/\{\{(\w+)\}\}/g, (_placeholder, name: string) => String(values[name] ?? '')) ?? key
}

function findText(catalogs: readonly object[], key: string): string | undefined {
  for (const catalog of catalogs) {
    let found: unknown = catalog
    for (const name of key.split('.')) found = (found as Record<string, unknown> | undefined)?.[name]
    if (typeof found === 'string') return found
  }
  return undefined
}
