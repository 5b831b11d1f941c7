import { execFileSync } from 'node:child_process'
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * What runs, written down while it runs, so that a second start can tell, and so that a start after a crash can end what was
 * left behind. A process id alone proves nothing, for the system gives it out again; with the moment of birth it does.
 */
type Process = { readonly name: string; readonly pid: number; readonly born: string }
type Contents = { readonly owner: Process; readonly parts: readonly Process[] }

export type RunningRecord = {
  add(name: string, pid: number): void
  remove(): void
}

export async function claim(
  file: string,
): Promise<{ kind: 'claimed'; record: RunningRecord } | { kind: 'taken'; pid: number }> {
  const before = read(file)
  if (before && isAlive(before.owner)) return { kind: 'taken', pid: before.owner.pid }
  if (before) await endLeftovers(before.parts)
  rmSync(file, { force: true })

  const owner = { name: 'dev', pid: process.pid, born: birth(process.pid) }
  const parts: Process[] = []
  const draft = `${file}.${process.pid}`
  const write = () => writeFileSync(draft, JSON.stringify({ owner, parts } satisfies Contents, null, 2))
  mkdirSync(dirname(file), { recursive: true })
  write()
  try {
    // Unlike a rename, a link fails where another start was faster, and the file is never there without its contents.
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
        parts.push({ name, pid, born: birth(pid) })
        write()
        renameSync(draft, file)
      },
      remove: () => rmSync(file, { force: true }),
    },
  }
}

function read(file: string): Contents | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Contents
  } catch {
    return undefined
  }
}

function birth(pid: number): string {
  try {
    // The 22nd field, counted from behind the name in brackets, which may itself hold spaces and brackets.
    if (process.platform === 'linux')
      return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19] ?? ''
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  } catch {
    return ''
  }
}

const isAlive = ({ pid, born }: Process): boolean => born !== '' && birth(pid) === born

/** SIGINT is PostgreSQL's fast shutdown, and as good as SIGTERM for the others. */
async function endLeftovers(parts: readonly Process[]): Promise<void> {
  const left = parts.filter(isAlive)
  for (const { pid } of left) process.kill(pid, 'SIGINT')
  for (const deadline = Date.now() + 5_000; left.some(isAlive) && Date.now() < deadline; ) await sleep(100)
  for (const part of left) if (isAlive(part)) process.kill(part.pid, 'SIGKILL')
}
