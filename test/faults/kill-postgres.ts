import { readdir, readFile } from 'node:fs/promises'
import type { Postgres } from '@lode/scripts/postgres'

/** The postmaster and every process of it, with no chance to say goodbye. */
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
      // It was quicker.
    }
  }
  await postgres.stop('SIGKILL')
}
