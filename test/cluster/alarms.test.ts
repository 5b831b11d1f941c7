import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Cluster, startCluster } from '@lode/scripts/cluster'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AlarmFault, faultGroups } from './alarm-faults.ts'

/** All `for` and ranges of the rules are a tenth, so that an alarm that rings after ten minutes takes one. */
const ALARM_SPEED = 10
/** The slowest wait for two turns of a minute each: a failed archive, and the worker's look at it. */
const WAIT = { timeout: 300_000, interval: 1_000 }
/** They tell about this machine, which may be small and full. */
const ABOUT_THIS_MACHINE = /^(DiskSpaceLow|DiskFull|MemoryLow|ServerSlow)$/

type Labels = Readonly<Record<string, string>>

let cluster: Cluster

beforeAll(async () => {
  cluster = await startCluster({
    blockTimeSeconds: 1,
    alarmSpeed: ALARM_SPEED,
    extraEnvironment: { RATE_LIMITS: 'off', CLOCK_MAX_DIFFERENCE_SECONDS: '600' },
  })
}, 180_000)

afterAll(() => cluster?.stop(), 60_000)

async function readJson<T>(port: number, path: string): Promise<T> {
  return (await fetch(`http://127.0.0.1:${port}${path}`)).json() as Promise<T>
}

async function readRinging(): Promise<Labels[]> {
  const { data } = await readJson<{ data: { alerts: { labels: Labels; state: string }[] } }>(
    cluster.ports.prometheus,
    '/api/v1/alerts',
  )
  return data.alerts
    .filter(({ state, labels }) => state === 'firing' && !ABOUT_THIS_MACHINE.test(labels.alertname ?? ''))
    .map(({ labels }) => labels)
}

const readAlertmanager = async (): Promise<Labels[]> =>
  (await readJson<{ labels: Labels }[]>(cluster.ports.alertmanager, '/api/v2/alerts'))
    .map(({ labels }) => labels)
    .filter(({ alertname = '' }) => !ABOUT_THIS_MACHINE.test(alertname))

const matches = (alarms: readonly Labels[], wanted: Labels): boolean =>
  alarms.some((alarm) => Object.entries(wanted).every(([name, value]) => alarm[name] === value))

const namesOf = (alarms: readonly Labels[]): string[] =>
  Array.from(new Set(alarms.map(({ alertname = '', job }) => (job ? `${alertname} ${job}` : alertname)))).toSorted()

const expectAllQuiet = () => expect.poll(async () => namesOf(await readRinging()), WAIT).toEqual([])

/** Returns after how many seconds each alarm of the fault rang in Prometheus. */
async function waitUntilItRings({ name, alarms }: AlarmFault): Promise<string[]> {
  const began = Date.now()
  const after = new Map<string, number>()
  await expect
    .poll(
      async () => {
        const [ringing, delivered] = await Promise.all([readRinging(), readAlertmanager()])
        return alarms.filter((alarm) => {
          const label = namesOf([alarm])[0] ?? ''
          if (matches(ringing, alarm) && !after.has(label)) after.set(label, Date.now())
          return !matches(ringing, alarm) || !matches(delivered, alarm)
        })
      },
      { ...WAIT, message: name },
    )
    .toEqual([])
  return Array.from(after, ([alarm, at]) => `${alarm} after ${Math.round((at - began) / 1_000)} s`)
}

it('rings only because nobody has run an audit, when the cluster has started', { timeout: 320_000 }, async () => {
  await expect.poll(async () => namesOf(await readRinging()), WAIT).toEqual(['AuditNeverRan'])
})

it('shows every figure of the dashboard', { timeout: 60_000 }, async () => {
  const dashboard = readFileSync(join(import.meta.dirname, '../../ops/dashboard.json'), 'utf8')
  const queries = new Set<string>()
  JSON.parse(dashboard, (key, value: unknown) => {
    if (key === 'expr') queries.add(String(value))
    return value
  })
  expect(queries.size).toBeGreaterThan(30)
  const empty: string[] = []
  for (const query of queries) {
    const path = `/api/v1/query?query=${encodeURIComponent(query)}`
    const { data } = await readJson<{ data?: { result: readonly unknown[] } }>(cluster.ports.prometheus, path)
    if (!data || data.result.length === 0) empty.push(query)
  }
  expect(empty).toEqual([])
})

describe.each(Object.entries<readonly AlarmFault[]>(faultGroups))('faults %s', (_, faults) => {
  it('ring, and are quiet again after their end', { timeout: 620_000 }, async () => {
    const ends = await Promise.all(faults.map((fault) => fault.begin(cluster)))
    try {
      const rang = await Promise.all(faults.map(waitUntilItRings))
      console.log(rang.flat().join('\n'))
    } finally {
      await Promise.all(ends.map((end) => end()))
    }
    const ended = Date.now()
    await expectAllQuiet()
    await expect.poll(async () => namesOf(await readAlertmanager()), WAIT).toEqual([])
    console.log(`all quiet after ${Math.round((Date.now() - ended) / 1_000)} s`)
  })
})
