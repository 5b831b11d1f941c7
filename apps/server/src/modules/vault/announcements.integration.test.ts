import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { poolVaultAbi } from '@lode/contracts'
import { announcedCalls, exampleAddress } from '@lode/contracts/dev/announced-calls'
import { announcementKinds } from '@lode/wire'
import { sql } from 'kysely'
import { pino } from 'pino'
import { type Address, encodeFunctionData, type Hex, keccak256, numberToHex, stringToHex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bytesOf } from '../../platform/chain/hex-column.ts'
import { readWorkerConfig, type WorkerConfig } from '../../platform/config/config.ts'
import { type RunningWorker, startWorker } from '../../processes/worker.ts'
import { setPostedBack } from '../../testing/chain-stop.ts'
import { deployNextVault } from '../../testing/next-vault.ts'
import { startTestPool, type TestPool, waitUntil } from '../../testing/pool.ts'
import { runLode as runLodeOf } from '../../testing/run-lode.ts'
import { startUnreliableNode } from '../../testing/unreliable-node.ts'
import { readPublicAnnouncements } from './index.ts'

/** One pool for all tests, which run in this order. */
let pool: TestPool
let config: WorkerConfig
let worker: RunningWorker
let calls: ReturnType<typeof announcedCalls>
const logLines: string[] = []
const log = pino({ level: 'warn' }, { write: (line: string) => void logLines.push(line) })

beforeAll(async () => {
  pool = await startTestPool({ wallets: 1, slotsInAnEpoch: 1 })
  const read = readWorkerConfig({
    ...pool.environment,
    DATABASE_URL: pool.database.urlOf('lode_worker'),
    WORKER_PORT: '0',
    CHAIN_POLL_MS: '25',
    LOG_LEVEL: 'warn',
  })
  if (!read.ok) throw new Error(read.error.join('\n'))
  config = read.value
  worker = await startWorker(config, log)
  calls = announcedCalls(pool.contracts)
}, 120_000)
afterAll(async () => {
  await worker.close()
  await pool.close()
})

const callVault = (from: PrivateKeyAccount, data: Hex): Promise<Hex> =>
  pool.mined(pool.send(from, pool.contracts.vault, data))
const announce = (call: Hex): Promise<Hex> =>
  callVault(
    pool.accountOf('administrator'),
    encodeFunctionData({ abi: poolVaultAbi, functionName: 'announce', args: [call] }),
  )
const announcements = () => readPublicAnnouncements(pool.db, config.chain.contracts)

/** How many announcements of each kind are open, as the worker's metric tells. */
async function readMetric(): Promise<Record<string, number>> {
  const text = await (await fetch(`${worker.url}/metrics`)).text()
  const lines = text.matchAll(/^lode_vault_announcements_open\{.*kind="(\w+)".*\} (\d+)$/gm)
  return Object.fromEntries(Array.from(lines, ([, kind, count]) => [kind, Number(count)]))
}

const runLode = (...words: string[]): Promise<string> => runLodeOf(pool, 'vault', ...words)

const alarms = (): Record<string, unknown>[] =>
  logLines.filter((line) => line.includes('ALARM: the vault')).map((line) => JSON.parse(line))

