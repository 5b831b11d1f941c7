import { randomUUID } from 'node:crypto'
import { poolVaultAbi } from '@lode/contracts'
import { pino } from 'pino'
import { type Address, encodeFunctionData } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readApiConfig } from '../../platform/config/config.ts'
import { configOrRefuse, watchVault } from '../../processes/start-up.ts'
import { startTestApi, type TestApi, testEnvironment } from '../../testing/api.ts'
import { PASSWORD } from '../../testing/member.ts'
import { type OrderFixture, startOrderFixture } from '../../testing/order-fixture.ts'
import { waitUntil } from '../../testing/pool.ts'
import { startUnreliableNode } from '../../testing/unreliable-node.ts'

let market: OrderFixture
beforeAll(async () => {
  market = await startOrderFixture()
  await market.startWorker()
}, 120_000)
afterAll(() => market.close())

const ours = () => privateKeyToAccount(market.keys.quoteSigner).address
const another = privateKeyToAccount(generatePrivateKey()).address

/** A guardian pauses the vault, or ends the pause. */
const callVault = (functionName: 'pause' | 'unpause') =>
  market.mined(
    market.send(
      market.accountOf('guardian'),
      market.contracts.vault,
      encodeFunctionData({ abi: poolVaultAbi, functionName }),
    ),
  )

/** Pauses the vault once it has run as long as its last pause lasted. */
async function pauseVault(): Promise<void> {
  const vault = { address: market.contracts.vault, abi: poolVaultAbi } as const
  const from = await market.client.readContract({ ...vault, functionName: 'pausedAt' })
  const until = await market.client.readContract({ ...vault, functionName: 'pausedUntil' })
  await market.node.increaseTime({ seconds: until - from + 1 })
  await callVault('pause')
}

/** Changes the vault's quote signer, with the administrator's key. */
const replaceSigner = (signer: Address) =>
  market.mined(
    market.send(
      market.accountOf('administrator'),
      market.contracts.vault,
      encodeFunctionData({ abi: poolVaultAbi, functionName: 'setQuoteSigner', args: [signer] }),
    ),
  )

const configWith = (environment: Record<string, string> = {}) =>
  configOrRefuse(readApiConfig({ ...testEnvironment(market.database), ...market.apiEnvironment, ...environment }))

const silent = pino({ level: 'silent' })

const startWatch = (config: Parameters<typeof watchVault>[0], everyMs?: number) =>
  watchVault(config, () => config.chain.nodes, silent, everyMs)

describe('a quote key that the vault’s administrator has replaced', { timeout: 120_000 }, () => {
  it('is detected while the api runs, and so is its return', async () => {
    const check = await startWatch(configWith(), 25)
    try {
      expect(check.onlineRefusal()).toBeNull()
      await replaceSigner(another)
      await waitUntil(async () => expect(check.onlineRefusal()).toBe('payments-unavailable'))
      await replaceSigner(ours())
      await waitUntil(async () => expect(check.onlineRefusal()).toBeNull())
    } finally {
      check.stop()
    }
  })

  it('stops orders with an online part; orders from the balance still work', async () => {
    const buyer = await market.buyer()
    await market.deposit(buyer.wallet, 'USDT', 150_000_000n)
    await market.finalize()
    await replaceSigner(another)
    const api = await startTestApi(market.apiEnvironment, market.database)
    try {
      expect(api.logs()).toContain(`the vault accepts quotes of ${another}: nothing is sold online`)
      const order = (balancePart: string) =>
        api.call(
          'promotion/order',
          {
            account: buyer.wallet.address,
            key: randomUUID(),
            planVersion: 1,
            level: 1,
            balancePart,
            ...(balancePart === '0' ? {} : { password: PASSWORD }),
          },
          { token: buyer.token, headers: { 'accept-language': 'zh-TW' } },
        )
      for (const balancePart of ['0', '40']) {
        const { status, body } = await order(balancePart)
        expect([status, body.reason]).toEqual([503, 'payments-unavailable'])
        expect(body.message).toContain('暫停以錢包付款')
      }
      expect(await market.readOverview(buyer)).toMatchObject({ level: 0, available: '150', open: null })
      expect((await order('100')).body.data).toMatchObject({ status: 1, state: 'success' })
    } finally {
      await api.close()
      await replaceSigner(ours())
    }
  })

  it('prevents a production api from starting', async () => {
    const production = { ...configWith({ QUOTE_KEY: generatePrivateKey() }), profile: 'production' as const }
    await expect(startWatch(production)).rejects.toThrow('whose quotes the vault does not accept')
    const right = await startWatch({ ...configWith(), profile: 'production' })
    right.stop()
    expect(right.onlineRefusal()).toBeNull()
  })

  it('is assumed to be right until a node answers, and is checked then', async () => {
    const node = await startUnreliableNode(market.anvil.rpcUrl)
    node.mode = 'fail'
    const wrong = configWith({ CHAIN_RPC_URL: node.rpcUrl, QUOTE_KEY: generatePrivateKey() })
    const check = await startWatch({ ...wrong, profile: 'production' }, 25)
    try {
      expect(check.onlineRefusal()).toBeNull()
      node.mode = 'work'
      await waitUntil(async () => expect(check.onlineRefusal()).toBe('payments-unavailable'))
    } finally {
      check.stop()
      await node.close()
    }
  })
})

