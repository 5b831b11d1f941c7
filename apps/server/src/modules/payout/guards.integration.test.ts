import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { type Hex, keccak256, stringToHex, toHex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { readSignerConfig, type SignerConfig } from '../../platform/config/config.ts'
import { connectDatabase } from '../../platform/db/database.ts'
import { startSigner as startSignerProcess } from '../../processes/signer.ts'
import { startUnreliableNode, type UnreliableNode } from '../../testing/node.ts'
import { decideBy } from '../../testing/operators.ts'
import { soon } from '../../testing/pool.ts'
import { systemBalances } from '../ledger/index.ts'
import { pauseQuestion, resumeQuestion } from '../operators/index.ts'
import { alone } from './alone.ts'
import type { Ready } from './look.ts'
import { createPayerMetrics } from './metrics.ts'
import { createSigning } from './signing.ts'
import type { Judge } from './signing-context.ts'
import { type PayingMember, type PayingPool, startPayingPool } from './testing/paying-pool.ts'

let pool: PayingPool
let member: PayingMember
beforeAll(async () => {
  pool = await startPayingPool({ wallets: 1 })
  await pool.startWorker()
  const [wallet] = pool.wallets as [PrivateKeyAccount]
  member = await pool.addPayingMember(wallet, { USDT: 20_000_000_000n, BTN: 10n ** 24n })
}, 60_000)
afterAll(() => pool.close())
const begun: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of begun.splice(0).toReversed()) await one.close()
  await pool.node.setAutomine(true)
})

const LEAST = 10_000_000n
const startSigner: PayingPool['startSigner'] = async (also) => {
  const signer = await pool.startSigner(also)
  begun.push(signer)
  return signer
}

async function startNode(): Promise<UnreliableNode> {
  const node = await startUnreliableNode(pool.anvil.rpcUrl)
  begun.push(node)
  return node
}

const lying =
  (count: number): UnreliableNode['alter'] =>
  ({ method }, answer) =>
    method === 'eth_getTransactionCount' ? { result: toHex(count) } : answer

const releases = async (): Promise<bigint> => {
  const { rows } = await sql<{ count: bigint }>`select count(*) as count from lode.release`.execute(pool.db)
  return rows[0]?.count ?? 0n
}

const burns = async (): Promise<bigint> => {
  const { rows } = await sql<{ count: bigint }>`
    select count(*) as count from lode.release where kind = 'burn'`.execute(pool.db)
  return rows[0]?.count ?? 0n
}

const forms = async (): Promise<bigint> => {
  const { rows } = await sql<{ count: bigint }>`select count(*) as count from lode.release_form`.execute(pool.db)
  return rows[0]?.count ?? 0n
}

const takenOf = () => pool.client.getTransactionCount({ address: pool.key('payer').address })

describe('a node', { timeout: 60_000 }, () => {
  it('that takes releases and passes none on keeps nobody waiting while another does', async () => {
    const deaf = await startDeafNode()
    await startSigner({ CHAIN_RPC_URL: `${deaf},${pool.anvil.rpcUrl}` })
    expect(await pool.ended(await pool.request(member, 'USDT', LEAST))).toMatchObject({ ended: 'final' })
  })

  it('that is behind, or hangs, keeps nobody waiting either', async () => {
    const [behind, hanging] = [await startNode(), await startNode()]
    behind.alter = lying(0)
    const signer = await startSigner({
      CHAIN_RPC_URL: [behind.rpcUrl, pool.anvil.rpcUrl, hanging.rpcUrl].join(','),
    })
    hanging.mood = 'hang'
    const id = await pool.request(member, 'USDT', LEAST)
    expect(await pool.ended(id)).toMatchObject({ ended: 'final' })
    expect(await pool.readiness(signer)).toBe('ready')
  })

  it('that is alone and passes nothing on is told, from the second time on that a release waits', async () => {
    const signer = await startSigner({
      CHAIN_RPC_URL: await startDeafNode(),
      SIGNER_STUCK_AFTER_MS: '200',
    })
    const id = await pool.request(member, 'USDT', LEAST)
    const { releaseNumber } = await pool.signed(id)
    await soon(async () => expect(await pool.readiness(signer)).toBe(`no block takes release ${releaseNumber}`))
    const metrics = await (await fetch(new URL('/metrics', signer.url))).text()
    expect(metrics).toMatch(/lode_release_stuck\S* 1\n/)
    await signer.close()
    const next = await startSigner()
    expect(await pool.ended(id)).toMatchObject({ ended: 'final' })
    expect(await pool.readiness(next)).toBe('ready')
  })
})

