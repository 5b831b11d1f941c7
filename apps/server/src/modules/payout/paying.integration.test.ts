import { assets } from '@lode/kernel'
import { sql } from 'kysely'
import { zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setPostedBack } from '../../testing/chain-stop.ts'
import { createTestClock } from '../../testing/clock.ts'
import { waitUntil } from '../../testing/pool.ts'
import { countReversible } from '../../testing/reversible-postings.ts'
import { startUnreliableNode } from '../../testing/unreliable-node.ts'
import { audit, readBalances, readLogLines, readSystemBalances } from '../ledger/index.ts'
import { type PayingMember, type PayingPool, startPayingPool } from './testing/paying-pool.ts'

let pool: PayingPool
let member: PayingMember
beforeAll(async () => {
  pool = await startPayingPool({ wallets: 1 })
  await pool.startWorker()
  const [wallet] = pool.wallets
  if (!wallet) throw new Error('there is no wallet')
  member = await pool.addPayingMember(wallet, { USDT: 20_000_000_000n, BTN: 10n ** 24n, BTC: 200_000_000n })
}, 60_000)
afterAll(() => pool.close())

const minAmounts = { USDT: 10_000_000n, BTN: 1_000n * 10n ** 18n, BTC: 50_000n }
const refuseBlockHash = <Answer>(params: readonly unknown[], answer: Answer) =>
  JSON.stringify(params).includes('blockHash') ? { error: { code: -32_602, message: 'invalid params' } } : answer
const readFrozen = async () => (await readBalances(pool.db, member.id)).USDT.frozenOut

