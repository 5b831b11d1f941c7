import { readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

type PointName = `${'api' | 'worker' | 'signer'}:${string}`

/**
 * A named place at which a test can kill the process as by kill -9, or stop it for a while. It does nothing unless
 * FAULTS names a folder, which a production process refuses. The request file is removed first, so that the next
 * process passes this place.
 */
export function faultPoint(name: PointName, folder = process.env.FAULTS): void {
  if (!folder) return
  const file = join(folder, fileOf(name))
  const asked = takeRequest(file)
  if (asked === 'die') process.kill(process.pid, 'SIGKILL')
  // The test sees the renamed file, and lets the process go on with SIGCONT.
  if (asked === 'stop') process.kill(process.pid, 'SIGSTOP')
}

const fileOf = (name: PointName): string => name.replace(/[:/]/g, '-')

/** Deletes or renames the request file, so that of several processes at the same place only one reacts. */
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
