import { randomUUID } from 'node:crypto'
import { poolVaultAbi } from '@lode/contracts'
import { pino } from 'pino'
import { type Address, encodeFunctionData } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readApiConfig } from '../../platform/config/config.ts'
import { checkQuoteKey, configOrRefuse } from '../../processes/start-up.ts'
import { startTestApi, testEnvironment } from '../../testing/api.ts'
import { type OrderFixture, PASSWORD, startOrderFixture } from '../../testing/order-fixture.ts'
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

describe('a quote key that the vault’s administrator has replaced', { timeout: 120_000 }, () => {
  it('is detected while the api runs, and so is its return', async () => {
    const check = await checkQuoteKey(configWith(), silent, 25)
    try {
      expect(check.isAccepted()).toBe(true)
      await replaceSigner(another)
      await waitUntil(async () => expect(check.isAccepted()).toBe(false))
      await replaceSigner(ours())
      await waitUntil(async () => expect(check.isAccepted()).toBe(true))
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
    await expect(checkQuoteKey(production, silent)).rejects.toThrow('whose quotes the vault does not accept')
    const right = await checkQuoteKey({ ...configWith(), profile: 'production' }, silent)
    right.stop()
    expect(right.isAccepted()).toBe(true)
  })

  it('is assumed to be right until a node answers, and is checked then', async () => {
    const node = await startUnreliableNode(market.anvil.rpcUrl)
    node.mode = 'fail'
    const wrong = configWith({ CHAIN_RPC_URL: node.rpcUrl, QUOTE_KEY: generatePrivateKey() })
    const check = await checkQuoteKey({ ...wrong, profile: 'production' }, silent, 25)
    try {
      expect(check.isAccepted()).toBe(true)
      node.mode = 'work'
      await waitUntil(async () => expect(check.isAccepted()).toBe(false))
    } finally {
      check.stop()
      await node.close()
    }
  })
})