describe('a paused vault', { timeout: 120_000 }, () => {
  it('is detected while the api runs, and so is the end of the pause', async () => {
    const watch = await startWatch({ ...configWith(), profile: 'production' }, 25)
    try {
      expect(watch.onlineRefusal()).toBeNull()
      await pauseVault()
      await waitUntil(async () => expect(watch.onlineRefusal()).toBe('vault-paused'))
      await callVault('unpause')
      await waitUntil(async () => expect(watch.onlineRefusal()).toBeNull())
    } finally {
      watch.stop()
    }
  })

  it('does not prevent a production api from starting', async () => {
    await pauseVault()
    try {
      const watch = await startWatch({ ...configWith(), profile: 'production' })
      watch.stop()
      expect(watch.onlineRefusal()).toBe('vault-paused')
    } finally {
      await callVault('unpause')
    }
  })

  it('stops new orders with an online part, in the language of the member; a payment made before still counts', async () => {
    const [early, late] = [await market.buyer(), await market.buyer()]
    await market.deposit(late.wallet, 'USDT', 150_000_000n)
    const paid = await market.placeOrder(early)
    await market.pay(early.wallet, paid.quote)
    await pauseVault()
    const api = await startTestApi(market.apiEnvironment, market.database)
    const order = (from: TestApi, balancePart: string, language = 'en') =>
      from.call(
        'promotion/order',
        {
          account: late.wallet.address,
          key: randomUUID(),
          planVersion: 1,
          level: 1,
          balancePart,
          ...(balancePart === '0' ? {} : { password: PASSWORD }),
        },
        { token: late.token, headers: { 'accept-language': language } },
      )
    try {
      await market.finalize()
      expect(await market.readOrder(early, paid.id)).toMatchObject({ status: 1, state: 'success' })
      for (const balancePart of ['0', '40'])
        for (const [language, words] of [
          ['en', 'The vault is paused'],
          ['zh-TW', '金庫目前暫停收款'],
          ['zh-CN', '金库目前暂停收款'],
        ] as const) {
          const { status, body } = await order(api, balancePart, language)
          expect([status, body.reason]).toEqual([503, 'vault-paused'])
          expect(body.message).toContain(words)
        }
      expect(await market.readOverview(late)).toMatchObject({ level: 0, available: '150', open: null })
      expect((await order(api, '100')).body.data).toMatchObject({ status: 1, state: 'success' })
    } finally {
      await api.close()
      await callVault('unpause')
    }
    const after = await startTestApi(market.apiEnvironment, market.database)
    const next = { account: late.wallet.address, key: randomUUID(), planVersion: 1, level: 2, balancePart: '0' }
    const made = await after.call('promotion/order', next, { token: late.token })
    await after.close()
    expect(made.body.data).toMatchObject({ status: 2, quote: expect.anything() })
  })
})
