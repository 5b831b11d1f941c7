import { readdirSync, readFileSync } from 'node:fs'

/** The kernel counts CPU time in hundredths of a second. */
const TICK_MS = 10

type Stat = { readonly parent: number; readonly own: number; readonly ended: number }

/** The CPU time of a process and of its ended children: user and system, all threads. */
function statOf(pid: number): Stat {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ').map(Number) ?? []
    const [, parent = 0] = fields
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15)
    return { parent, own: TICK_MS * (user + system), ended: TICK_MS * (endedUser + endedSystem) }
  } catch {
    return { parent: 0, own: 0, ended: 0 }
  }
}

/** The CPU time in milliseconds that a process and all its children have used. */
export function cpuMsOf(pid: number): number {
  const { own, ended } = statOf(pid)
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && statOf(Number(name)).parent === pid)
  return children.reduce((sum, child) => sum + cpuMsOf(Number(child)), own + ended)
}
