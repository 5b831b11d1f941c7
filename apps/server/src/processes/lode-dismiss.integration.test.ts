import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { poolVaultAbi } from '@lode/contracts'
import { announcedCalls } from '@lode/contracts/dev/announced-calls'
import { type Address, encodeFunctionData, type Hex, keccak256 } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readPublicAnnouncements } from '../modules/vault/index.ts'
import { readOperatorConfig } from '../platform/config/config.ts'
import type { PoolContracts } from '../platform/config/pool-contracts.ts'
import { deployNextVault, moveCalls } from '../testing/next-vault.ts'
import { startTestPool, type TestPool } from '../testing/pool.ts'
import { runLode } from '../testing/run-lode.ts'

/** A pool that has moved to another vault. The tests run in this order. */
let pool: TestPool
let contracts: PoolContracts
let former: Address
let present: Address
let calls: ReturnType<typeof announcedCalls>
let environment: TestPool['environment']
let files = 0

beforeAll(async () => {
  pool = await startTestPool({ wallets: 1, slotsInAnEpoch: 1 })
  former = pool.contracts.vault
  present = (await deployNextVault(pool)).address
  // Nothing can be announced in the present vault before the former one has moved.
  const [moveUsdt] = moveCalls(pool, present) as [Hex]
  await pool.callAfterNotice(moveUsdt)
  environment = { ...pool.environment, VAULT_ADDRESS: present, FORMER_VAULTS: former } as typeof environment
  const config = readOperatorConfig({ ...environment, DATABASE_URL: pool.database.urlOf('lode_operator') })
  if (!config.ok) throw new Error(config.error.join('\n'))
  contracts = config.value.contracts
  calls = announcedCalls(pool.contracts)
  await pool.startWorker(environment)
}, 120_000)
afterAll(() => pool.close())
beforeEach(async () => {
  // In the second in which all announcements were withdrawn, a new one would be withdrawn too.
  await pool.node.increaseTime({ seconds: 10 })
})

const announce = (vault: Address, call: Hex): Promise<Hex> => {
  const data = encodeFunctionData({ abi: poolVaultAbi, functionName: 'announce', args: [call] })
  return pool.mined(pool.send(pool.accountOf('administrator'), vault, data))
}
const readOpen = async (): Promise<string[]> =>
  (await readPublicAnnouncements(pool.db, contracts)).open.map(({ kind, vault }) => `${kind} ${vault}`)

type SafeCall = { readonly to: Address; readonly data: Hex }

/** Returns what the command prints, and the transactions in the file for the Safe wallet. */
async function dismiss(what: string): Promise<{ output: string; transactions: readonly SafeCall[] }> {
  files += 1
  const file = join(pool.folder, `dismiss-${files}.json`)
  const output = await runLode({ ...pool, environment }, 'vault', 'dismiss', what, '--file', file)
  return { output, ...(JSON.parse(readFileSync(file, 'utf8')) as { transactions: SafeCall[] }) }
}

async function sendAll(transactions: readonly SafeCall[]): Promise<void> {
  for (const { to, data } of transactions) await pool.mined(pool.send(pool.accountOf('guardian'), to, data))
  await pool.finalize()
}

/** The vault and the kinds that each printed call is said to withdraw. */
const readPrinted = (output: string): string[][] =>
  output
    .split(/^(?=.*withdraws:$)/m)
    .map((part) => [
      /^To: {4}(0x\w+)$/m.exec(part)?.[1] ?? '',
      ...Array.from(part.matchAll(/^ {4}(\w+): it /gm), ([, kind]) => kind ?? ''),
    ])

describe('lode vault dismiss, in a pool with a former vault', { timeout: 60_000 }, () => {
  it('--all prepares a call for each vault, and after all of them nothing is open', async () => {
    await announce(present, calls.moveToCold)
    await announce(present, calls.grantPayer)
    await announce(former, calls.moveTo)
    await pool.finalize()
    expect(await readOpen()).toHaveLength(3)
    const { output, transactions } = await dismiss('--all')
    expect(readPrinted(output)).toEqual([
      [present, 'moveToCold', 'grantPayer'],
      [former, 'moveTo'],
    ])
    expect(transactions.map(({ to }) => to)).toEqual([present, former])
    await sendAll(transactions)
    expect(await readOpen()).toEqual([])
  })

  it('with a hash prepares a call for each vault in which it is open', async () => {
    await announce(present, calls.moveToCold)
    await announce(former, calls.moveToCold)
    await announce(former, calls.setBurnCap)
    await pool.finalize()
    const { output, transactions } = await dismiss(keccak256(calls.moveToCold))
    expect(readPrinted(output)).toEqual([
      [present, 'moveToCold'],
      [former, 'moveToCold'],
    ])
    await sendAll(transactions)
    expect(await readOpen()).toEqual([`setBurnCap ${former}`])
  })

  it('--all also withdraws what the present vault has in a block that is not final', async () => {
    await announce(present, calls.rescue)
    const { output, transactions } = await dismiss('--all')
    expect(output).toContain('No final block has an open announcement')
    await sendAll(transactions)
    expect(await readOpen()).toEqual([])
  })

  it('--key sends the call of a guardian, and of nobody else', async () => {
    await announce(present, calls.setPayoutGas)
    await pool.finalize()
    const key = (name: 'guardian' | 'funder'): string => {
      const file = join(pool.folder, name)
      writeFileSync(file, pool.keys[name])
      return file
    }
    const send = (name: 'guardian' | 'funder') => {
      const words = ['vault', 'dismiss', '--all', '--key', key(name), '--chain', pool.anvil.rpcUrl, '--yes']
      return runLode({ ...pool, environment }, ...words)
    }
    await expect(send('funder')).rejects.toThrow('is no guardian of the vault')
    const mining = setInterval(() => void pool.mine(1), 200)
    try {
      expect(await send('guardian')).toMatch(/Done: {2}withdrawAllAnnouncements\(\) in block \d+, transaction 0x/)
    } finally {
      clearInterval(mining)
    }
    await pool.finalize()
    expect(await readOpen()).toEqual([])
  })

  it('names the former vault in the list of announcements', async () => {
    await announce(former, calls.moveTo)
    await announce(present, calls.setPayoutGas)
    await pool.finalize()
    const output = await runLode({ ...pool, environment }, 'vault', 'announcements')
    expect(output.match(/^ {4}In the former vault .*$/gm)).toEqual([`    In the former vault ${former}`])
  })
})
