import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const UP_WITHIN_SECONDS = 60

/** The processes that run below a folder of this cluster. */
const processesNaming = (text: string): string[] =>
  execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(text))

it('starts everything within a minute, prints where it is, and ends it all', { timeout: 180_000 }, async () => {
  const cluster = spawn(process.execPath, [join(import.meta.dirname, '../../scripts/cluster.ts')])
  let printed = ''
  for (const stream of [cluster.stdout, cluster.stderr]) stream.on('data', (chunk) => (printed += chunk))
  let folder = ''
  try {
    await expect.poll(() => printed, { timeout: 120_000 }).toContain('Ctrl-C ends all of it')
    expect(Number(/ready in ([\d.]+) s/.exec(printed)?.[1])).toBeLessThan(UP_WITHIN_SECONDS)

    const readiness = Array.from(printed.matchAll(/http:\/\/127\.0\.0\.1:\d+\/readyz/g), ([url]) => url)
    expect(readiness).toHaveLength(6)
    const states = await Promise.all(readiness.map(async (url) => (await fetch(url)).json()))
    expect(states.filter(({ status }: { status: string }) => status === 'ready').length).toBeGreaterThanOrEqual(5)
    folder = (/\S*lode-cluster-\w+$/m.exec(printed) ?? [])[0] ?? ''
    expect(processesNaming(folder).length).toBeGreaterThan(5)
  } finally {
    cluster.kill('SIGINT')
    if (cluster.exitCode === null) await once(cluster, 'exit')
  }
  expect(processesNaming(folder)).toEqual([])
})
