import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { units } from '@lode/kernel'
import { sql } from 'kysely'
import { type Hex, toHex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bytesOf } from '../../../platform/chain/hex-column.ts'
import { createNode } from '../../../platform/chain/node.ts'
import { readOperatorConfig } from '../../../platform/config/config.ts'
import { nodeAt } from '../../../platform/config/node-address.ts'
import { connectDatabase, type DatabaseConnection } from '../../../platform/db/database.ts'
import { countReversible } from '../../../testing/reversible-postings.ts'
import { startUnreliableNode, type UnreliableNode } from '../../../testing/unreliable-node.ts'
import { post, type Transaction } from '../../ledger/index.ts'
import { type PayingMember, type PayingPool, startPayingPool } from '../testing/paying-pool.ts'
import { encodeRelease } from '../vault.ts'
import { auditChain } from './audit-chain.ts'

let pool: PayingPool
let member: PayingMember
let worker: DatabaseConnection
let node: UnreliableNode
let paid: string
const txid: Hex = `0x${'ab'.repeat(32)}`

/** Each kind of log occurs: deposits of members and strangers, funding, cold storage, a payout. Then nothing runs. */
beforeAll(async () => {
  pool = await startPayingPool({ wallets: 2 })
  node = await startUnreliableNode(pool.anvil.rpcUrl)
  worker = connectDatabase(pool.database.urlOf('lode_worker'), { name: 'stolen' })
  const [wallet, stranger] = pool.wallets as [PrivateKeyAccount, PrivateKeyAccount]
  const running = await pool.startWorker()
  member = await pool.addPayingMember(wallet, { USDT: 1_000_000_000n, BTN: 10n ** 21n })
  await pool.transfer(stranger, 'USDT', 7_000_000n)
  const funder = pool.accountOf('funder')
  await pool.approve(funder, 'BTC', 500n)
  const day = Number((await pool.client.getBlock()).timestamp / 86_400n)
  const fund = pool.vaultCall('fundDividend', [day, 500n, { txid, index: 3 }])
  await pool.mined(pool.send(funder, pool.contracts.vault, fund))
  const signer = await pool.startSigner()
  paid = await pool.request(member, 'USDT', 10_000_000n)
  expect(await pool.waitUntilEnded(paid)).toMatchObject({ ended: 'final' })
  await signer.close()
  const cold = pool.accountOf('coldStorage').address
  await pool.callAfterNotice(pool.vaultCall('moveToCold', [pool.contracts.usdt, 610n, cold]))
  await pool.node.setBalance({ address: cold, value: 10n ** 18n })
  await pool.transfer(pool.accountOf('coldStorage'), 'USDT', 10n)
  await pool.finalize()
  await running.close()
}, 120_000)
afterAll(async () => {
  await worker.close()
  await node.close()
  await pool.close()
})

function readConfig() {
  const config = readOperatorConfig({ ...pool.environment, DATABASE_URL: pool.database.ownerUrl })
  if (!config.ok) throw new Error(config.error.join('\n'))
  return config.value
}

async function auditWith(rpcUrl = pool.anvil.rpcUrl) {
  const report = await auditChain(pool.db, createNode(nodeAt(rpcUrl)), readConfig())
  return { ...report, wrong: report.findings.map(({ wrong, examples }) => `${wrong}: ${examples.join('; ')}`) }
}

async function readFundedBlock(): Promise<bigint> {
  const { rows } = await sql<{ block: bigint }>`select block_number as block from lode.dividend_funding`.execute(
    pool.db,
  )
  return rows[0]?.block ?? 0n
}

const keyOf = (tx: Hex, logIndex: number) => `chain:${pool.anvil.chainId}:${tx}:${logIndex}` as const

const depositOf = (key: `chain:${string}`, amount: bigint): Transaction => ({
  type: 'deposit',
  key,
  moves: [
    {
      asset: 'USDT',
      amount: units('USDT', amount),
      from: 'custody:vault',
      to: { kind: 'available', member: member.id, line: { type: 'transferIn', operation: randomUUID() } },
    },
  ],
})

async function postAsWorker(...transactions: Transaction[]): Promise<void> {
  const outcomes = await post(worker.db, transactions)
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(transactions.map(() => 'posted'))
}

/** Claims, as a worker could, that everything up to the last final block is posted. */
async function claimPosted(): Promise<void> {
  await pool.mine(5)
  const { number, hash } = await pool.client.getBlock({ blockTag: 'finalized' })
  await sql`
    update lode.chain_state
    set posted_number = ${number}, posted_hash = ${bytesOf(hash as Hex)}, booked_number = ${number}`.execute(worker.db)
}

/** Changes a payout or a record as the owner of the database could, with all triggers disabled. */
async function tamper(table: string, change: ReturnType<typeof sql>): Promise<void> {
  await sql`alter table ${sql.raw(table)} disable trigger all`.execute(pool.db)
  await change.execute(pool.db)
  await sql`alter table ${sql.raw(table)} enable trigger all`.execute(pool.db)
}

