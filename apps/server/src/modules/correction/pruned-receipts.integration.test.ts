import { ok } from '@lode/kernel'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { connectDatabase, type DatabaseConnection } from '../../platform/db/database.ts'
import type { RunningSigner } from '../../processes/signer.ts'
import { holdCeremony, signInTurn, type TestOperator } from '../../testing/operators.ts'
import { startTestPool, type TestPool, waitUntil } from '../../testing/pool.ts'
import { startUnreliableNode, type UnreliableNode } from '../../testing/unreliable-node.ts'
import { proposeProvingAgain } from '../operators/index.ts'
import { wakeForDecisions } from '../treasury/index.ts'
import { listFalsePostings, proposeReversal } from './index.ts'

/** A member's deposit is real. Two operators let the signer prove everything again, and nodes do not return its receipt. */

let pool: TestPool
let nodes: readonly [UnreliableNode, UnreliableNode, UnreliableNode]
let operators: readonly TestOperator[]
let ceremony: Hex
let asOperator: DatabaseConnection
let signer: RunningSigner
let depositTx: Hex

beforeAll(async () => {
  pool = await startTestPool({ slotsInAnEpoch: 1, wallets: 1 })
  const start = () => startUnreliableNode(pool.anvil.rpcUrl)
  nodes = [await start(), await start(), await start()]
  const held = await holdCeremony(pool.db, { pool: pool.contracts.vault, chainId: pool.anvil.chainId })
  operators = [held.alice, held.bob]
  ceremony = held.ceremony
  asOperator = connectDatabase(pool.database.urlOf('lode_operator'), { name: 'operator', max: 2 })
  const [wallet] = pool.wallets as [PrivateKeyAccount]
  await pool.addMember(wallet)
  await pool.startWorker()
  depositTx = await pool.transfer(wallet, 'USDT', 1_000n)
  await pool.finalize()
}, 60_000)
afterEach(async () => {
  await signer.close()
  for (const node of nodes) node.changeAnswer = (_request, answer) => answer
})
afterAll(async () => {
  await asOperator.close()
  await pool.close()
  for (const node of nodes) await node.close()
})

const signerStatus = async (): Promise<string> =>
  ((await (await fetch(`${signer.url}/readyz`)).json()) as { status: string }).status

async function startSignerWith(used: readonly UnreliableNode[]): Promise<void> {
  const urls = used.map(({ rpcUrl }) => rpcUrl).join()
  signer = await pool.startSigner({ CHAIN_RPC_URL: urls, OPERATORS_CEREMONY: ceremony })
  await waitUntil(async () => expect(await signerStatus()).toBe('ready'))
}

async function proveAgain(): Promise<void> {
  const identity = { pool: pool.contracts.vault, chainId: pool.anvil.chainId }
  await signInTurn(pool.db, identity, proposeProvingAgain('look again'), operators, async (trx) => {
    await wakeForDecisions(trx)
    return ok(null)
  })
}

/** The node has pruned every receipt. */
const prune = (node: UnreliableNode): void => {
  node.changeAnswer = ({ method }, answer) => (method === 'eth_getTransactionReceipt' ? { result: null } : answer)
}

/** The node has all receipts and hides that of the deposit. */
const hideDeposit = (node: UnreliableNode): void => {
  node.changeAnswer = ({ method, params }, answer) =>
    method === 'eth_getTransactionReceipt' && params[0] === depositTx ? { result: null } : answer
}

/** The node has all receipts, and does not answer about the deposit. */
const failAtDeposit = (node: UnreliableNode): void => {
  node.changeAnswer = ({ method, params }, answer) =>
    method === 'eth_getTransactionReceipt' && params[0] === depositTx
      ? { error: { code: -32_005, message: 'limit exceeded' } }
      : answer
}

async function expectNotReversible(): Promise<void> {
  expect(await listFalsePostings(asOperator.db)).toEqual([])
  const { rows } = await sql`select key from lode.missing_log`.execute(pool.db)
  expect(rows).toEqual([])
  const { rows: posted } = await sql<{ key: string }>`
    select key from lode.ledger_transaction where key like ${`chain:%${depositTx}:%`}`.execute(pool.db)
  expect(await proposeReversal(asOperator.db, { member: 0n, key: posted[0]?.key ?? '', note: 'gone' })).toMatchObject({
    error: expect.stringContaining('has a valid cause'),
  })
}

describe('a real deposit whose receipt nodes do not return', { timeout: 60_000 }, () => {
  it('does not look false if both nodes have pruned old receipts; the alarm says so, and payouts wait', async () => {
    const [one, other] = nodes
    await startSignerWith([one, other])
    prune(one)
    prune(other)
    await proveAgain()
    await waitUntil(async () =>
      expect(await signerStatus()).toMatch(
        /the node returns nothing about transaction 0x.* it no longer has receipts from block \d+ on either/,
      ),
    )
    await expectNotReversible()
    for (const node of nodes) node.changeAnswer = (_request, answer) => answer
    await waitUntil(async () => expect(await signerStatus()).toBe('ready'))
  })

  it('does not look false if one node has pruned it and one lies', async () => {
    const [pruned, liar] = nodes
    await startSignerWith([pruned, liar])
    prune(pruned)
    hideDeposit(liar)
    await proveAgain()
    await waitUntil(async () => expect(await signerStatus()).toMatch(/no longer has receipts from block \d+ on either/))
    await expectNotReversible()
  })

  it('does not look false either if a third node has old receipts, and does not answer about this one', async () => {
    const [pruned, liar, silent] = nodes
    await startSignerWith([liar, pruned, silent])
    prune(pruned)
    hideDeposit(liar)
    failAtDeposit(silent)
    await proveAgain()
    await waitUntil(async () => expect(await signerStatus()).toMatch(/no second node answers/))
    await expectNotReversible()
  })
})
