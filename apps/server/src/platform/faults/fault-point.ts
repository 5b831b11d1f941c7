import { rmSync } from 'node:fs'
import { join } from 'node:path'

type PointName = `${'api' | 'worker'}:${string}`

/**
 * A named place at which a test can let the process die as by kill -9. Does nothing unless FAULTS names a folder, which a
 * production process refuses to start with. The file that asks for it is removed first, so that the process which takes over
 * gets past this place.
 */
export function faultPoint(name: PointName, folder = process.env.FAULTS): void {
  if (folder && wasAskedFor(join(folder, fileOf(name)))) process.kill(process.pid, 'SIGKILL')
}

const fileOf = (name: PointName): string => name.replace(/[:/]/g, '-')

/** Removing it is asking for it: of several processes at the same place one dies. */
function wasAskedFor(file: string): boolean {
  try {
    rmSync(file)
    return true
  } catch {
    return false
  }
}