describe('an audit with a node of the auditor', { timeout: 120_000 }, () => {
  it('finds nothing wrong in a correct pool', async () => {
    const { wrong, notCompared, summary } = await auditWith()
    expect({ wrong, notCompared }).toEqual({ wrong: [], notCompared: [] })
    // Four reserves, two deposits of the member, one of a stranger, funding, a move to cold storage and back, a payout.
    expect(summary).toMatch(/^11 movements in blocks /)
  })

  it('finds a correct pool in which two operators can undo nothing', async () => {
    expect(await countReversible(pool.db)).toMatchObject({
      coldMove: 0,
      coldReturn: 0,
      deposit: 0,
      dividendFunding: 0,
      reserveFunding: 0,
      suspenseDeposit: 0,
      transferPaid: 0,
      transferRequest: 0,
    })
  })

  it('waits while the worker posts a run of blocks in parts', async () => {
    await sql`update lode.chain_state set posted_number = posted_number - 1`.execute(pool.db)
    const report = auditWith()
    await setTimeout(1_500)
    await sql`update lode.chain_state set posted_number = booked_number`.execute(pool.db)
    expect(await report).toMatchObject({ wrong: [], notCompared: [] })
  })

  it('asks for fewer blocks at a time if the node refuses a wide range', async () => {
    const widths: bigint[] = []
    node.changeAnswer = ({ method, params }, answer) => {
      if (method !== 'eth_getLogs') return answer
      const [{ fromBlock, toBlock }] = params as [{ fromBlock: Hex; toBlock: Hex }]
      const width = BigInt(toBlock) - BigInt(fromBlock) + 1n
      if (width > 4n) return { error: { code: -32_005, message: 'query returned more than 4 blocks' } }
      widths.push(width)
      return answer
    }
    const { wrong, notCompared, summary } = await auditWith(node.rpcUrl)
    expect({ wrong, notCompared }).toEqual({ wrong: [], notCompared: [] })
    expect(summary).toMatch(/^11 movements/)
    expect(widths.length).toBeGreaterThan(3)
  })

  it('says that it did not compare balances if the node has pruned the state', async () => {
    node.changeAnswer = ({ method }, answer) =>
      method === 'eth_call' ? { error: { code: -32_000, message: 'missing trie node' } } : answer
    const { wrong, notCompared } = await auditWith(node.rpcUrl)
    expect({ wrong, notCompared }).toEqual({
      wrong: [],
      notCompared: [expect.stringMatching(/^the balances of vault and cold storage: http.* has no state of block/)],
    })
  })

  it('says what a node that is behind could not show, and does not call it wrong', async () => {
    const funded = await readFundedBlock()
    node.changeAnswer = async ({ method, params }, answer) => {
      if (method !== 'eth_getBlockByNumber' || params[0] !== 'finalized') return answer
      const block = await pool.client.getBlock({ blockNumber: funded - 1n })
      return { result: { ...(answer.result as object), number: toHex(block.number), hash: block.hash } }
    }
    const { wrong, notCompared } = await auditWith(node.rpcUrl)
    expect({ wrong, notCompared }).toEqual({
      wrong: [],
      notCompared: [
        expect.stringMatching(/^the last final block of http.* is \d+, and the ledger is posted up to block \d+$/),
        'the balances of vault and cold storage',
        'whether a ledger transaction moves custody, and the chain has no such log: 4',
        'whether a payout is called paid, and the vault did not pay it: 1',
        'whether the database has a record that the chain does not have: 1',
      ],
    })
  })

  it('compares balances: tokens that left without a log are missed in the vault and in cold storage', async () => {
    node.changeAnswer = ({ method }, answer) => {
      const held = method === 'eth_call' ? BigInt(answer.result as Hex) : 0n
      return held > 0n ? { result: toHex(held - 1n, { size: 32 }) } : answer
    }
    const { wrong } = await auditWith(node.rpcUrl)
    expect(wrong).toEqual([
      expect.stringMatching(/^the vault holds another amount than the ledger says: [\d.]+ USDT at block/),
      expect.stringMatching(
        /^cold storage holds less than the ledger says: 0\.000599 USDT at block \d+, and the ledger has 0\.0006 USDT/,
      ),
    ])
  })

  it('finds a payment by the vault that the database lacks, before and after its block is called posted', async () => {
    const { address } = member.wallet
    const release = encodeRelease(
      [{ ...(await pool.payout(paid)), id: randomUUID(), address, amount: 5_000_000n }],
      readConfig().contracts,
    )
    const tx = await pool.mined(pool.send(pool.accountOf('payer'), pool.contracts.vault, release))
    await pool.mine(5)
    const nobodyAsked = expect.stringMatching(
      new RegExp(
        `^a payment by the vault contradicts the payouts: .* to ${address}, which nobody asked for \\(${tx}\\)$`,
      ),
    )
    expect((await auditWith()).wrong).toEqual([nobodyAsked])
    await claimPosted()
    expect((await auditWith()).wrong).toEqual([
      expect.stringMatching(new RegExp(`^a log of the chain is not in the ledger: payout of 5 USDT, .*${tx}`)),
      nobodyAsked,
      expect.stringMatching(/^the vault holds another amount than the ledger says: /),
    ])
  })

  it('finds a credit for a deposit that never happened, also if an invented move to cold storage hides it', async () => {
    const [deposit, move] = [keyOf(toHex(randomBytes(32)), 0), keyOf(toHex(randomBytes(32)), 0)]
    await postAsWorker(depositOf(deposit, 200_000_000n), {
      type: 'coldMove',
      key: move,
      moves: [{ asset: 'USDT', amount: units('USDT', 200_000_000n), from: 'custody:cold', to: 'custody:vault' }],
    })
    const { findings } = await auditWith()
    const invented = findings.find(({ wrong }) => wrong.includes('the chain has no such log'))
    expect(invented?.count).toBe(2n)
    expect(invented?.examples.toSorted()).toEqual([`coldMove ${move}`, `deposit ${deposit}`])
    expect(findings.map(({ wrong }) => wrong)).toContain('cold storage holds less than the ledger says')
  })

  it('finds a credit that is one unit too large, and a real deposit that is posted to another member', async () => {
    const [own, stranger] = pool.wallets as [PrivateKeyAccount, PrivateKeyAccount]
    const readLog = async (tx: Hex) => (await pool.client.getTransactionReceipt({ hash: tx })).logs[0]?.logIndex ?? -1
    const [large, foreign] = [
      await pool.transfer(own, 'USDT', 1_000n),
      await pool.transfer(stranger, 'USDT', 2_000n),
    ] as const
    const [largeKey, foreignKey] = [keyOf(large, await readLog(large)), keyOf(foreign, await readLog(foreign))]
    await postAsWorker(depositOf(largeKey, 1_001n), depositOf(foreignKey, 2_000n))
    await claimPosted()
    const { wrong } = await auditWith()
    expect(wrong).toContain(
      'a ledger transaction contradicts its log: ' +
        `deposit ${largeKey}: the log moves another amount or asset; ` +
        `deposit ${foreignKey}: the log is a deposit, or belongs to another owner`,
    )
  })

  it('finds a payout that is called paid and that the chain lacks', async () => {
    const id = await pool.request(member, 'USDT', 10_000_000n)
    await tamper(
      'lode.payout',
      sql`update lode.payout set ended = 'final', ended_at = lode.now(), paid_tx = ${randomBytes(32)},
                 paid_log_index = 0, paid_at = lode.now() where id = ${id}`,
    )
    expect((await auditWith()).wrong).toContain(
      `a payout is called paid, and the vault did not pay it: payout ${id} of 10 USDT to ${member.wallet.address}`,
    )
  })

  it.each([
    ['address', sql`address = '\\x0101010101010101010101010101010101010101'`, /and the vault paid 10 USDT to/],
    ['amount', sql`amount = amount + 1`, /is 10\.000001 USDT to .* and the vault paid 10 USDT/],
    ['time', sql`paid_at = paid_at + interval '1 second'`, /as the time of its payment, and the block has/],
  ])('finds a paid payout whose %s was changed', async (_column, change, text) => {
    const { address, amount, paidAt } = await pool.payout(paid)
    await tamper('lode.payout', sql`update lode.payout set ${change} where id = ${paid}`)
    const { findings } = await auditWith()
    const found = findings.find(({ wrong }) => wrong === 'a payment by the vault contradicts the payouts')
    expect(found?.examples.filter((example) => example.includes(paid))).toEqual([expect.stringMatching(text)])
    await tamper(
      'lode.payout',
      sql`update lode.payout set address = ${bytesOf(address)}, amount = ${String(amount)}::numeric, paid_at = ${paidAt}
          where id = ${paid}`,
    )
  })

  it('finds changed evidence of dividend funding, and an address that the vault never named', async () => {
    await tamper('lode.dividend_funding', sql`update lode.dividend_funding set bitcoin_output = 4`)
    await sql`insert into lode.pool_address values (${bytesOf(member.wallet.address)}, 'cold', 1)`.execute(worker.db)
    const { findings } = await auditWith()
    const examplesOf = (text: string) => findings.find(({ wrong }) => wrong === text)?.examples
    expect(examplesOf('the database lacks a record of the chain')).toEqual([expect.stringMatching(`${txid}:3$`)])
    expect(examplesOf('the database has a record that the chain does not have')).toEqual([
      `cold address ${member.wallet.address}`,
      expect.stringMatching(`${txid}:4$`),
    ])
  })

  it('finds that the posted block is another block', async () => {
    await sql`update lode.chain_state set posted_hash = ${randomBytes(32)}`.execute(pool.db)
    expect((await auditWith()).findings.map(({ wrong }) => wrong)).toContain(
      'the posted block is another block on the chain',
    )
  })
})