describe('lode vault verify', () => {
  it('compares the vault with the terms that it was deployed by', async () => {
    const { usdt, btc, vault } = pool.contracts
    const names = Object.keys(pool.keys) as (keyof typeof pool.keys)[]
    const roles = Object.fromEntries(names.map((name) => [name, pool.accountOf(name).address]))
    const terms = {
      usdt,
      btc,
      roles,
      caps: { usdt: '500000', btn: '50000000', btc: '20', burn: '5000000' },
      btnHolder: vault,
    }
    const file = join(pool.folder, 'terms.json')
    writeFileSync(file, JSON.stringify(terms))
    expect(await runLode('verify', pool.anvil.rpcUrl, file)).toBe('The vault is as its terms say.\n')
    // Providers refuse to search many blocks at once.
    await pool.mine(20)
    const provider = await startUnreliableNode(pool.anvil.rpcUrl)
    provider.changeAnswer = ({ method, params }, answer) => {
      if (method !== 'eth_getLogs') return answer
      const [{ fromBlock, toBlock }] = params as [{ fromBlock: Hex; toBlock?: Hex }]
      const blocks = toBlock?.startsWith('0x') ? Number(toBlock) - Number(fromBlock) + 1 : Number.POSITIVE_INFINITY
      return blocks <= 5 ? answer : { error: { code: -32_005, message: 'query exceeds max block range 5' } }
    }
    expect(await runLode('verify', provider.rpcUrl, file)).toBe('The vault is as its terms say.\n')
    const otherPayer = { ...terms, roles: { ...roles, payer: exampleAddress } }
    writeFileSync(file, JSON.stringify(otherPayer))
    await expect(runLode('verify', provider.rpcUrl, file)).rejects.toThrow(`${roles.payer} is a payer`)
    await provider.close()
    writeFileSync(file, JSON.stringify({ ...terms, roles: { ...roles, coldStorage: exampleAddress } }))
    await expect(runLode('verify', pool.anvil.rpcUrl, file)).rejects.toThrow(
      `the cold address is ${roles.coldStorage}, not ${exampleAddress}`,
    )
    writeFileSync(file, 'no terms')
    await expect(runLode('verify', pool.anvil.rpcUrl, file)).rejects.toThrow('Nothing was compared')
  })

  it('compares the next vault before the pool moves there', async () => {
    const { address, since, terms } = await deployNextVault(pool)
    const file = join(pool.folder, 'next-terms.json')
    writeFileSync(file, JSON.stringify(terms))
    const next = ['--vault', address, '--since', String(since)]
    expect(await runLode('verify', pool.anvil.rpcUrl, file, ...next)).toBe('The vault is as its terms say.\n')
    await expect(runLode('verify', pool.anvil.rpcUrl, file)).rejects.toThrow('the code is not the one')
    await expect(runLode('verify', pool.anvil.rpcUrl, file, '--vault', address)).rejects.toThrow('both --vault')
  })
})

