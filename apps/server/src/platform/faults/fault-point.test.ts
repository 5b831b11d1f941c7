import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { faultPoint } from './fault-point.ts'

const run = promisify(execFile)
const source = join(import.meta.dirname, 'fault-point.ts')

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lode-faults-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** A process that reaches the point, and prints a line after it. */
const reachThePoint = (environment: Record<string, string>) =>
  run(
    process.execPath,
    [
      '-e',
      `import(${JSON.stringify(source)}).then((m) => { m.faultPoint('worker:after-credit'); console.log('past') })`,
    ],
    { env: { PATH: process.env.PATH, ...environment } },
  )

/** The state that the kernel reports; T means stopped. */
const stateOf = (pid: number): string | undefined => / ([A-Z]) \d/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]

describe('a fault point', () => {
  it('kills the process once if its file is in the folder', async () => {
    const file = join(folder, 'worker-after-credit')
    writeFileSync(file, '')
    await expect(reachThePoint({ FAULTS: folder })).rejects.toMatchObject({ signal: 'SIGKILL' })
    expect(existsSync(file)).toBe(false)
    expect((await reachThePoint({ FAULTS: folder })).stdout).toBe('past\n')
  })

  it('stops the process if the file says so, until the test resumes it', async () => {
    writeFileSync(join(folder, 'worker-after-credit'), 'stop')
    const reaching = reachThePoint({ FAULTS: folder })
    const pid = reaching.child.pid ?? 0
    const reached = join(folder, `worker-after-credit.${pid}.reached`)
    await vi.waitFor(() => expect(existsSync(reached)).toBe(true), { timeout: 10_000 })
    await vi.waitFor(() => expect(stateOf(pid)).toBe('T'), { timeout: 10_000 })
    process.kill(pid, 'SIGCONT')
    expect((await reaching).stdout).toBe('past\n')
  })

  it('does nothing without a folder, or if the file is for another point', async () => {
    writeFileSync(join(folder, 'worker-after-credit'), '')
    expect((await reachThePoint({})).stdout).toBe('past\n')
    faultPoint('worker:before-credit', folder)
    faultPoint('api:before-commit', undefined)
  })
})
