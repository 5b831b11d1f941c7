import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { type Hex, keccak256, toHex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { readSignerConfig, type SignerConfig } from '../../platform/config/config.ts'
import { connectDatabase } from '../../platform/db/database.ts'
import { startSigner as startSignerProcess } from '../../processes/signer.ts'
import { createNodesFile } from '../../testing/nodes-file.ts'
import { signInTurn } from '../../testing/operators.ts'
import { waitUntil } from '../../testing/pool.ts'
import { startUnreliableNode, type UnreliableNode } from '../../testing/unreliable-node.ts'
import { readSystemBalances } from '../ledger/index.ts'
import { proposePause, proposeResume } from '../operators/index.ts'
import { createPayerMetrics } from './metrics.ts'
import type { SigningInputs } from './preflight.ts'
import { readDueIds } from './queue.ts'
import { createReleaseSigner } from './release-signer.ts'
import { withSignerLock } from './signer-lock.ts'
import type { FindClockProblem, Judge } from './signing-context.ts'
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
const toClose: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of toClose.splice(0).toReversed()) await one.close()
  await pool.node.setAutomine(true)
})

const MIN_AMOUNT = 10_000_000n
const startSigner: PayingPool['startSigner'] = async (also) => {
  const signer = await pool.startSigner(also)
  toClose.push(signer)
  return signer
}

async function startNode(): Promise<UnreliableNode> {
  const node = await startUnreliableNode(pool.anvil.rpcUrl)
  toClose.push(node)
  return node
}

const claimCount =
  (count: number): UnreliableNode['changeAnswer'] =>
  ({ method }, answer) =>
    method === 'eth_getTransactionCount' ? { result: toHex(count) } : answer

const countReleases = async (): Promise<bigint> => {
  const { rows } = await sql<{ count: bigint }>`select count(*) as count from lode.release`.execute(pool.db)
  return rows[0]?.count ?? 0n
}

const countBurns = async (): Promise<bigint> => {
  const { rows } = await sql<{ count: bigint }>`
    select count(*) as count from lode.release where kind = 'burn'`.execute(pool.db)
  return rows[0]?.count ?? 0n
}

const countVersions = async (): Promise<bigint> => {
  const { rows } = await sql<{ count: bigint }>`select count(*) as count from lode.release_form`.execute(pool.db)
  return rows[0]?.count ?? 0n
}

const readMinedCount = () => pool.client.getTransactionCount({ address: pool.accountOf('payer').address })

describe('a node', { timeout: 60_000 }, () => {
  it('that accepts releases and does not relay them delays nobody while another node relays', async () => {
    const deaf = await startNonRelayingNode()
    await startSigner({ CHAIN_RPC_URL: `${deaf},${pool.anvil.rpcUrl}` })
    expect(await pool.waitUntilEnded(await pool.request(member, 'USDT', MIN_AMOUNT))).toMatchObject({ ended: 'final' })
  })

  it('that is behind or hangs delays nobody', async () => {
    const [behind, hanging] = [await startNode(), await startNode()]
    behind.changeAnswer = ({ method, params }, answer) =>
      method === 'eth_getTransactionCount' && params[1] === 'latest' ? { result: toHex(0) } : answer
    const signer = await startSigner({
      CHAIN_RPC_URL: [behind.rpcUrl, pool.anvil.rpcUrl, hanging.rpcUrl].join(','),
    })
    hanging.mode = 'hang'
    const id = await pool.request(member, 'USDT', MIN_AMOUNT)
    expect(await pool.waitUntilEnded(id)).toMatchObject({ ended: 'final' })
    expect(await pool.readiness(signer)).toBe('ready')
  })

  it('that is down is replaced through the file of nodes while the signer runs', async () => {
    const [down, fresh] = [await startNode(), await startNode()]
    const file = await createNodesFile(`one=${pool.anvil.rpcUrl}\ntwo=${down.rpcUrl}`)
    toClose.push(file)
    const signer = await startSigner(file.environment)
    down.mode = 'fail'
    const id = await pool.request(member, 'USDT', MIN_AMOUNT)
    await waitUntil(async () => expect(await pool.readiness(signer)).toContain('no second node answers'))
    await file.write(`one=${pool.anvil.rpcUrl}\nthree=${fresh.rpcUrl}`)
    expect(await pool.waitUntilEnded(id)).toMatchObject({ ended: 'final' })
    expect(await pool.readiness(signer)).toBe('ready')
  })

  it('that is the only one and relays nothing makes the signer report that no block takes the release', async () => {
    const signer = await startSigner({
      CHAIN_RPC_URL: await startNonRelayingNode(),
      SIGNER_STUCK_AFTER_MS: '200',
    })
    const id = await pool.request(member, 'USDT', MIN_AMOUNT)
    const { releaseNumber } = await pool.waitUntilSigned(id)
    await waitUntil(async () => expect(await pool.readiness(signer)).toBe(`no block takes release ${releaseNumber}`))
    const metrics = await (await fetch(new URL('/metrics', signer.url))).text()
    expect(metrics).toMatch(/lode_release_stuck\S* 1\n/)
    await signer.close()
    const next = await startSigner()
    expect(await pool.waitUntilEnded(id)).toMatchObject({ ended: 'final' })
    expect(await pool.readiness(next)).toBe('ready')
  })
})

