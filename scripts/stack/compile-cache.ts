import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultServerFolder } from './server.ts'

/**
 * Shares compiled sources among all processes of a run, which makes each start a third faster. Node writes its compile
 * cache only when a process exits by itself, and ours are killed. So each process is started once without a
 * configuration and exits right after loading.
 */
export async function shareCompiledSources(serverFolder = defaultServerFolder): Promise<() => Promise<void>> {
  const before = process.env.NODE_COMPILE_CACHE
  const folder = await mkdtemp(join(tmpdir(), 'lode-compiled-'))
  process.env.NODE_COMPILE_CACHE = folder
  const env = { PATH: process.env.PATH, NODE_COMPILE_CACHE: folder }
  const load = (name: string) =>
    new Promise<void>((resolve) => {
      execFile(process.execPath, [join(serverFolder, 'src/processes', `${name}.ts`)], { env }, () => resolve())
    })
  await Promise.all(['api', 'worker', 'signer', 'lode'].map(load))
  return () => {
    if (before === undefined) delete process.env.NODE_COMPILE_CACHE
    else process.env.NODE_COMPILE_CACHE = before
    return rm(folder, { recursive: true, force: true })
  }
}
