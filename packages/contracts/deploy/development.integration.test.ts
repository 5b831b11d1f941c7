import { type Address, createPublicClient, createWalletClient, getAddress, http, parseEventLogs, zeroHash } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { devAggregatorAbi, devUsdtAbi } from '../generated/dev/index.ts'
import { btnTokenAbi, poolVaultAbi } from '../generated/index.ts'
import { payoutOutcomes, quoteDomain, quoteTypes, reserveKinds } from '../terms.ts'
import {
  type DevelopmentContracts,
  deployDevelopment,
  deriveAddresses,
  memberBalances,
  randomKeys,
} from './development.ts'

declare module 'vitest' {
  interface ProvidedContext {
    stack: { rpcUrl: string }
  }
}

const { rpcUrl } = inject('stack')
const chain = createPublicClient({ transport: http(rpcUrl), pollingInterval: 50 })
const keys = randomKeys()
const roles = deriveAddresses(keys)
const member = privateKeyToAccount(generatePrivateKey())
let pool: DevelopmentContracts

const vault = () => ({ address: pool.vault, abi: poolVaultAbi }) as const

const wallet = (key: keyof typeof keys | 'member') =>
  createWalletClient({
    account: key === 'member' ? member : privateKeyToAccount(keys[key]),
    transport: http(rpcUrl),
  })

async function waitForReceipt(hash: Promise<`0x${string}`>) {
  const receipt = await chain.waitForTransactionReceipt({ hash: await hash })
  expect(receipt.status).toBe('success')
  return { ...receipt, told: parseEventLogs({ abi: poolVaultAbi, logs: receipt.logs }) }
}

const approve = (amount: bigint) =>
  waitForReceipt(
    wallet('member').writeContract({
      address: pool.usdt,
      abi: devUsdtAbi,
      chain: null,
      functionName: 'approve',
      args: [pool.vault, amount],
    }),
  )

const balanceOf = (token: Address, holder: Address) =>
  chain.readContract({ address: token, abi: btnTokenAbi, functionName: 'balanceOf', args: [holder] })

beforeAll(async () => {
  pool = await deployDevelopment({ rpcUrl, keys, members: [member.address] })
})

describe('a development pool', () => {
  test('has the right key in each role, and filled reserves', async () => {
    expect(await chain.readContract({ ...vault(), functionName: 'administrator' })).toBe(
      getAddress(roles.administrator),
    )
    expect(await chain.readContract({ ...vault(), functionName: 'quoteSigner' })).toBe(getAddress(roles.quoteSigner))
    expect(await chain.readContract({ ...vault(), functionName: 'coldStorage' })).toBe(getAddress(roles.coldStorage))

    const funded = await chain.getContractEvents({ ...vault(), eventName: 'ReserveFunded', fromBlock: pool.firstBlock })
    const millions = funded.map(({ args }) => Number((args.amount ?? 0n) / 10n ** 24n))
    expect(millions).toEqual([300, 200, 249, 250])
    expect(funded.map(({ args }) => reserveKinds[args.kind ?? 9])).toEqual(reserveKinds)
    expect(await balanceOf(pool.btn, roles.funder)).toBe(0n)
  })

  test('gives its members tokens and has price feeds', async () => {
    expect(await balanceOf(pool.usdt, member.address)).toBe(memberBalances.usdt)
    expect(await balanceOf(pool.btn, member.address)).toBe(memberBalances.btn)
    expect(await balanceOf(pool.btc, member.address)).toBe(memberBalances.btc)
    const feed = { address: pool.btcPriceFeed, abi: devAggregatorAbi } as const
    const [, answer] = await chain.readContract({ ...feed, functionName: 'latestRoundData' })
    expect(answer).toBe(60_000_00000000n)
  })

  test('accepts a payment with a quote that was signed off the chain, only once', async () => {
    const { timestamp } = await chain.getBlock()
    const quote = {
      orderId: `0x${'7'.repeat(64)}`,
      payer: member.address,
      token: pool.usdt,
      amount: 100_000_000n,
      deadline: timestamp + 1_800n,
    } as const
    const signature = await privateKeyToAccount(keys.quoteSigner).signTypedData({
      domain: quoteDomain(pool.chainId, pool.vault),
      types: quoteTypes,
      primaryType: 'Quote',
      message: quote,
    })
    await approve(quote.amount)
    const payment = { ...vault(), functionName: 'pay', args: [quote, signature] } as const
    const { told } = await waitForReceipt(wallet('member').writeContract({ ...payment, chain: null }))
    expect(told).toMatchObject([
      { eventName: 'Paid', args: { orderId: quote.orderId, payer: member.address, amount: quote.amount } },
    ])
    await expect(chain.simulateContract({ ...payment, account: member })).rejects.toThrow('QuoteSpent')
  })

  test('accepts a deposit and releases payouts to their receivers', async () => {
    await approve(50_000_000n)
    const deposited = await waitForReceipt(
      wallet('member').writeContract({
        ...vault(),
        chain: null,
        functionName: 'deposit',
        args: [pool.usdt, 50_000_000n],
      }),
    )
    expect(deposited.told).toMatchObject([{ eventName: 'Deposited', args: { from: member.address } }])

    const to = privateKeyToAccount(generatePrivateKey()).address
    const payouts = [
      { id: zeroHash, token: pool.usdt, to, amount: 50_000_000n },
      { id: zeroHash, token: pool.usdt, to, amount: 50_000_000n },
      { id: `0x${'1'.repeat(64)}`, token: pool.usdt, to: pool.vault, amount: 1n },
    ] as const
    const gas = await chain.readContract({ ...vault(), functionName: 'releaseGas', args: [3n] })
    const released = await waitForReceipt(
      wallet('payer').writeContract({ ...vault(), chain: null, functionName: 'release', args: [payouts], gas }),
    )
    expect(released.told).toMatchObject([
      { eventName: 'PayoutReleased', args: { id: zeroHash, to, amount: 50_000_000n } },
      { eventName: 'PayoutRepeated', args: { id: zeroHash } },
      { eventName: 'PayoutSkipped', args: { reason: payoutOutcomes.indexOf('token') } },
    ])
    expect(await balanceOf(pool.usdt, to)).toBe(50_000_000n)
  })
})
