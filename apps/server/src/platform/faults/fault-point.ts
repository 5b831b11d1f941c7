import { readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

type PointName = `${'api' | 'worker' | 'signer'}:${string}`

/**
 * A named place at which a test can let the process die as by kill -9, or stand still while something else is done to it. Does
 * nothing unless FAULTS names a folder, which a production process refuses to start with. The file that asks for it is taken
 * away first, so that the process which takes over gets past this place.
 */
export function faultPoint(name: PointName, folder = process.env.FAULTS): void {
  if (!folder) return
  const file = join(folder, fileOf(name))
  const asked = takeRequest(file)
  if (asked === 'die') process.kill(process.pid, 'SIGKILL')
  // Whoever asked for it finds the place reached, and lets the process go on by SIGCONT.
  if (asked === 'stop') process.kill(process.pid, 'SIGSTOP')
}

const fileOf = (name: PointName): string => name.replace(/[:/]/g, '-')

/** Taking the file away is answering it: of several processes at the same place one does. */
function takeRequest(file: string): 'die' | 'stop' | null {
  try {
    const stops = readFileSync(file, 'utf8') === 'stop'
    if (stops) renameSync(file, `${file}.${process.pid}.reached`)
    else rmSync(file)
    return stops ? 'stop' : 'die'
  } catch {
    return null
  }
}
