import { poolVaultAbi } from '@lode/contracts'
import { devAggregatorAbi } from '@lode/contracts/dev'
import { sql } from 'kysely'
import { encodeFunctionData, parseUnits } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startTestPool, type TestPool, waitUntil } from '../../testing/pool.ts'
import { readBalances, readSystemBalances } from '../ledger/index.ts'
import { loadPrices } from './index.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await startTestPool()
  await pool.startWorker()
  await pool.finalize()
})
afterAll(() => pool.close())
afterEach(async () => {
  const { books, chain } = await pool.readCustody()
  expect(books).toEqual(chain)
})

describe('money that the pool brings', () => {
  it('is credited to the reserves', async () => {
    const balance = await readSystemBalances(pool.db)
    const millions = (['airdrop', 'promotion', 'liquidity', 'mining'] as const).map(
      (name) => balance(`reserve:${name}`, 'BTN') / parseUnits('1000000', 18),
    )
    expect(millions).toEqual([300n, 200n, 247n, 250n])
  })

  it('funds the dividends of a day, with the Bitcoin output that the funder names', async () => {
    const funder = pool.accountOf('funder')
    await pool.approve(funder, 'BTC', 500n)
    const { timestamp } = await pool.client.getBlock()
    const day = Number(timestamp / 86_400n)
    const evidence = { txid: `0x${'ab'.repeat(32)}`, index: 3 } as const
    const data = encodeFunctionData({ abi: poolVaultAbi, functionName: 'fundDividend', args: [day, 500n, evidence] })
    await pool.mined(pool.send(funder, pool.contracts.vault, data))
    await pool.finalize()
    expect((await readSystemBalances(pool.db))('dividend:funded', 'BTC')).toBe(500n)
    const { rows } = await sql`
      select day, amount::int, encode(bitcoin_txid, 'hex') as txid, bitcoin_output::int as output
      from lode.dividend_funding`.execute(pool.db)
    expect(rows).toEqual([{ day, amount: 500, txid: 'ab'.repeat(32), output: 3 }])
  })

  it('funds dividends twice with one Bitcoin output if the vault reinstated it in between', async () => {
    const funder = pool.accountOf('funder')
    const evidence = { txid: `0x${'cd'.repeat(32)}`, index: 1 } as const
    await pool.approve(funder, 'BTC', 1_001n)
    const fund = async (amount: bigint) => {
      const day = Number((await pool.client.getBlock()).timestamp / 86_400n)
      const args = [day, amount, evidence] as const
      const data = encodeFunctionData({ abi: poolVaultAbi, functionName: 'fundDividend', args })
      await pool.mined(pool.send(funder, pool.contracts.vault, data))
    }
    await fund(1n)
    await pool.callAfterNotice(
      encodeFunctionData({
        abi: poolVaultAbi,
        functionName: 'reinstateEvidence',
        args: [evidence.txid, evidence.index],
      }),
    )
    await fund(1_000n)
    await pool.finalize()
    const { rows } = await sql`
      select amount::int from lode.dividend_funding where bitcoin_txid = decode(${'cd'.repeat(32)}, 'hex')
      order by amount`.execute(pool.db)
    expect(rows).toEqual([{ amount: 1 }, { amount: 1_000 }])
  })

  it('moves to cold storage and back, also from a former cold address, and is not a deposit', async () => {
    const [member, next] = pool.wallets as [PrivateKeyAccount, PrivateKeyAccount]
    const id = await pool.addMember(member)
    await pool.transfer(member, 'USDT', 1_000n)
    const cold = pool.accountOf('coldStorage')
    await pool.node.setBalance({ address: cold.address, value: 10n ** 18n })

    const move = encodeFunctionData({
      abi: poolVaultAbi,
      functionName: 'moveToCold',
      args: [pool.contracts.usdt, 600n, cold.address],
    })
    await pool.callAfterNotice(move)
    await pool.finalize()
    expect((await pool.readCustody()).books).toMatchObject({ 'vault USDT': 400n, 'cold USDT': 600n })

    await pool.deposit(cold, 'USDT', 250n)
    await pool.transfer(cold, 'USDT', 250n)
    await pool.finalize()
    expect((await pool.readCustody()).books).toMatchObject({ 'vault USDT': 900n, 'cold USDT': 100n })

    // Empties the next cold address first: tokens that it already holds would not be in the ledger.
    await pool.transfer(next, 'USDT', await pool.balanceOf('USDT', next.address), member.address)
    await pool.transfer(next, 'BTN', await pool.balanceOf('BTN', next.address), member.address)
    await pool.transfer(next, 'BTC', await pool.balanceOf('BTC', next.address), member.address)
    await pool.callAfterNotice(
      encodeFunctionData({ abi: poolVaultAbi, functionName: 'setColdStorage', args: [next.address] }),
    )
    await pool.transfer(cold, 'USDT', 100n)
    await pool.finalize()
    expect((await pool.readCustody()).books).toMatchObject({ 'vault USDT': 1_000n, 'cold USDT': 0n })
    expect((await readBalances(pool.db, id)).USDT.available).toBe(1_000n)
  })
})

describe('prices', () => {
  it('are the feeds’ last rounds, with their time and source, until they are stale', async () => {
    expect(await loadPrices(pool.db, 10 * 365 * 86_400)).toMatchObject({
      BTC: { price: '60000', source: pool.contracts.btcPriceFeed },
      BTN: { price: '0.002', source: pool.contracts.btnPriceFeed },
    })
    expect(await loadPrices(pool.db, 0)).toEqual({ BTC: null, BTN: null })
  })

  it('follow the feed, except for a round that is not a usable price', async () => {
    const set = async (answer: bigint) => {
      const data = encodeFunctionData({ abi: devAggregatorAbi, functionName: 'setAnswer', args: [answer] })
      await pool.mined(pool.send(pool.accountOf('funder'), pool.contracts.btnPriceFeed, data))
    }
    const ofBtn = async () => (await loadPrices(pool.db, 10 * 365 * 86_400)).BTN?.price
    await set(310_000n)
    // A worker reads them when it starts.
    const worker = await pool.startWorker()
    await waitUntil(async () => expect(await ofBtn()).toBe('0.0031'))
    await worker.close()
    await set(-1n)
    await pool.startWorker()
    await pool.finalize()
    expect(await ofBtn()).toBe('0.0031')
  })
})
