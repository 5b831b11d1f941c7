import { ok, type Result, refused } from '@lode/kernel'
import { beforeAll, describe, expect, it } from 'vitest'
import { loadMemberTexts, startI18n, text } from '../../shared/i18n/index.ts'
import { logCsv, logCsvName } from './log-csv.ts'
import { readWholeLog } from './read-whole-log.ts'
import type { LogPage } from './use-log.ts'

const line: LogPage['lines'][number] = {
  id: 'transferOut:7',
  type: 'transferOut',
  status: 'confirmed',
  direction: 'out',
  amount: '12.5',
  fee: '1',
  at: '2026-11-15T06:00:00.000Z',
  endedAt: '2026-11-15T06:20:00.000Z',
  tx: null,
  balanceAfter: '86.5',
}

describe('the log as a CSV file', () => {
  beforeAll(async () => {
    await startI18n({ onLanguage: () => {}, onFailure: () => {} })
    await loadMemberTexts()
  })

  it('has a signed amount, words for type and status, and times in UTC', () => {
    const [, row] = logCsv(text, 'USDT', [line]).split('\r\n')
    expect(row).toBe(
      '2026-11-15T06:00:00.000Z,Transfer out,Confirmed,-12.5,1,USDT,2026-11-15T06:20:00.000Z,,86.5,transferOut:7',
    )
  })

  it('contains no formula that a spreadsheet would run', () => {
    const hostile = logCsv(text, 'USDT', [{ ...line, id: '=HYPERLINK("http://evil.example","x")', type: '=1+1' }])
    expect(hostile).toContain(`"'=HYPERLINK(""http://evil.example"",""x"")"`)
    expect(hostile).toContain(',Undefined,')
    expect(hostile).not.toMatch(/(^|,|\n)"?=/)
  })

  it('has its asset and its day or days in the file name', () => {
    const now = new Date('2026-11-15T23:59:00Z')
    expect(logCsvName('BTC', {}, now)).toBe('lode-BTC-2026-11-15.csv')
    const october = { from: '2026-10-01', to: '2026-10-31' }
    expect(logCsvName('BTC', october, now)).toBe('lode-BTC-2026-10-01-2026-10-31.csv')
  })
})

describe('the whole log', () => {
  const pages: Record<string, LogPage> = {
    first: { lines: [line, line], next: 'b' },
    b: { lines: [line], next: 'c' },
    c: { lines: [line], next: null },
  }

  it('is read page by page and reports the number of lines so far', async () => {
    const told: number[] = []
    const read = async (cursor: string | null): Promise<Result<LogPage, never>> =>
      ok(pages[cursor ?? 'first'] ?? { lines: [], next: null })
    const whole = await readWholeLog(read, (count) => told.push(count))
    expect([whole.ok && whole.value.length, told]).toEqual([4, [2, 3, 4]])
  })

  it('is not returned at all if one page fails', async () => {
    const read = async (cursor: string | null): Promise<Result<LogPage, 'cancelled'>> =>
      cursor === 'b' ? refused('cancelled') : ok(pages.first ?? { lines: [], next: null })
    expect(await readWholeLog(read, () => {})).toEqual({ ok: false, error: 'cancelled' })
  })
})