describe('a transfer', { timeout: 60_000 }, () => {
  it('in each asset becomes final: it is paid once and its fee goes to the pool', async () => {
    const signer = await pool.startSigner()
    const before = await readBalances(pool.db, member.id)
    const heldBefore = new Map<string, bigint>()
    for (const asset of assets) heldBefore.set(asset, await pool.balanceOf(asset, member.wallet.address))
    const ids = new Map<string, string>()
    for (const asset of assets) ids.set(asset, await pool.request(member, asset, minAmounts[asset]))
    for (const asset of assets) {
      const { fee } = pool.terms[asset]
      const id = ids.get(asset) ?? ''
      const row = await pool.waitUntilEnded(id)
      expect(row).toMatchObject({ ended: 'final', tokenFailures: 0, waitsFor: null, heldCheck: null })
      expect((await pool.balanceOf(asset, member.wallet.address)) - (heldBefore.get(asset) ?? 0n)).toBe(
        minAmounts[asset],
      )
      const now = await readBalances(pool.db, member.id)
      expect(before[asset].available - now[asset].available).toBe(minAmounts[asset] + fee)
      expect(now[asset].frozenOut).toBe(0n)
      const [line] = await readLogLines(pool.db, { member: member.id, asset, type: 'transferOut', limit: 1 })
      expect(line).toMatchObject({ operation: id, status: 'confirmed', amount: -minAmounts[asset], fee })
    }
    expect((await readSystemBalances(pool.db))('pool:operations', 'USDT')).toBe(pool.terms.USDT.fee)
    await signer.close()
  })

  it('shares one release with 99 others', async () => {
    const ids = await Promise.all(Array.from({ length: 100 }, () => pool.request(member, 'USDT', minAmounts.USDT)))
    const held = await pool.balanceOf('USDT', member.wallet.address)
    const signer = await pool.startSigner()
    const rows = []
    for (const id of ids) rows.push(await pool.waitUntilEnded(id))
    expect(new Set(rows.map(({ releaseNumber }) => releaseNumber)).size).toBe(1)
    expect(new Set(rows.map(({ paidTx }) => paidTx)).size).toBe(1)
    expect((await pool.balanceOf('USDT', member.wallet.address)) - held).toBe(100n * minAmounts.USDT)
    expect(await readFrozen()).toBe(0n)
    await signer.close()
  })

  it('waits while the signer’s own 24-hour cap is used up, and is paid when there is room', async () => {
    // More than this cap was signed already.
    const signer = await pool.startSigner({ SIGNER_DAY_CAP: 'USDT:500,BTN:1000000,BTC:1' })
    const id = await pool.request(member, 'USDT', minAmounts.USDT)
    await waitUntil(async () => expect((await pool.payout(id)).waitsFor).toBe('cap'))
    expect(await pool.payout(id)).toMatchObject({ ended: null, releaseNumber: null })
    expect(await pool.readiness(signer)).toBe('ready')
    await createTestClock(pool.db, pool.anvil.rpcUrl).advance(86_400)
    expect(await pool.waitUntilEnded(id)).toMatchObject({ ended: 'final' })
    await signer.close()
  })

  it('is paid even if the clock was set back after it was postponed', async () => {
    const id = await pool.request(member, 'USDT', minAmounts.USDT)
    await sql`update lode.payout set look_at = lode.now() + interval '1 day' where id = ${id}`.execute(pool.db)
    const signer = await pool.startSigner()
    expect(await pool.waitUntilEnded(id)).toMatchObject({ ended: 'final' })
    await signer.close()
  })

  it('is not signed while the signer’s node reports another vault balance than the ledger', async () => {
    const node = await startUnreliableNode(pool.anvil.rpcUrl)
    node.changeAnswer = ({ method, params }, answer) =>
      method === 'eth_call' && JSON.stringify(params[1]).includes('blockHash')
        ? { result: `0x${'0'.repeat(64)}` }
        : answer
    const signer = await pool.startSigner({ CHAIN_RPC_URL: node.rpcUrl })
    const id = await pool.request(member, 'USDT', minAmounts.USDT)
    await waitUntil(async () => expect(await pool.payout(id)).toMatchObject({ waitsFor: 'chain', releaseNumber: null }))
    expect(await pool.readiness(signer)).toMatch(/the vault holds 0 USDT, but by the ledger [\d.]+ USDT/)
    node.changeAnswer = (_request, answer) => answer
    expect(await pool.waitUntilEnded(id)).toMatchObject({ ended: 'final' })
    expect(await pool.readiness(signer)).toBe('ready')
    await signer.close()
    await node.close()
  })

  it('is signed through a node that reads blocks by number only, but not if that block has another hash', async () => {
    const node = await startUnreliableNode(pool.anvil.rpcUrl)
    node.changeAnswer = ({ method, params }, answer) =>
      method === 'eth_getBlockByNumber' && params[0] !== 'latest' && params[0] !== 'finalized'
        ? { result: { ...(answer.result as object), hash: zeroHash } }
        : refuseBlockHash(params, answer)
    const signer = await pool.startSigner({ CHAIN_RPC_URL: node.rpcUrl })
    const id = await pool.request(member, 'USDT', minAmounts.USDT)
    await waitUntil(async () => expect(await pool.readiness(signer)).toContain('has another block'))
    await waitUntil(async () => expect(await pool.payout(id)).toMatchObject({ waitsFor: 'chain', releaseNumber: null }))
    node.changeAnswer = ({ params }, answer) => refuseBlockHash(params, answer)
    expect(await pool.waitUntilEnded(id)).toMatchObject({ ended: 'final' })
    await signer.close()
    await node.close()
  })

  it('is signed by one signer: a second one waits until the first releases the lock', async () => {
    const first = await pool.startSigner()
    await waitUntil(async () => expect(await pool.readiness(first)).toBe('ready'))
    const second = await pool.startSigner()
    await waitUntil(async () => expect(await pool.readiness(second)).toBe('another signer is at work'))
    expect(await pool.waitUntilEnded(await pool.request(member, 'USDT', minAmounts.USDT))).toMatchObject({
      ended: 'final',
    })
    await first.close()
    expect(await pool.waitUntilEnded(await pool.request(member, 'USDT', minAmounts.USDT))).toMatchObject({
      ended: 'final',
    })
    await second.close()
  })

  it('is either canceled or paid, and never both, in a hundred races', async () => {
    const signer = await pool.startSigner({ SIGNER_POLL_MS: '10' })
    const held = await pool.balanceOf('USDT', member.wallet.address)
    const { available } = (await readBalances(pool.db, member.id)).USDT
    const race = async (wait: number): Promise<[string, string]> => {
      const id = await pool.request(member, 'USDT', minAmounts.USDT)
      await new Promise((later) => setTimeout(later, wait))
      return [id, await pool.cancel(member, id)]
    }
    const outcomes: [string, string][] = []
    // A signer that is slow on a busy machine would lose every race. So the delays grow until some races are close.
    let step = 8
    for (let round = 0; round < 10; round += 1) {
      const ended = await Promise.all(Array.from({ length: 10 }, (_, place) => race(place * step)))
      const cancelled = ended.filter(([, answer]) => answer === 'ok').length
      if (cancelled === 10) step *= 2
      if (cancelled <= 1) step /= 2
      outcomes.push(...ended)
    }
    let paid = 0n
    for (const [id, answer] of outcomes) {
      expect(await pool.waitUntilEnded(id)).toMatchObject({ ended: answer === 'ok' ? 'cancelled' : 'final' })
      if (answer !== 'ok') paid += 1n
    }
    expect(paid).toBeGreaterThan(0n)
    expect(paid).toBeLessThan(100n)
    expect((await pool.balanceOf('USDT', member.wallet.address)) - held).toBe(paid * minAmounts.USDT)
    const now = (await readBalances(pool.db, member.id)).USDT
    expect(available - now.available).toBe(paid * (minAmounts.USDT + pool.terms.USDT.fee))
    expect(now.frozenOut).toBe(0n)
    await signer.close()
  })
})

