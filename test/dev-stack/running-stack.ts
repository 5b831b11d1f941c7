import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const root = resolve(import.meta.dirname, '../..')

export type DevStack = {
  readonly process: ChildProcess
  readonly readyAfterMs: number
  output(): string
  /** The address of a part, from the printed table. */
  at(name: string): string
  /** All processes, including the starter itself. */
  pids(): number[]
  /** Waits for the end and returns the exit code. A process can be gone before its parent has been notified. */
  ended(): Promise<number | null>
  /** Sends the signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** Starts `pnpm dev` without the package manager, and waits for the table of addresses. */
export async function startDev(
  folder: string,
  {
    args = [] as readonly string[],
    environment = {} as Record<string, string>,
    through = [] as readonly string[],
    withinMs = 240_000,
  } = {},
): Promise<DevStack> {
  const began = performance.now()
  const [command = process.execPath, ...rest] = [...through, process.execPath, resolve(root, 'scripts/dev.ts'), ...args]
  const child = spawn(command, rest, {
    cwd: root,
    env: { ...process.env, LODE_DEV_FOLDER: folder, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += String(chunk)))
  while (!/Ctrl-C ends all of it/.test(printed)) {
    if (child.exitCode !== null) throw new Error(`The stack ended with ${child.exitCode}:\n${printed}`)
    if (performance.now() - began > withinMs) {
      child.kill('SIGINT')
      throw new Error(`The stack is not ready after ${withinMs / 1_000} s:\n${printed}`)
    }
    await sleep(50)
  }
  const readyAfterMs = performance.now() - began
  const ended = async () => {
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    return child.exitCode
  }
  return {
    process: child,
    readyAfterMs,
    output: () => printed,
    at: (name) => new RegExp(`^  ${name} +(\\S+)`, 'm').exec(printed)?.[1] ?? '',
    pids: () => descendants(child.pid ?? 0),
    ended,
    end: (signal) => {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      return ended()
    },
  }
}

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    // A process that has ended and was not yet collected by its parent is no longer running.
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

function descendants(pid: number): number[] {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    const parent = /^\d+$/.test(name) ? parentOf(Number(name)) : undefined
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const found = [pid]
  for (const each of found) found.push(...(children.get(each) ?? []))
  return found
}

function parentOf(pid: number): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1])
  } catch {
    return undefined
  }
}

/** The addresses on which these processes listen, such as `127.0.0.1:5173`. */
export function listening(pids: readonly number[]): string[] {
  const sockets = new Set(pids.flatMap(socketsOf))
  const tables = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) => readFileSync(file, 'utf8').split('\n').slice(1))
  const LISTEN = '0A'
  return tables.flatMap((line) => {
    const fields = line.trim().split(/\s+/)
    const [, local = '', , state] = fields
    return state === LISTEN && sockets.has(fields[9] ?? '') ? [readable(local)] : []
  })
}

function socketsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      const target = readlinkSync(`/proc/${pid}/fd/${fd}`)
      return /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? []
    })
  } catch {
    return []
  }
}

/** The kernel writes an IPv4 address backwards, in hex. An IPv6 address is never loopback here. */
function readable(local: string): string {
  const [address = '', port = ''] = local.split(':')
  const bytes = (address.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16))
  const text = bytes.length === 4 ? bytes.toReversed().join('.') : address
  return `${text}:${Number.parseInt(port, 16)}`
}
