import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A file for CHAIN_RPC_FILE, and the environment of a process that reads its nodes from it. */
export async function createNodesFile(text: string) {
  const folder = await mkdtemp(join(tmpdir(), 'lode-nodes-'))
  const path = join(folder, 'nodes')
  await writeFile(path, text)
  return {
    environment: { CHAIN_RPC_URL: '', CHAIN_RPC_FILE: path },
    write: (newText: string): Promise<void> => writeFile(path, newText),
    close: (): Promise<void> => rm(folder, { recursive: true }),
  }
}