describe('announcements of the vault’s administrator', { timeout: 120_000 }, () => {
  it('are listed once they are final: each kind, with its arguments and the time from which it can happen', async () => {
    const [firstKind, ...otherKinds] = announcementKinds
    await announce(calls[firstKind])
    // Each announcement makes a block, and two blocks later it is final. So the others come after this check.
    await pool.settled()
    expect((await announcements()).openCount).toBe(0)
    for (const kind of otherKinds) await announce(calls[kind])
    await pool.finalize()
    const { open, openCount, ended } = await announcements()
    expect(open.map(({ kind }) => kind)).toEqual([...announcementKinds])
    expect([openCount, ended]).toEqual([announcementKinds.length, []])
    const [first] = open
    const receipt = await pool.client.getTransactionReceipt({ hash: first?.tx as Hex })
    const { timestamp } = await pool.client.getBlock({ blockNumber: receipt.blockNumber })
    expect(first).toMatchObject({
      callHash: keccak256(calls.setColdStorage),
      arguments: [{ name: 'coldStorage', value: exampleAddress }],
      announcedAt: new Date(Number(timestamp) * 1_000).toISOString(),
      notBefore: new Date((Number(timestamp) + 2 * 86_400) * 1_000).toISOString(),
      notAfter: new Date((Number(timestamp) + 9 * 86_400) * 1_000).toISOString(),
      state: 'open',
      endedAt: null,
    })
  })

  it('raise one alarm each, which names the kind, its meaning and the hash', async () => {
    const oneOfEach = Object.fromEntries(announcementKinds.map((kind) => [kind, 1]))
    await waitUntil(async () => expect(await readMetric()).toEqual(oneOfEach))
    const kinds = alarms().map(({ kind }) => String(kind))
    expect(kinds.toSorted()).toEqual([...announcementKinds].toSorted())
    expect(alarms().find(({ kind }) => kind === 'setColdStorage')).toMatchObject({
      kind: 'setColdStorage',
      meaning: 'changes the address to which the administrator can move money out of the vault',
      arguments: { coldStorage: exampleAddress },
      vault: pool.contracts.vault,
      callHash: keccak256(calls.setColdStorage),
    })
  })

  it('are listed by lode vault announcements', async () => {
    const output = await runLode('announcements')
    for (const kind of announcementKinds) {
      expect(output).toContain(`${keccak256(calls[kind])}  open`)
      expect(output).toContain(`    ${kind}: it `)
    }
    expect(output).toContain('    amount: 1234.5 USDT')
    expect(JSON.parse(await runLode('announcements', '--json'))).toEqual(await announcements())
  })

  it('are withdrawn by the call that lode vault dismiss prepares for a guardian', async () => {
    const hash = keccak256(calls.grantAdministrator)
    const file = join(pool.folder, 'dismiss.json')
    const output = await runLode('dismiss', hash, '--file', file)
    expect(output).toContain('grantAdministrator: it hands the administration')
    expect(output).not.toContain('setColdStorage')
    const batch = JSON.parse(readFileSync(file, 'utf8')) as {
      chainId: string
      transactions: { to: Address; value: string; data: Hex }[]
    }
    const [call] = batch.transactions
    expect([batch.chainId, call?.to, call?.value]).toEqual([String(pool.anvil.chainId), pool.contracts.vault, '0'])
    expect(output).toContain(`To:    ${call?.to}`)
    expect(output).toContain(`Data:  ${call?.data}`)
    await expect(runLode('dismiss', '--all', '--file', file)).rejects.toThrow('exists already')

    await callVault(pool.accountOf('guardian'), call?.data ?? '0x')
    await pool.finalize()
    const { ended, openCount } = await announcements()
    expect(ended).toMatchObject([{ kind: 'grantAdministrator', state: 'withdrawn' }])
    expect(openCount).toBe(announcementKinds.length - 1)
  })

  it('end when they are carried out, and the other administrative events are stored too', async () => {
    await pool.node.increaseTime({ seconds: 2 * 86_400 + 1 })
    await callVault(pool.accountOf('administrator'), calls.setPayoutGas)
    await callVault(pool.accountOf('guardian'), encodeFunctionData({ abi: poolVaultAbi, functionName: 'pause' }))
    await callVault(
      pool.accountOf('secondGuardian'),
      encodeFunctionData({ abi: poolVaultAbi, functionName: 'unpause' }),
    )
    const lowered = { abi: poolVaultAbi, functionName: 'setBurnCap', args: [1n] } as const
    await callVault(pool.accountOf('administrator'), encodeFunctionData(lowered))
    const accepted = { abi: poolVaultAbi, functionName: 'acceptRole', args: [keccak256(stringToHex('PAYER'))] } as const
    await callVault(pool.accountOf('funder'), encodeFunctionData(accepted))
    await pool.finalize()
    expect((await announcements()).ended[0]).toMatchObject({ kind: 'setPayoutGas', state: 'done' })
    expect(await runLode('announcements', '--all')).toContain(`${keccak256(calls.setPayoutGas)}  done on `)
    const { rows } = await sql<{ name: string }>`
      select distinct name from lode.vault_event order by name`.execute(pool.db)
    expect(rows.map(({ name }) => name)).toEqual([
      'Announced',
      'AnnouncementUsed',
      'AnnouncementWithdrawn',
      'BurnCapChanged',
      'ColdStorageChanged',
      'Paused',
      'PayoutCapChanged',
      'PayoutGasChanged',
      'QuoteSignerChanged',
      'RoleAccepted',
      'RoleGranted',
      'Unpaused',
    ])
    const metrics = await (await fetch(`${worker.url}/metrics`)).text()
    expect(metrics).toMatch(/lode_vault_events_total\{.*event="Paused".*\} 1/)
  })

  it('are stored once if blocks are read again, also those that an earlier release did not store', async () => {
    const count = async () =>
      (await sql<{ count: bigint }>`select count(*) from lode.vault_event`.execute(pool.db)).rows[0]?.count
    const [events, before] = [await count(), await announcements()]
    await setPostedBack(pool.db, pool.contracts.firstBlock)
    await pool.settled()
    expect([await count(), await announcements()]).toEqual([events, before])
    // A release that stored no administrative events yet has posted these blocks.
    await sql`delete from lode.vault_event`.execute(pool.db)
    expect(await announcements()).toMatchObject({ open: [], ended: [] })
    await setPostedBack(pool.db, pool.contracts.firstBlock - 1n)
    await pool.settled()
    expect([await count(), await announcements()]).toEqual([events, before])
  })

  it('are as the chain has them after a rewind, whatever was stored before', async () => {
    const before = await announcements()
    const isOpen = ({ open }: typeof before, hash: Hex) => open.some(({ callHash }) => callHash === hash)
    const hash = keccak256(calls.setColdStorage)
    expect(isOpen(before, hash)).toBe(true)
    const [first, posted] = [pool.contracts.firstBlock, await pool.settled()]
    // A thief of the worker's password could write this: in a block of the pool, before its first one, and in the future.
    await sql`
      insert into lode.vault_event (tx, log_index, block_number, block_time, vault, name, call_hash, arguments)
      select sha256('false'), number, block, lode.now() + interval '5 days', vault,
             case number when 1 then 'AnnouncementWithdrawn' else 'AllAnnouncementsWithdrawn' end,
             case number when 1 then ${bytesOf(hash)}::bytea end, '{}'
      from lode.chain_state, unnest(array[${posted}, 0, ${posted + 9n}]::bigint[]) with ordinality as at (block, number)
    `.execute(pool.db)
    await sql`update lode.vault_event set block_time = to_timestamp(0), arguments = '{}' where name = 'Announced'`.execute(
      pool.db,
    )
    expect(isOpen(await announcements(), hash)).toBe(false)
    await setPostedBack(pool.db, first - 1n)
    await pool.settled()
    expect(await announcements()).toEqual(before)
  })

  it('are all withdrawn by one call; a worker that starts later reports only what is open', async () => {
    const output = await runLode('dismiss', '--all')
    await callVault(pool.accountOf('secondGuardian'), (/^Data: {2}(0x\w+)$/m.exec(output)?.[1] ?? '0x') as Hex)
    // In the same second an announcement would be withdrawn too.
    await pool.node.increaseTime({ seconds: 10 })
    await announce(calls.moveTo)
    await pool.finalize()
    const { open, ended } = await announcements()
    expect(open).toMatchObject([{ kind: 'moveTo', state: 'open' }])
    expect(ended).toHaveLength(announcementKinds.length)
    await worker.close()
    logLines.length = 0
    worker = await startWorker(config, log)
    await waitUntil(async () => expect(await readMetric()).toEqual({ moveTo: 1 }))
    expect(alarms()).toMatchObject([{ kind: 'moveTo' }])
  })
})

