import { announcementArguments, announcementKinds, announcementStates } from '@lode/wire'
import { describe, expect, it } from 'vitest'
import { dao as en } from './en/dao.ts'
import { dao as zh_cn } from './zh_cn/dao.ts'
import { dao as zh_tw } from './zh_tw/dao.ts'

describe.each([
  ['en', en],
  ['zh_tw', zh_tw],
  ['zh_cn', zh_cn],
])('the texts of announcements in %s', (_language, { vault }) => {
  it('say what each kind means, each in other words', () => {
    const texts = announcementKinds.flatMap((kind) => [vault.kinds[kind].title, vault.kinds[kind].means])
    expect(new Set(texts).size).toBe(2 * announcementKinds.length)
    for (const text of texts) expect(text.length).toBeGreaterThan(2)
  })

  it('name every argument and every state', () => {
    const texts = [
      ...announcementArguments.map((name) => vault.arguments[name]),
      ...announcementStates.map((state) => vault.states[state]),
    ]
    expect(new Set(texts).size).toBe(announcementArguments.length + announcementStates.length)
  })
})
