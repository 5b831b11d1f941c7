import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { poolVaultAbi } from '@lode/contracts'
import { sql } from 'kysely'
import {
  type Address,
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  type Hex,
  http,
  parseEventLogs,
  parseGwei,
  toFunctionSelector,
  toHex,
  zeroHash,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { idOnChain } from '../../platform/chain/id-on-chain.ts'
import { createNode } from '../../platform/chain/node.ts'
import { readOperatorConfig } from '../../platform/config/config.ts'
import { nodeAt } from '../../platform/config/node-address.ts'
import { connectDatabase } from '../../platform/db/database.ts'
import type { RunningWorker } from '../../processes/worker.ts'
import { startTestApi, type TestApi } from '../../testing/api.ts'
import { setPostedBack } from '../../testing/chain-stop.ts'
import { deployNextVault, moveCalls, type NextVault } from '../../testing/next-vault.ts'
import { signInTurn } from '../../testing/operators.ts'
import { type Buyer, type Order, type OrderFixture, startOrderFixture } from '../../testing/order-fixture.ts'
import { startServerProcess, type TestProcess } from '../../testing/process.ts'
import { startUnreliableNode, type UnreliableNode } from '../../testing/unreliable-node.ts'
import { waitForReceipt } from '../../testing/wait-for-receipt.ts'
import { proposeMigration, readChainState, readPostedBlock } from '../custody/index.ts'
import { readBalances, readSystemBalances } from '../ledger/index.ts'
import { wakeForDecisions } from '../treasury/index.ts'
import { auditChain, findAfterRestore, readPayouts } from './index.ts'
import { addMemberOfHighestLevel, type PayingMember, requestTransfer } from './testing/paying-pool.ts'

/** The pool moves to another vault while a deposit, two orders and two payouts are on their way. */

const USDT = 1_000_000n
const EVIDENCE = { txid: `0x${'5c'.repeat(32)}`, index: 1 } as const
const SUCCESSOR = toFunctionSelector('successor()').slice(2)
const TWO_DAYS = 2 * 86_400 + 60

let market: OrderFixture
let api: ReturnType<typeof connectDatabase>
let folder: string
let second: UnreliableNode
let next: NextVault
let movedAt: bigint
let member: PayingMember
let unpaid: { buyer: Buyer; order: Order }
let paid: { buyer: Buyer; order: Order }
const payouts = { before: '', onItsWay: '', queued: '' }
let worker: RunningWorker
const running: TestProcess[] = []
const apis: TestApi[] = []

beforeAll(async () => {
  market = await startOrderFixture({ wallets: 4 })
  ;[folder, second] = await Promise.all([
    mkdtemp(join(tmpdir(), 'lode-migration-')),
    startUnreliableNode(market.anvil.rpcUrl),
  ])
  api = connectDatabase(market.database.urlOf('lode_api'), { name: 'migration' })
  worker = await market.startWorker(twoNodes())
  const wallet = market.wallets[0]
  if (!wallet) throw new Error('there is no wallet')
  member = await addMemberOfHighestLevel(market, wallet)
  await market.deposit(wallet, 'USDT', 1_000n * USDT)
  await market.finalize()
}, 120_000)
afterAll(async () => {
  for (const process of running) process.kill('SIGKILL')
  await Promise.all(running.map(({ ended }) => ended))
  for (const each of apis) await each.close()
  await api.close()
  await market.close()
  await second.close()
  await rm(folder, { recursive: true, force: true })
})

const twoNodes = () => ({ CHAIN_RPC_URL: `${market.anvil.rpcUrl},${second.rpcUrl}` })
const atNextVault = () => ({ VAULT_ADDRESS: next.address, FORMER_VAULTS: market.contracts.vault })
const startSigner = (also: Record<string, string> = {}) =>
  market.startSigner({ ...twoNodes(), OPERATORS_CEREMONY: market.operators.ceremony, ...also })

const request = (amount: bigint): Promise<string> =>
  requestTransfer(api.db, member, { asset: 'USDT', amount, fee: USDT })

/** Repeats the condition until it throws no error. */
const waitUntil = (condition: () => Promise<void>) => vi.waitFor(condition, { timeout: 90_000, interval: 25 })

const readPayout = async (id: string) => {
  const [row] = await readPayouts(market.db, sql`where id = ${id}`)
  if (!row) throw new Error(`there is no payout ${id}`)
  return row
}

const waitUntilPaid = (id: string) =>
  waitUntil(async () => {
    await market.finalize()
    const { ended, heldCheck, waitsFor } = await readPayout(id)
    expect({ ended, heldCheck, waitsFor }).toEqual({ ended: 'final', heldCheck: null, waitsFor: null })
  })

const readiness = async ({ url }: { readonly url: string }): Promise<string> =>
  ((await (await fetch(new URL('/readyz', url))).json()) as { status: string }).status

const asAdministrator = (data: Hex) =>
  market.mined(market.send(market.accountOf('administrator'), market.contracts.vault, data))

const announce = (data: Hex) =>
  asAdministrator(encodeFunctionData({ abi: poolVaultAbi, functionName: 'announce', args: [data] }))

const fundDividend = (day: number) =>
  encodeFunctionData({ abi: poolVaultAbi, functionName: 'fundDividend', args: [day, 100n, EVIDENCE] })

async function today(): Promise<number> {
  const { timestamp } = await market.client.getBlock()
  return Number(timestamp / 86_400n)
}

function operatorConfig(also: Record<string, string> = {}) {
  const config = readOperatorConfig({ ...market.environment, DATABASE_URL: market.database.ownerUrl, ...also })
  if (!config.ok) throw new Error(config.error.join('\n'))
  return config.value
}

async function propose(to: Address, since = next.since) {
  const state = await readChainState(market.db)
  if (!state) throw new Error('the ledger has not begun')
  const nodes = [market.anvil.rpcUrl, second.rpcUrl].map((url) => createNode(nodeAt(url)))
  return proposeMigration(nodes, operatorConfig(), state, { to, since, note: 'a fault was found' })
}

/** What the member has, and what each vault holds for the ledger. */
async function readBooks() {
  const balance = await readSystemBalances(market.db)
  const posted = await market.settled()
  const held = await Promise.all(
    [market.contracts.vault, next.address].map((vault) => market.balanceOf('USDT', vault, posted)),
  )
  return {
    member: (await readBalances(market.db, member.id)).USDT.available,
    ledger: -balance('custody:vault', 'USDT'),
    chain: held.reduce((sum, one) => sum + one, 0n),
    inOldVault: held[0],
  }
}

async function runLode(...args: string[]): Promise<{ code: number | string; words: string }> {
  const environment = { ...market.environment, DATABASE_URL: market.database.ownerUrl }
  const process = startServerProcess('lode', environment, ...args)
  running.push(process)
  return { code: await process.ended, words: process.output().trim() }
}

/** Starts a worker of its own process, which is killed at a fault point. */
async function killWorkerAt(point: string, also: Record<string, string> = {}): Promise<void> {
  await writeFile(join(folder, point), '')
  const process = startServerProcess('worker', {
    ...market.environment,
    ...twoNodes(),
    DATABASE_URL: market.database.urlOf('lode_worker'),
    WORKER_PORT: '0',
    CHAIN_POLL_MS: '25',
    LOG_LEVEL: 'warn',
    FAULTS: folder,
    ...also,
  })
  running.push(process)
  expect(await process.ended, process.output()).toBe('SIGKILL')
}

/** The administrator moves everything, in one block, before any other transaction that waits for a block. */
async function moveInOneBlock(): Promise<bigint> {
  const account = market.accountOf('administrator')
  const wallet = createWalletClient({ account, transport: http(market.anvil.rpcUrl) })
  const first = await market.client.getTransactionCount({ address: account.address })
  const hashes: Hex[] = []
  for (const [index, data] of moveCalls(market, next.address).entries())
    hashes.push(
      await wallet.sendTransaction({
        to: market.contracts.vault,
        data,
        nonce: first + index,
        chain: null,
        gas: 1_000_000n,
        maxFeePerGas: parseGwei('900'),
        maxPriorityFeePerGas: parseGwei('800'),
      }),
    )
  await market.mine(1)
  const receipts = await Promise.all(hashes.map((hash) => waitForReceipt(market.client, hash)))
  expect(receipts.map(({ status }) => status)).toEqual(['success', 'success', 'success'])
  return receipts[0]?.blockNumber ?? 0n
}

/** What `look` finds while the old vault names a successor that does not name it. No vault of ours would move there. */
async function withSuccessor<T>(successor: Address, look: () => Promise<T>): Promise<T> {
  const address = market.contracts.vault
  const [is, wanted] = [next.address, successor].map((vault) => vault.slice(2).toLowerCase()) as [string, string]
  for (let index = 0; index < 32; index += 1) {
    const word = await market.client.getStorageAt({ address, slot: toHex(index) })
    if (!word?.includes(is)) continue
    await market.node.setStorageAt({ address, index, value: word.replace(is, wanted) as Hex })
    await market.mine(3)
    const found = await look()
    await market.node.setStorageAt({ address, index, value: word })
    await market.mine(3)
    return found
  }
  throw new Error('the old vault names no successor')
}

describe('a move to the next vault', { timeout: 240_000 }, () => {
  it('is waited for: what came before it is posted, and nothing after it', async () => {
    const signer = await startSigner()
    payouts.before = await request(10n * USDT)
    await waitUntilPaid(payouts.before)
    const funder = market.accountOf('funder')
    await market.approve(funder, 'BTC', 200n)
    await market.mined(market.send(funder, market.contracts.vault, fundDividend(await today())))

    next = await deployNextVault(market)
    for (const call of moveCalls(market, next.address)) await announce(call)
    await market.passTime(TWO_DAYS)
    // Anybody can send money to the next vault before the pool has moved there.
    await market.transfer(member.wallet, 'USDT', 7n * USDT, next.address)
    const [one, other] = [await market.buyer(), await market.buyer()]
    unpaid = { buyer: one, order: await market.placeOrder(one) }
    paid = { buyer: other, order: await market.placeOrder(other) }
    await market.finalize()

    await market.deposit(member.wallet, 'USDT', 50n * USDT)
    await market.pay(paid.buyer.wallet, paid.order.quote)
    await market.node.setAutomine(false)
    payouts.onItsWay = await request(20n * USDT)
    await waitUntil(async () => expect(await market.node.getTxpoolStatus()).toMatchObject({ pending: 1 }))
    movedAt = await moveInOneBlock()
    await market.node.setAutomine(true)
    await market.mine(3)

    await waitUntil(async () =>
      expect(await readiness(worker)).toContain(`${market.contracts.vault} moved to ${next.address}`),
    )
    expect((await readPostedBlock(market.db))?.number).toBe(movedAt - 1n)
    expect(await readChainState(market.db)).toMatchObject({ stoppedReason: null })
    expect(await market.readOrder(paid.buyer, paid.order.id)).toMatchObject({ state: 'success' })
    expect((await readBalances(market.db, member.id)).USDT.available).toBe(1_018n * USDT)

    payouts.queued = await request(30n * USDT)
    await waitUntil(async () => expect(await readiness(signer)).toBe('the vault is paused'))
    expect(await readPayout(payouts.queued)).toMatchObject({ releaseNumber: null })
    await signer.close()
    await expect(market.pay(unpaid.buyer.wallet, unpaid.order.quote)).rejects.toThrow('reverted')
    await expect(market.deposit(member.wallet, 'USDT', USDT)).rejects.toThrow('reverted')
    await market.transfer(member.wallet, 'USDT', 3n * USDT)
    await market.mine(3)
  })

  it('is refused as a decision for any other vault, with other terms, and if a node disagrees', async () => {
    const orphan = await deployNextVault(market, next.address)
    await market.mine(3)
    expect(await propose(member.wallet.address)).toMatchObject({ error: expect.stringContaining('has no code') })
    expect(await propose(orphan.address)).toMatchObject({
      error: `The vault ${market.contracts.vault} has moved to ${next.address}, not to ${orphan.address}.`,
    })
    expect(await propose(market.contracts.vault)).toMatchObject({ error: expect.stringContaining('already') })
    const proposed = await withSuccessor(orphan.address, () => propose(orphan.address))
    expect(proposed).toMatchObject({ error: `The predecessor of ${orphan.address} is ${next.address}.` })
    for (const since of [next.since + 1n, movedAt])
      expect(await propose(next.address, since)).toMatchObject({
        error: expect.stringContaining(`existed before block ${since}`),
      })
    second.changeAnswer = ({ method, params }, answer) =>
      method === 'eth_call' && JSON.stringify(params).includes(SUCCESSOR) ? { result: zeroHash } : answer
    await expect(propose(next.address)).rejects.toThrow('successor')
    second.changeAnswer = (_request, answer) => answer

    const terms = join(folder, 'terms.json')
    const command = ['vault', 'migrate', next.address, '--since', String(next.since), '--terms', terms, '--chain']
    const nodes = `${market.anvil.rpcUrl},${second.rpcUrl}`
    await writeFile(terms, JSON.stringify({ ...next.terms, predecessor: undefined }))
    const wrongCode = 'the code is not the one of this repository with these terms'
    expect((await runLode(...command, nodes)).words).toContain(wrongCode)
    await writeFile(terms, JSON.stringify(next.terms))
    const code = (await market.client.getCode({ address: next.address })) ?? '0x'
    await market.node.setCode({ address: next.address, bytecode: `${code}00` })
    expect((await runLode(...command, nodes)).words).toContain(wrongCode)
    await market.node.setCode({ address: next.address, bytecode: code })
    // All checks pass; only the key is missing.
    expect((await runLode(...command, nodes)).words).toBe(
      'Name your key file with --key FILE, or set LODE_OPERATOR_KEY',
    )
  })

  it('is carried out once by two operators, also if the worker is killed, and needs the new settings', async () => {
    await worker.close()
    // A database from before the move does not know what the next vault has paid.
    const state = await readChainState(market.db)
    if (!state) throw new Error('the ledger has not begun')
    const node = createNode(nodeAt(market.anvil.rpcUrl))
    expect(await findAfterRestore(market.db, [node], operatorConfig(), { state, journal: null })).toMatchObject({
      refusal: expect.stringContaining('has moved to another one'),
    })
    const proposal = await propose(next.address)
    if (!proposal.ok) throw new Error(proposal.error)
    const { alice, bob } = market.operators
    await signInTurn(market.db, market.poolId, proposal.value, [alice, bob])
    await wakeForDecisions(market.db)
    await killWorkerAt('worker-before-apply-decision')
    expect((await readChainState(market.db))?.vault).toBe(market.contracts.vault)

    const old = await market.startWorker(twoNodes())
    await wakeForDecisions(market.db)
    await waitUntil(async () =>
      expect(await readiness(old)).toContain(
        `the ledger belongs to vault ${next.address}, after ${market.contracts.vault}`,
      ),
    )
    await old.close()
    expect(await readChainState(market.db)).toMatchObject({
      vault: next.address,
      formerVaults: [market.contracts.vault],
      postedNumber: next.since - 1n,
    })
    expect(await propose(next.address)).toMatchObject({ error: expect.stringContaining('already') })
    await expect(startTestApi(market.apiEnvironment, market.database)).rejects.toThrow('belongs to vault')
  })

  it('loses nothing and pays nothing twice: deposits, orders and payouts go on in the next vault', async () => {
    await killWorkerAt('worker-before-posted-block', atNextVault())
    worker = await market.startWorker({ ...twoNodes(), ...atNextVault() })
    await market.finalize()
    // 7 USDT came to the next vault before the move, and 3 to the old one after it.
    expect(await readBooks()).toMatchObject({ member: 997n * USDT, inOldVault: 3n * USDT })
    const signer = await startSigner(atNextVault())
    await waitUntilPaid(payouts.onItsWay)
    await waitUntilPaid(payouts.queued)

    const nextApi = await startTestApi({ ...market.apiEnvironment, ...atNextVault() }, market.database)
    apis.push(nextApi)
    const { wallet, token } = unpaid.buyer
    const { body } = await nextApi.call('order/detail', { account: wallet.address, id: unpaid.order.id }, { token })
    if (body.data.type !== 1 || !body.data.quote) throw new Error(JSON.stringify(body))
    expect(body.data.quote.signature).not.toBe(unpaid.order.quote?.signature)
    const approval = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [next.address, 100n * USDT] })
    await market.mined(market.send(wallet, market.tokens.USDT, approval))
    await market.mined(market.send(wallet, next.address, market.payData(body.data.quote)))
    await market.finalize()
    for (const { buyer, order } of [unpaid, paid])
      expect(await market.readOrder(buyer, order.id)).toMatchObject({ state: 'success' })
    await signer.close()

    const released = await market.client.getContractEvents({
      address: [market.contracts.vault, next.address],
      abi: poolVaultAbi,
      eventName: 'PayoutReleased',
      fromBlock: 0n,
    })
    expect(released.map(({ args, address }) => [args.id, getAddress(address)])).toEqual([
      [idOnChain(payouts.before), market.contracts.vault],
      [idOnChain(payouts.onItsWay), next.address],
      [idOnChain(payouts.queued), next.address],
    ])
    const books = await readBooks()
    expect(books.ledger).toBe(books.chain)
  })

  it('refuses payout ids and evidence of the old vault in the next one', async () => {
    const { amount, address: to } = await readPayout(payouts.before)
    const again = { id: idOnChain(payouts.before), token: market.tokens.USDT, to, amount }
    const data = encodeFunctionData({ abi: poolVaultAbi, functionName: 'release', args: [[again]] })
    const hash = await market.mined(market.send(market.accountOf('payer'), next.address, data))
    const { logs } = await market.client.getTransactionReceipt({ hash })
    expect(parseEventLogs({ abi: poolVaultAbi, logs }).map(({ eventName }) => eventName)).toEqual(['PayoutRepeated'])
    const funder = market.accountOf('funder')
    const approval = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [next.address, 100n] })
    await market.mined(market.send(funder, market.tokens.BTC, approval))
    await expect(market.mined(market.send(funder, next.address, fundDividend(await today())))).rejects.toThrow(
      'reverted',
    )
  })

  it('lets late money follow, and the chain agrees with the ledger, also when it is read again', async () => {
    const [moveUsdt] = moveCalls(market, next.address) as [Hex]
    await market.callAfterNotice(moveUsdt)
    await market.finalize()
    const books = await readBooks()
    expect(books).toMatchObject({ inOldVault: 0n, ledger: books.chain })
    await setPostedBack(market.db, next.since - 1n)
    await market.finalize()
    expect(await readBooks()).toEqual(books)
    const node = createNode(nodeAt(market.anvil.rpcUrl))
    const report = await auditChain(market.db, node, operatorConfig(atNextVault()))
    expect(report).toMatchObject({ findings: [], notCompared: [] })
    expect(await readiness(worker)).toBe('ready')
  })
})