describe('the burn due', { timeout: 60_000 }, () => {
  it('is burned once a day and posted to the ledger', async () => {
    const due = async () => (await readSystemBalances(pool.db))('burn:due', 'BTN')
    const burns = async () => {
      const { rows } = await sql<{ count: bigint }>`
        select count(*) as count from lode.release where kind = 'burn'`.execute(pool.db)
      return rows[0]?.count
    }
    const supply = () => pool.client.readContract({ ...btn(), functionName: 'totalSupply' })
    const signer = await pool.startSigner()
    await waitUntil(async () => {
      await pool.finalize()
      expect(await due()).toBe(0n)
    })
    const [burnsBefore, supplyBefore] = [await burns(), await supply()]
    await pool.waitUntilEnded(await pool.request(member, 'BTN', minAmounts.BTN))
    expect(await due()).toBe(pool.terms.BTN.fee / 2n)
    await createTestClock(pool.db, pool.anvil.rpcUrl).advance(86_400)
    await waitUntil(async () => {
      await pool.finalize()
      expect(await due()).toBe(0n)
    })
    expect(await burns()).toBe((burnsBefore ?? 0n) + 1n)
    expect(supplyBefore - (await supply())).toBe(pool.terms.BTN.fee / 2n)
    expect(await countReversible(pool.db)).toMatchObject({ burn: 0, transferPaid: 0, transferRequest: 0 })
    await signer.close()
  })
})

const btn = () =>
  ({
    address: pool.contracts.btn,
    abi: [
      { type: 'function', name: 'totalSupply', stateMutability: 'view', inputs: [], outputs: [{ type: 'uint256' }] },
    ],
  }) as const

describe('after all payouts', { timeout: 60_000 }, () => {
  it('reading the chain again from the start changes nothing', async () => {
    const everything = async () => {
      const { rows } = await sql`
        select id, ended, paid_tx, paid_log_index, release_number, token_failures, ended_at from lode.payout order by number`.execute(
        pool.db,
      )
      return {
        rows,
        balances: await readBalances(pool.db, member.id),
        releases: (await sql`select number, ended_at from lode.release order by 1`.execute(pool.db)).rows,
      }
    }
    await pool.finalize()
    const before = await everything()
    await setPostedBack(pool.db, 0n)
    await waitUntil(async () => {
      const { rows } = await sql<{ done: boolean }>`
        select posted_number >= booked_number as done from lode.chain_state where stopped_reason is null`.execute(
        pool.db,
      )
      expect(rows).toEqual([{ done: true }])
    })
    expect(await everything()).toEqual(before)
    const { books, chain } = await pool.readCustody()
    expect(books).toEqual(chain)
    expect((await audit(pool.db, {})).findings).toEqual([])
  })
})