describe('a database clock that jumps ahead of the chain', { timeout: 60_000 }, () => {
  const shiftDatabase = (hours: number) =>
    sql`update lode.clock set shift = shift + make_interval(hours => ${hours})`.execute(pool.db)

  it('pays nothing: no hold ends early. Payouts go on when both agree again', async () => {
    const id = await pool.request(member, 'USDT', MIN_AMOUNT)
    await shiftDatabase(24)
    const signer = await startSigner({ CLOCK_MAX_DIFFERENCE_SECONDS: '600' })
    await waitUntil(async () => expect((await pool.payout(id)).waitsFor).toBe('chain'))
    await waitUntil(async () =>
      expect(await pool.readiness(signer)).toMatch(
        /14\d\d minutes ahead.*: the database says 20\S+Z, the newest block/,
      ),
    )
    expect(await pool.payout(id)).toMatchObject({ ended: null, releaseNumber: null })
    await shiftDatabase(-24)
    expect(await pool.waitUntilEnded(id)).toMatchObject({ ended: 'final' })
    expect(await pool.readiness(signer)).toBe('ready')
  })

  it('signs nothing even if it jumps between the preflight and the signature', async () => {
    const id = await pool.request(member, 'USDT', MIN_AMOUNT)
    const judged: string[] = []
    const judge: Judge = async (_trx, payouts) => {
      judged.push(...payouts.map((payout) => payout.id))
      return new Map()
    }
    const connection = connectDatabase(pool.database.urlOf('lode_signer'), { name: 'clock test', max: 1 })
    const doubted = createTestSigner({ judge, findClockProblem: async () => 'the clock is wrong' })
    const inputs = { ...PREFLIGHT, unpaid: new Set([id]) }
    expect(await doubted.signPayouts(connection.db, inputs)).toEqual({ release: null, more: false })
    expect(await doubted.signBurn(connection.db, PREFLIGHT)).toBeNull()
    expect(judged).toEqual([])
    await createTestSigner({ judge }).signPayouts(connection.db, inputs)
    expect(judged).toEqual([id])
    await connection.close()
    await sql`update lode.payout set look_at = lode.now(), held_check = null where id = ${id}`.execute(pool.db)
    await startSigner()
    expect(await pool.waitUntilEnded(id)).toMatchObject({ ended: 'final' })
  })
})

