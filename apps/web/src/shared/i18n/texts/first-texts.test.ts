import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { texts } from './en.ts'

const sources = join(import.meta.dirname, '../../..')
/** What Home and the sign-in draw at once. Sheets load later, together with all texts. */
const drawnFirst = [
  'app/{App,ErrorPage,OfflineBanner,Payments,SideBar,TabBar,ViewFailedPage,Views}.tsx',
  'app/sections.ts',
  'features/{explain,home,production,profile}/*.{ts,tsx}',
  'features/notice/{NoticeBar,NoticeBell,notice-text,use-notices,unread-text}.{ts,tsx}',
  'features/sign-in/*.{ts,tsx}',
  'features/wallet/{HiddenNote,OldPrices,TotalValue}.tsx',
  'shared/pool/*.tsx',
  'shared/ui/{Address,Amount,CopyButton,Loaded,Skeleton,StaleNote,TopBar,TransactionLink,View,own-amounts}.tsx',
]
/** They load with all texts. */
const drawnLater = /\/(DisabledNote|WordSheet|InviterSheet)\.tsx$|\.test\.tsx?$/

const keysIn = (file: string): string[] =>
  Array.from(readFileSync(join(sources, file), 'utf8').matchAll(/\bt\(\s*['`]([\w.-]+)/g), ([, key = '']) => key)

const isFirst = (key: string): boolean => (key.split('.')[0] ?? '') in texts

describe('Home and the sign-in', () => {
  it('use only texts that are loaded first', () => {
    const files = globSync(drawnFirst, { cwd: sources }).filter((file) => !drawnLater.test(`/${file}`))
    expect(files.length).toBeGreaterThan(50)
    const missing = files.flatMap((file) =>
      keysIn(file)
        .filter((key) => !isFirst(key))
        .map((key) => `${file}: ${key}`),
    )
    expect(missing).toEqual([])
  })
})
