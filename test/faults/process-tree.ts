import { readdir, readFile } from 'node:fs/promises'

export async function childrenOf(parent: number): Promise<number[]> {
  const children: number[] = []
  for (const entry of await readdir('/proc'))
    if (/^\d+$/.test(entry) && (await readStat(Number(entry)))?.parent === parent) children.push(Number(entry))
  return children
}

export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // The process had already ended.
  }
}

/** A killed process stays a zombie (Z) until its new parent notices; it uses no memory any more. */
export async function isRunning(pid: number): Promise<boolean> {
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