/** Starts a node that accepts transactions and never passes them on. */
async function startDeafNode(): Promise<string> {
  const server = createServer(async (incoming, response) => {
    const body = await text(incoming)
    const { id, method, params } = JSON.parse(body) as { id: number; method: string; params: [Hex] }
    response.setHeader('content-type', 'application/json')
    if (method === 'eth_sendRawTransaction')
      return response.end(JSON.stringify({ jsonrpc: '2.0', id, result: keccak256(params[0]) }))
    const headers = { 'content-type': 'application/json' }
    response.end(await (await fetch(pool.anvil.rpcUrl, { method: 'POST', headers, body })).text())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  begun.push({
    close: async () => {
      server.closeAllConnections()
      server.close()
    },
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('how many transactions the payer has made', { timeout: 60_000 }, () => {
  it('is not believed of one node where another does not answer', async () => {
    const [liar, down] = [await startNode(), await startNode()]
    const before = await releases()
    const signer = await startSigner({ CHAIN_RPC_URL: `${liar.rpcUrl},${down.rpcUrl}` })
    ;[down.mood, liar.alter] = ['fail', lying((await takenOf()) + 2)]
    const id = await pool.request(member, 'USDT', LEAST)
    await soon(async () => expect((await pool.payout(id)).waitsFor).toBe('chain'))
    expect(await pool.readiness(signer)).not.toBe('ready')
    expect(await releases()).toBe(before)
    ;[down.mood, liar.alter] = ['work', (_request, answer) => answer]
    expect(await pool.ended(id)).toMatchObject({ ended: 'final' })
    expect(BigInt(await takenOf())).toBe(before + 1n)
  })

  it('is what the others say where one lies, and they pay', async () => {
    const liar = await startNode()
    await startSigner({ CHAIN_RPC_URL: `${liar.rpcUrl},${pool.anvil.rpcUrl}` })
    liar.alter = lying(1_000_000_000)
    const before = await releases()
    expect(await pool.ended(await pool.request(member, 'USDT', LEAST))).toMatchObject({ ended: 'final' })
    expect(BigInt(await takenOf())).toBe(before + 1n)
  })

  it('is refused in words where it is far more than were signed, whoever says so', async () => {
    const liar = await startNode()
    const before = await releases()
    const signer = await startSigner({ CHAIN_RPC_URL: liar.rpcUrl })
    liar.alter = lying(1_000_000_000)
    const id = await pool.request(member, 'USDT', LEAST)
    await soon(async () => expect(await pool.readiness(signer)).toContain('has made 1000000000 transactions, of which'))
    expect(await releases()).toBe(before)
    liar.alter = (_request, answer) => answer
    expect(await pool.ended(id)).toMatchObject({ ended: 'final' })
  })
})

describe('a release that waits', { timeout: 60_000 }, () => {
  const withoutBlocks = async (): Promise<string> => {
    await pool.node.setAutomine(false)
    const id = await pool.request(member, 'USDT', LEAST)
    await soon(async () => expect(await pool.waitingOf(pool.key('payer').address)).toHaveLength(1))
    return id
  }

  it('while the payer has no money for gas is told, and not made dearer', async () => {
    const signer = await startSigner({ SIGNER_STUCK_AFTER_MS: '50' })
    const { address } = pool.key('payer')
    const value = await pool.client.getBalance({ address })
    const id = await withoutBlocks()
    await pool.node.setBalance({ address, value: 1n })
    await soon(async () => expect(await pool.readiness(signer)).toContain(`${address} has too little`))
    const before = await forms()
    await new Promise((later) => setTimeout(later, 300))
    expect(await forms()).toBe(before)
    await pool.node.setBalance({ address, value })
    await pool.node.setAutomine(true)
    await pool.mine(1)
    expect(await pool.ended(id)).toMatchObject({ ended: 'final' })
    await soon(async () => expect(await pool.readiness(signer)).toBe('ready'))
  })

  it('and is of a former payer is told, while the new one pays', async () => {
    const former = pool.key('payer').address
    const signer = await startSigner()
    const waiting = await withoutBlocks()
    await signer.close()
    for (const hash of await pool.waitingOf(former)) await pool.node.dropTransaction({ hash })
    const value = await pool.client.getBalance({ address: former })
    await pool.node.setBalance({ address: former, value: 1n })
    await pool.node.setAutomine(true)
    const key = generatePrivateKey()
    await pool.node.setBalance({ address: privateKeyToAddress(key), value: 10n ** 20n })
    const role = keccak256(stringToHex('PAYER'))
    await pool.onVault('administrator', pool.vaultCall('grantRole', [role, privateKeyToAddress(key)]))
    const next = await startSigner({ PAYER_KEY: key, SIGNER_STUCK_AFTER_MS: '100' })
    const { releaseNumber } = await pool.payout(waiting)
    const words = `no block takes release ${releaseNumber} of ${former}, who paid before`
    await soon(async () => expect(await pool.readiness(next)).toBe(words))
    expect(await pool.ended(await pool.request(member, 'USDT', LEAST))).toMatchObject({ ended: 'final' })
    expect(await pool.readiness(next)).toBe(words)
    await pool.node.setBalance({ address: former, value })
    expect(await pool.ended(waiting)).toMatchObject({ ended: 'final' })
    await soon(async () => expect(await pool.readiness(next)).toBe('ready'))
  })
})

describe('a burn', { timeout: 60_000 }, () => {
  it('is not signed while the operators have paused', async () => {
    const asked = { pool: pool.contracts.vault, chainId: pool.anvil.chainId }
    const { alice, bob, ceremony } = pool.operators
    const first = await startSigner()
    const id = await pool.request(member, 'BTN', 1_000n * 10n ** 18n)
    await pool.signed(id)
    await soon(async () => expect(await pool.waitingOf(pool.key('payer').address)).toEqual([]))
    await first.close()
    expect(await pool.ended(id)).toMatchObject({ ended: 'final' })
    expect((await systemBalances(pool.db))('burn:due', 'BTN')).toBeGreaterThan(0n)
    await decideBy(pool.db, asked, pauseQuestion(new Date(Date.now() + 3_600_000), 'a drill'), [alice])
    const signer = await startSigner({ OPERATORS_CEREMONY: ceremony })
    await soon(async () => expect(await pool.readiness(signer)).toBe('ready'))
    await new Promise((later) => setTimeout(later, 500))
    expect(await burns()).toBe(0n)
    await decideBy(pool.db, asked, resumeQuestion('it was a drill'), [alice, bob])
    await soon(async () => expect(await burns()).toBe(1n))
  })

  it('is not signed for what another has burned that was open when the chain was looked at', async () => {
    const due = async () => (await systemBalances(pool.db))('burn:due', 'BTN')
    await soon(async () => {
      await pool.finalize()
      expect(await due()).toBe(0n)
    })
    await soon(async () => {
      const { rows } = await sql`select from lode.release where ended_at is null`.execute(pool.db)
      expect(rows).toEqual([])
    })
    await sql`update lode.release set made_at = made_at - interval '25 hours' where kind = 'burn'`.execute(pool.db)
    const signer = connectDatabase(pool.database.urlOf('lode_signer'), { name: 'burn test', max: 1 })
    const before = await releases()
    expect(await signing({}).signBurn(signer.db, LOOKED_AT)).toBeNull()
    expect(await releases()).toBe(before)
    await signer.close()
  })

  it('is not signed where the books were stopped after they were looked at, or the pause began then', async () => {
    const signer = connectDatabase(pool.database.urlOf('lode_signer'), { name: 'burn test', max: 1 })
    const signBurn = (mayBurn: boolean) => signing({ mayBurn }).signBurn(signer.db, LOOKED_AT)
    const before = await releases()
    expect(await signBurn(false)).toBeNull()
    await sql`update lode.chain_state set stopped_reason = 'money left', stopped_at = lode.now()`.execute(pool.db)
    expect(await signBurn(true)).toBeNull()
    await sql`update lode.chain_state set stopped_reason = null, stopped_at = null`.execute(pool.db)
    expect(await releases()).toBe(before)
    await signer.close()
  })
})

const plenty = { USDT: 10n ** 12n, BTN: 100n, BTC: 100n }
const LOOKED_AT: Ready = {
  nonce: 1_000_000n,
  fees: { maxFee: 1n, maxPriorityFee: 1n },
  burnDue: 100n,
  most: 100,
  room: { cap: plenty, wholeCap: plenty, float: plenty },
  vault: {
    paused: false,
    mayPay: true,
    held: plenty,
    payoutCap: plenty,
    payoutRoom: plenty,
    burnRoom: 100n,
    releaseGas: () => 1n,
  },
}

function configOf(also: Readonly<Record<string, string>> = {}): SignerConfig {
  const config = readSignerConfig({
    ...pool.environment,
    DATABASE_URL: pool.database.urlOf('lode_signer'),
    SIGNER_PORT: '0',
    PAYER_KEY: pool.keys.payer,
    ...also,
  })
  if (!config.ok) throw new Error(config.error.join('\n'))
  return config.value
}

function signing({ mayBurn = true, judge = async () => new Map() }: { mayBurn?: boolean; judge?: Judge }) {
  const { chain, payer } = configOf()
  const account = privateKeyToAccount(payer.key)
  const metrics = createPayerMetrics(new Registry())
  const log = pino({ level: 'silent' })
  return createSigning(
    { account, chain, payer, metrics, log },
    { judge, mayBurn: async () => mayBurn, isProven: async () => true },
  )
}

describe('the signer’s lock', { timeout: 60_000 }, () => {
  it('is on a connection that PostgreSQL gives up within a minute where the host has vanished', async () => {
    const signer = connectDatabase(pool.database.urlOf('lode_signer'), { name: 'lock test', max: 1 })
    const settings = new Map<string, string>()
    await alone(signer.db, async (connection) => {
      const { rows } = await sql<{ name: string; setting: string }>`
        select name, setting from pg_settings where name like 'tcp_%'`.execute(connection)
      for (const { name, setting } of rows) settings.set(name, setting)
    })
    await signer.close()
    expect(Object.fromEntries(settings)).toEqual({
      tcp_keepalives_idle: '30',
      tcp_keepalives_interval: '10',
      tcp_keepalives_count: '3',
      tcp_user_timeout: '60000',
    })
  })
})

describe('the signer’s own cap', { timeout: 60_000 }, () => {
  it('is warned of at the start where a member may ask for more', async () => {
    const lines: string[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) })
    begun.push(await startSignerProcess(configOf({ SIGNER_DAY_CAP: 'USDT:1,BTN:1000000000,BTC:1000' }), log))
    const warned = lines.filter((line) => line.includes('SIGNER_DAY_CAP is below the quota'))
    expect(warned.map((line) => JSON.parse(line))).toMatchObject([{ asset: 'USDT', cap: '1000000' }])
  })
})

describe('those that are due', { timeout: 60_000 }, () => {
  const allGo: Judge = async (_inside, payouts) => new Map(payouts.map(({ id }) => [id, { kind: 'go' }]))
  const request = async (count: number): Promise<string[]> => {
    const ids: string[] = []
    for (let made = 0; made < count; made += 1) ids.push(await pool.request(member, 'USDT', LEAST))
    return ids
  }
  const signNext = async (judge: Judge, ready: Ready) => {
    const signer = connectDatabase(pool.database.urlOf('lode_signer'), { name: 'due test', max: 1 })
    try {
      return await signing({ judge }).signNext(signer.db, ready)
    } finally {
      await signer.close()
    }
  }

  it('have one among them at every turn that the younger ones may not pass any more', async () => {
    const old = await pool.request(member, 'USDT', 2n * LEAST)
    const [young = ''] = await request(1)
    await sql`update lode.payout set requested_at = lode.now() - interval '7 hours' where id = ${old}`.execute(pool.db)
    const room = { ...LOOKED_AT.room, cap: { ...plenty, USDT: LEAST } }
    expect(await signNext(allGo, { ...LOOKED_AT, room })).toMatchObject({ release: null })
    const [first, second] = [await pool.payout(old), await pool.payout(young)]
    expect([first.waitsFor, second.waitsFor]).toEqual(['cap', 'cap'])
    expect(first.lookAt.getTime()).toBeLessThanOrEqual(Date.now())
    expect(second.lookAt.getTime()).toBeGreaterThan(Date.now())
    for (const id of [old, young]) expect(await pool.cancel(member, id)).toBe('ok')
  })

  it('are found though more than a release carries are held before them', async () => {
    const ids = await request(120)
    const held = new Set(ids.slice(0, 110))
    const lookAt = new Date(Date.now() + 600_000)
    const judge: Judge = async (_inside, payouts) =>
      new Map(payouts.map(({ id }) => [id, held.has(id) ? { kind: 'wait', lookAt } : { kind: 'go' }]))
    const { release } = await signNext(judge, LOOKED_AT)
    expect(release).not.toBeNull()
    for (const id of ids.slice(110)) expect((await pool.payout(id)).releaseNumber).toBe(release)
  })
})
