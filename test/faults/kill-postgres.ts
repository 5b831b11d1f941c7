import { readdir, readFile } from 'node:fs/promises'
import type { Postgres } from '@lode/scripts/postgres'

/** Kills the postmaster and all its processes with SIGKILL. */
export async function killPostgres(postgres: Postgres): Promise<void> {
  const children: number[] = []
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '')
    const parent = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]
    if (Number(parent) === postgres.pid) children.push(Number(entry))
  }
  for (const pid of [postgres.pid, ...children]) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // The process had already ended.
    }
  }
  await postgres.stop('SIGKILL')
}