/** Stores announcements as if they were in the posted block, in this order. */
const storeAnnounced = (announced: readonly { call: Hex; callHash: Hex }[]) =>
  sql`
    insert into lode.vault_event (tx, log_index, block_number, block_time, vault, name, call_hash, arguments)
    select decode(repeat('fa', 32), 'hex'), number, posted_number, posted_time, vault, 'Announced',
           decode(substring(call_hash for 64 from 3), 'hex'),
           jsonb_build_object('callHash', call_hash, 'call', call,
                              'notBefore', (extract(epoch from posted_time)::bigint + 2 * 86400)::text,
                              'notAfter', (extract(epoch from posted_time)::bigint + 9 * 86400)::text)
    from lode.chain_state,
      unnest(${announced.map(({ call }) => call)}::text[], ${announced.map(({ callHash }) => callHash)}::text[])
        with ordinality as given (call, call_hash, number)`.execute(pool.db)
const withHash = (call: Hex) => ({ call, callHash: keccak256(call) })

describe('an announcement before thousands that have no effect, in the same block', { timeout: 120_000 }, () => {
  const junk = 2_500
  beforeAll(async () => {
    logLines.length = 0
    const empty = Array.from({ length: junk }, () => withHash('0x'))
    const unknown = Array.from({ length: junk }, (_, number) => withHash(numberToHex(number, { size: 32 })))
    await storeAnnounced([withHash(calls.moveToCold), ...empty, ...unknown])
  })

  it('is at the top of the public list, and the others are counted', async () => {
    const { open, openCount } = await announcements()
    expect(open.slice(0, 3).map(({ kind }) => kind)).toEqual(['moveTo', 'moveToCold', 'other'])
    expect([open.length, openCount]).toEqual([102, junk + 3])
  })

  it('raises an alarm, and the metric counts all', async () => {
    await waitUntil(async () => expect(await readMetric()).toEqual({ moveTo: 1, moveToCold: 1, other: junk + 1 }))
    expect(alarms().filter(({ kind }) => kind !== 'other')).toMatchObject([{ kind: 'moveToCold' }])
    expect(alarms().length).toBeLessThanOrEqual(101)
  })

  it('is listed by lode vault announcements', async () => {
    const output = await runLode('announcements')
    expect(output).toContain(`${keccak256(calls.moveToCold)}  open`)
    expect(output).toContain(`${junk - 99} more are open that have no effect.`)
  })
})
