import { setTimeout as sleep } from 'node:timers/promises'
import type { Postgres } from '@lode/scripts/postgres'
import { childrenOf, isRunning, sendSignal } from './process-tree.ts'

const END_TIMEOUT_MS = 10_000

/**
 * Kills the postmaster and all its processes with SIGKILL, and waits until they have ended: PostgreSQL does not start
 * again while one of them still uses the shared memory. The postmaster is stopped first, so that it cannot start a
 * process that is not in the list.
 */
export async function killPostgres(postgres: Postgres): Promise<void> {
  sendSignal(postgres.pid, 'SIGSTOP')
  const children = await childrenOf(postgres.pid)
  for (const pid of [postgres.pid, ...children]) sendSignal(pid, 'SIGKILL')
  await postgres.stop('SIGKILL')
  const deadline = Date.now() + END_TIMEOUT_MS
  for (const pid of children)
    while (await isRunning(pid)) {
      if (Date.now() > deadline) throw new Error(`the PostgreSQL process ${pid} did not end`)
      await sleep(10)
    }
}
