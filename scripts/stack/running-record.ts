import { execFileSync } from 'node:child_process'
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * The record of the running processes. A second start reads it, and a start after a crash stops the processes that were
 * left behind. A process id alone proves nothing, because the system reuses ids; together with the start time it does.
 */
type RecordedProcess = { readonly name: string; readonly pid: number; readonly born: string }
type RecordContents = { readonly owner: RecordedProcess; readonly parts: readonly RecordedProcess[] }

export type RunningRecord = {
  add(name: string, pid: number): void
  remove(): void
}

export async function claimRecord(
  file: string,
): Promise<{ kind: 'claimed'; record: RunningRecord } | { kind: 'taken'; pid: number }> {
  const before = read(file)
  if (before && isAlive(before.owner)) return { kind: 'taken', pid: before.owner.pid }
  if (before) await stopLeftovers(before.parts)
  rmSync(file, { force: true })

  const owner = { name: 'dev', pid: process.pid, born: readStartTime(process.pid) }
  const parts: RecordedProcess[] = []
  const draft = `${file}.${process.pid}`
  const write = () => writeFileSync(draft, JSON.stringify({ owner, parts } satisfies RecordContents, null, 2))
  mkdirSync(dirname(file), { recursive: true })
  write()
  try {
    // A link, unlike a rename, fails if another start was faster, and the file never exists without its contents.
    linkSync(draft, file)
  } catch {
    rmSync(draft)
    return { kind: 'taken', pid: read(file)?.owner.pid ?? 0 }
  }
  rmSync(draft)
  return {
    kind: 'claimed',
    record: {
      add: (name, pid) => {
        parts.push({ name, pid, born: readStartTime(pid) })
        write()
        renameSync(draft, file)
      },
      remove: () => rmSync(file, { force: true }),
    },
  }
}

function read(file: string): RecordContents | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as RecordContents
  } catch {
    return undefined
  }
}

function readStartTime(pid: number): string {
  try {
    // The start time is field 22. It is counted from behind the name in parentheses, which may itself contain spaces
    // and parentheses.
    if (process.platform === 'linux')
      return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19] ?? ''
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  } catch {
    return ''
  }
}

const isAlive = ({ pid, born }: RecordedProcess): boolean => born !== '' && readStartTime(pid) === born

/** SIGINT is PostgreSQL's fast shutdown, and the other processes treat it like SIGTERM. */
async function stopLeftovers(parts: readonly RecordedProcess[]): Promise<void> {
  const left = parts.filter(isAlive)
  for (const { pid } of left) process.kill(pid, 'SIGINT')
  for (const deadline = Date.now() + 5_000; left.some(isAlive) && Date.now() < deadline; ) await sleep(100)
  for (const part of left) if (isAlive(part)) process.kill(part.pid, 'SIGKILL')
}