/** Starts a node that accepts transactions and never passes them on. */
async function startNonRelayingNode(): Promise<string> {
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
  toClose.push({
    close: async () => {
      server.closeAllConnections()
      server.close()
    },
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('the payer’s transaction count', { timeout: 60_000 }, () => {
  it('is not accepted from one node if another does not answer', async () => {
    const [liar, down] = [await startNode(), await startNode()]
    const before = await countReleases()
    const signer = await startSigner({ CHAIN_RPC_URL: `${liar.rpcUrl},${down.rpcUrl}` })
    ;[down.mode, liar.changeAnswer] = ['fail', claimCount((await readMinedCount()) + 2)]
    const id = await pool.request(member, 'USDT', MIN_AMOUNT)
    await waitUntil(async () => expect((await pool.payout(id)).waitsFor).toBe('chain'))
    expect(await pool.readiness(signer)).not.toBe('ready')
    expect(await countReleases()).toBe(before)
    ;[down.mode, liar.changeAnswer] = ['work', (_request, answer) => answer]
    expect(await pool.waitUntilEnded(id)).toMatchObject({ ended: 'final' })
    expect(BigInt(await readMinedCount())).toBe(before + 1n)
  })

  it('stops signing, with what each node said, if one of two lies', async () => {
    const liar = await startNode()
    const signer = await startSigner({ CHAIN_RPC_URL: `${liar.rpcUrl},${pool.anvil.rpcUrl}` })
    liar.changeAnswer = claimCount(1_000_000_000)
    const before = await countReleases()
    const id = await pool.request(member, 'USDT', MIN_AMOUNT)
    await waitUntil(async () => expect(await pool.readiness(signer)).toMatch(/transactions of .*1000000000/))
    expect(await countReleases()).toBe(before)
    liar.changeAnswer = (_request, answer) => answer
    expect(await pool.waitUntilEnded(id)).toMatchObject({ ended: 'final' })
    expect(BigInt(await readMinedCount())).toBe(before + 1n)
  })

  it('stops signing, with a reason, if it is above what was signed here', async () => {
    const liar = await startNode()
    const before = await countReleases()
    const signer = await startSigner({ CHAIN_RPC_URL: liar.rpcUrl })
    const count = (await readMinedCount()) + 1
    liar.changeAnswer = claimCount(count)
    const id = await pool.request(member, 'USDT', MIN_AMOUNT)
    await waitUntil(async () =>
      expect(await pool.readiness(signer)).toContain(
        `has made ${count} transactions, of which the database knows ${count - 1}`,
      ),
    )
    expect(await countReleases()).toBe(before)
    liar.changeAnswer = (_request, answer) => answer
    expect(await pool.waitUntilEnded(id)).toMatchObject({ ended: 'final' })
  })
})

describe('a release that is in no block', { timeout: 60_000 }, () => {
  const withoutBlocks = async (): Promise<string> => {
    await pool.node.setAutomine(false)
    const id = await pool.request(member, 'USDT', MIN_AMOUNT)
    await waitUntil(async () =>
      expect(await pool.pendingTransactionsOf(pool.accountOf('payer').address)).toHaveLength(1),
    )
    return id
  }

  it('is reported, and its fee not raised, while the payer has no money for gas', async () => {
    const signer = await startSigner({ SIGNER_STUCK_AFTER_MS: '50' })
    const { address } = pool.accountOf('payer')
    const value = await pool.client.getBalance({ address })
    const id = await withoutBlocks()
    await pool.node.setBalance({ address, value: 1n })
    await waitUntil(async () => expect(await pool.readiness(signer)).toContain(`${address} has too little`))
    const before = await countVersions()
    await new Promise((later) => setTimeout(later, 300))
    expect(await countVersions()).toBe(before)
    await pool.node.setBalance({ address, value })
    await pool.node.setAutomine(true)
    await pool.mine(1)
    expect(await pool.waitUntilEnded(id)).toMatchObject({ ended: 'final' })
    await waitUntil(async () => expect(await pool.readiness(signer)).toBe('ready'))
  })

  it('is reported if a former payer signed it, while the new payer pays', async () => {
    const former = pool.accountOf('payer').address
    const signer = await startSigner()
    const waiting = await withoutBlocks()
    await signer.close()
    for (const hash of await pool.pendingTransactionsOf(former)) await pool.node.dropTransaction({ hash })
    const value = await pool.client.getBalance({ address: former })
    await pool.node.setBalance({ address: former, value: 1n })
    await pool.node.setAutomine(true)
    const key = generatePrivateKey()
    await pool.node.setBalance({ address: privateKeyToAddress(key), value: 10n ** 20n })
    await pool.grantPayer(privateKeyToAccount(key))
    const next = await startSigner({ PAYER_KEY: key, SIGNER_STUCK_AFTER_MS: '100' })
    const { releaseNumber } = await pool.payout(waiting)
    const words = `no block takes release ${releaseNumber} of the former payer ${former}`
    await waitUntil(async () => expect(await pool.readiness(next)).toBe(words))
    expect(await pool.waitUntilEnded(await pool.request(member, 'USDT', MIN_AMOUNT))).toMatchObject({ ended: 'final' })
    expect(await pool.readiness(next)).toBe(words)
    await pool.node.setBalance({ address: former, value })
    expect(await pool.waitUntilEnded(waiting)).toMatchObject({ ended: 'final' })
    await waitUntil(async () => expect(await pool.readiness(next)).toBe('ready'))
  })
})

describe('a burn', { timeout: 60_000 }, () => {
  it('is not signed while operators have paused payouts', async () => {
    const asked = { pool: pool.contracts.vault, chainId: pool.anvil.chainId }
    const { alice, bob, ceremony } = pool.operators
    const first = await startSigner()
    const id = await pool.request(member, 'BTN', 1_000n * 10n ** 18n)
    await pool.waitUntilSigned(id)
    await waitUntil(async () => expect(await pool.pendingTransactionsOf(pool.accountOf('payer').address)).toEqual([]))
    await first.close()
    expect(await pool.waitUntilEnded(id)).toMatchObject({ ended: 'final' })
    expect((await readSystemBalances(pool.db))('burn:due', 'BTN')).toBeGreaterThan(0n)
    await signInTurn(pool.db, asked, proposePause(new Date(Date.now() + 3_600_000), 'a drill'), [alice])
    const signer = await startSigner({ OPERATORS_CEREMONY: ceremony })
    await waitUntil(async () => expect(await pool.readiness(signer)).toBe('ready'))
    await new Promise((later) => setTimeout(later, 500))
    expect(await countBurns()).toBe(0n)
    await signInTurn(pool.db, asked, proposeResume('it was a drill'), [alice, bob])
    await waitUntil(async () => expect(await countBurns()).toBe(1n))
  })

  it('is not signed for an amount that an earlier burn has burned since the preflight', async () => {
    const due = async () => (await readSystemBalances(pool.db))('burn:due', 'BTN')
    await waitUntil(async () => {
      await pool.finalize()
      expect(await due()).toBe(0n)
    })
    await waitUntil(async () => {
      const { rows } = await sql`select from lode.release where ended_at is null`.execute(pool.db)
      expect(rows).toEqual([])
    })
    await sql`update lode.release set made_at = made_at - interval '25 hours' where kind = 'burn'`.execute(pool.db)
    const signer = connectDatabase(pool.database.urlOf('lode_signer'), { name: 'burn test', max: 1 })
    const before = await countReleases()
    expect(await createTestSigner({}).signBurn(signer.db, PREFLIGHT)).toBeNull()
    expect(await countReleases()).toBe(before)
    await signer.close()
  })

  it('is not signed if the watcher stopped or a pause began after the preflight', async () => {
    const signer = connectDatabase(pool.database.urlOf('lode_signer'), { name: 'burn test', max: 1 })
    const signBurn = (mayBurn: boolean) => createTestSigner({ mayBurn }).signBurn(signer.db, PREFLIGHT)
    const before = await countReleases()
    expect(await signBurn(false)).toBeNull()
    await sql`update lode.chain_state set stopped_reason = 'money left', stopped_at = lode.now()`.execute(pool.db)
    expect(await signBurn(true)).toBeNull()
    await sql`update lode.chain_state set stopped_reason = null, stopped_at = null`.execute(pool.db)
    expect(await countReleases()).toBe(before)
    await signer.close()
  })
})

const plenty = { USDT: 10n ** 12n, BTN: 100n, BTC: 100n }
const PREFLIGHT: SigningInputs = {
  nonce: 1_000_000n,
  fees: { maxFee: 1n, maxPriorityFee: 1n },
  burnDue: 100n,
  blocked: new Map(),
  missing: new Set(),
  unpaid: new Set(),
  maxPayouts: 100,
  room: { cap: plenty, wholeCap: plenty, float: plenty },
  vault: {
    paused: false,
    mayPay: true,
    balances: plenty,
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

type TestChecks = { mayBurn?: boolean; judge?: Judge; findClockProblem?: FindClockProblem }

function createTestSigner({
  mayBurn = true,
  judge = async () => new Map(),
  findClockProblem = async () => null,
}: TestChecks) {
  const { chain, payer } = configOf()
  const account = privateKeyToAccount(payer.key)
  const metrics = createPayerMetrics(new Registry())
  const log = pino({ level: 'silent' })
  return createReleaseSigner(
    { account, chain, payer, metrics, log },
    { judge, mayBurn: async () => mayBurn, findClockProblem },
  )
}

describe('the signer lock', { timeout: 60_000 }, () => {
  it('is on a connection that PostgreSQL closes within about a minute if the host disappears', async () => {
    const signer = connectDatabase(pool.database.urlOf('lode_signer'), { name: 'lock test', max: 1 })
    const settings = new Map<string, string>()
    await withSignerLock(signer.db, async (connection) => {
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
  it('causes a warning at the start if it is below a member’s quota', async () => {
    const lines: string[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) })
    toClose.push(await startSignerProcess(configOf({ SIGNER_DAY_CAP: 'USDT:1,BTN:1000000000,BTC:1000' }), log))
    const warned = lines.filter((line) => line.includes('SIGNER_DAY_CAP is below the quota'))
    expect(warned.map((line) => JSON.parse(line))).toMatchObject([{ asset: 'USDT', cap: '1000000' }])
  })
})

describe('due payouts', { timeout: 60_000 }, () => {
  const allGo: Judge = async (_trx, payouts) => new Map(payouts.map(({ id }) => [id, { kind: 'go' }]))
  const request = async (count: number): Promise<string[]> => {
    const ids: string[] = []
    for (let made = 0; made < count; made += 1) ids.push(await pool.request(member, 'USDT', MIN_AMOUNT))
    return ids
  }
  const signNext = async (judge: Judge, ready: SigningInputs) => {
    const signer = connectDatabase(pool.database.urlOf('lode_signer'), { name: 'due test', max: 1 })
    try {
      const unpaid = new Set(await readDueIds(pool.db, 500))
      return await createTestSigner({ judge }).signPayouts(signer.db, { ...ready, unpaid })
    } finally {
      await signer.close()
    }
  }

  it('include in every turn the old one that younger ones may no longer pass', async () => {
    const old = await pool.request(member, 'USDT', 2n * MIN_AMOUNT)
    const [young = ''] = await request(1)
    await sql`update lode.payout set requested_at = lode.now() - interval '7 hours' where id = ${old}`.execute(pool.db)
    const room = { ...PREFLIGHT.room, cap: { ...plenty, USDT: MIN_AMOUNT } }
    expect(await signNext(allGo, { ...PREFLIGHT, room })).toMatchObject({ release: null })
    const [first, second] = [await pool.payout(old), await pool.payout(young)]
    expect([first.waitsFor, second.waitsFor]).toEqual(['cap', 'cap'])
    expect(first.lookAt.getTime()).toBeLessThanOrEqual(Date.now())
    expect(second.lookAt.getTime()).toBeGreaterThan(Date.now())
    for (const id of [old, young]) expect(await pool.cancel(member, id)).toBe('ok')
  })

  it('are not signed if they became due after the vault was asked which it has paid', async () => {
    const [id = ''] = await request(1)
    const signer = connectDatabase(pool.database.urlOf('lode_signer'), { name: 'due test', max: 1 })
    const signed = await createTestSigner({ judge: allGo }).signPayouts(signer.db, PREFLIGHT)
    await signer.close()
    expect(signed).toEqual({ release: null, more: true })
    expect(await pool.cancel(member, id)).toBe('ok')
  })

  it('are not signed if the pool lacked money of their asset at the preflight, whatever was posted since', async () => {
    const [id = ''] = await request(1)
    expect(await signNext(allGo, { ...PREFLIGHT, missing: new Set(['USDT']) })).toMatchObject({ release: null })
    expect((await pool.payout(id)).waitsFor).toBe('missing')
    expect(await pool.cancel(member, id)).toBe('ok')
  })

  it('are found even if more held payouts than one release takes are before them', async () => {
    const ids = await request(120)
    const held = new Set(ids.slice(0, 110))
    const lookAt = new Date(Date.now() + 600_000)
    const judge: Judge = async (_trx, payouts) =>
      new Map(payouts.map(({ id }) => [id, held.has(id) ? { kind: 'wait', lookAt } : { kind: 'go' }]))
    const { release } = await signNext(judge, PREFLIGHT)
    expect(release).not.toBeNull()
    for (const id of ids.slice(110)) expect((await pool.payout(id)).releaseNumber).toBe(release)
  })
})
