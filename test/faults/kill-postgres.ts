import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Postgres } from '@lode/scripts/postgres'

const END_TIMEOUT_MS = 10_000

/**
 * Kills the postmaster and all its processes with SIGKILL, and waits until they have ended: PostgreSQL does not start
 * again while one of them still uses the shared memory. The postmaster is stopped first, so that it cannot start a
 * process that is not in the list.
 */
export async function killPostgres(postgres: Postgres): Promise<void> {
  sendSignal(postgres.pid, 'SIGSTOP')
  const children: number[] = []
  for (const entry of await readdir('/proc'))
    if (/^\d+$/.test(entry) && (await readStat(Number(entry)))?.parent === postgres.pid) children.push(Number(entry))
  for (const pid of [postgres.pid, ...children]) sendSignal(pid, 'SIGKILL')
  await postgres.stop('SIGKILL')
  const deadline = Date.now() + END_TIMEOUT_MS
  for (const pid of children)
    while (await isRunning(pid)) {
      if (Date.now() > deadline) throw new Error(`the PostgreSQL process ${pid} did not end`)
      await sleep(10)
    }
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // The process had already ended.
  }
}

/** A killed process stays a zombie (Z) until its new parent notices; it uses no memory any more. */
async function isRunning(pid: number): Promise<boolean> {
  const stat = await readStat(pid)
  return stat !== null && stat.state !== 'Z'
}

/** Null if there is no such process. The name in parentheses may contain spaces, so the fields are counted after it. */
async function readStat(pid: number): Promise<{ state: string; parent: number } | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  if (stat === null) return null
  const [state = '', parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return { state, parent: Number(parent) }
}
