import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startAnvil } from '@lode/scripts/anvil'
import { createPublicClient, http } from 'viem'
import { expect, it } from 'vitest'

const STARTS = 5

it('a chain with a state file has the same genesis block after every start', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lode-chain-'))
  try {
    const beginnings = new Set<string>()
    for (let start = 0; start < STARTS; start += 1) {
      const node = await startAnvil({ stateFile: join(folder, 'chain.json'), blockTimeSeconds: 1 })
      const { hash } = await createPublicClient({ transport: http(node.rpcUrl) }).getBlock({ blockNumber: 0n })
      // Two genesis blocks of the same second would have the same hash.
      await sleep(1_100)
      await node.stop('SIGINT')
      beginnings.add(hash)
    }
    expect(beginnings.size).toBe(1)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
