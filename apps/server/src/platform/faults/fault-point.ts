import { readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

type PointName = `${'api' | 'worker' | 'signer'}:${string}`

/**
 * A named point at which a test can kill the process (SIGKILL) or stop it for a while (SIGSTOP). To do so, the test
 * writes a request file into the folder that FAULTS names. Without FAULTS the function does nothing, and a production
 * process refuses FAULTS. The request file is removed before the signal, so that the restarted process gets past this
 * point.
 */
export function faultPoint(name: PointName, folder = process.env.FAULTS): void {
  if (!folder) return
  const file = join(folder, fileOf(name))
  const request = takeRequest(file)
  if (request === 'die') process.kill(process.pid, 'SIGKILL')
  // The test waits for the renamed file, and later resumes the process with SIGCONT.
  if (request === 'stop') process.kill(process.pid, 'SIGSTOP')
}

const fileOf = (name: PointName): string => name.replace(/[:/]/g, '-')

/** Deletes or renames the request file, so that only one of several processes at the same point reacts. */
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
