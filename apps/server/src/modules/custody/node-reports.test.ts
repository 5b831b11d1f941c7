import { pino } from 'pino'
import { Registry } from 'prom-client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createCustodyMetrics } from './metrics.ts'
import { createNodeReports } from './node-reports.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

function start() {
  const lines: { node?: string; reason?: string; msg: string }[] = []
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) })
  return { reports: createNodeReports(createCustodyMetrics(new Registry()), log), lines }
}

it('names a node that is not asked, once, and again if it returns and lies again', () => {
  const { reports, lines } = start()
  const liar = { name: 'liar', reason: 'its last final block is of 2030-01-01T00:00:00.000Z, which is in the future' }
  reports.refused([liar])
  reports.refused([liar])
  expect(lines).toMatchObject([{ node: 'liar', reason: liar.reason, msg: expect.stringContaining('ALARM') }])
  reports.refused([])
  reports.refused([liar])
  expect(lines).toHaveLength(2)
})

it('knows for how long nodes have agreed on no later block', () => {
  const { reports } = start()
  vi.advanceTimersByTime(5_000)
  expect(reports.agreedOn(7n)).toBe(0)
  vi.advanceTimersByTime(60_000)
  expect(reports.agreedOn(7n)).toBe(60_000)
  expect(reports.agreedOn(8n)).toBe(0)
})
