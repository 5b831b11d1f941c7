import { createHash } from 'node:crypto'
import { RISK_VERSION } from '@lode/wire'
import { expect, it } from 'vitest'
import { firstRun as en } from './en/first-run.ts'
import { firstRun as cn } from './zh_cn/first-run.ts'
import { firstRun as tw } from './zh_tw/first-run.ts'

/** The hash of each version's text. A new version is a new line. A line never changes once members have read it. */
const saidIn: Readonly<Record<number, string>> = { 1: '202b7e3b7143ede0', 2: 'c9328da232612400' }

it('a changed risk text needs a new risk version', () => {
  const said = [en, tw, cn].map(({ risks, bearable }) => ({ risks, bearable }))
  expect(createHash('sha256').update(JSON.stringify(said)).digest('hex').slice(0, 16)).toBe(saidIn[RISK_VERSION])
})
