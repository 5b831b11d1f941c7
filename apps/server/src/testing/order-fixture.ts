import { randomUUID } from 'node:crypto'
import { poolVaultAbi } from '@lode/contracts'
import { quoteDomain, quoteTypes } from '@lode/contracts/terms'
import type { DataOf, RequestOf } from '@lode/wire'
import { sql } from 'kysely'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { createFirstMember } from '../modules/identity/index.ts'
import { type Answer, startTestApi } from './api.ts'
import { createTestClock } from './clock.ts'
import { PASSWORD, registerMember } from './member.ts'
import { publishFirstPlan, publishPlan } from './plan.ts'
import { startTestPool } from './pool.ts'
import { createTestWallet } from './wallet.ts'

export type Order = DataOf<'promotion/order'>
type Quote = NonNullable<Order['quote']>
type OrderInput = Partial<Omit<RequestOf<'promotion/order'>, 'account'>>

export type Buyer = {
  readonly wallet: PrivateKeyAccount
  readonly id: bigint
  readonly token: string
  /** The invitation code. */
  readonly code: string
}

export type OrderFixture = Awaited<ReturnType<typeof startOrderFixture>>

/** A pool with a chain, an api that signs quotes for its vault, and the example plan. The test starts the worker. */
export async function startOrderFixture({ wallets = 4, slotsInAnEpoch = 1 } = {}) {
  const pool = await startTestPool({ slotsInAnEpoch, wallets })
  const root = await createFirstMember(pool.db, createTestWallet().account)
  if (!root.ok) throw new Error(root.error)
  const poolId = { pool: pool.contracts.vault, chainId: pool.contracts.chainId }
  const operators = await publishFirstPlan(pool.db, poolId)
  const { alice, bob } = operators
  const apiEnvironment = { ...pool.environment, QUOTE_KEY: pool.keys.quoteSigner, LOG_LEVEL: 'error' }
  const api = await startTestApi(apiEnvironment, pool.database)
  const clock = createTestClock(pool.db, pool.anvil.rpcUrl)
  const unusedWallets = pool.wallets.slice()

  const order = ({ wallet, token }: Buyer, input: OrderInput = {}): Promise<Answer<Order>> => {
    const { balancePart = '0' } = input
    return api.call(
      'promotion/order',
      {
        account: wallet.address,
        key: randomUUID(),
        planVersion: 1,
        level: 1,
        balancePart,
        ...(balancePart === '0' ? {} : { password: PASSWORD }),
        ...input,
      },
      { token },
    )
  }

  return {
    ...pool,
    api,
    apiEnvironment,
    poolId,
    operators,
    rootCode: root.value,
    clock,
    order,

    /** Moves the clock and keeps all sessions open. The sessions come first, because a worker may sweep them. */
    async passTime(seconds: number): Promise<void> {
      const then = sql`lode.now() + make_interval(secs => ${seconds})`
      await sql`update lode.session set last_action_at = ${then}, created_at = ${then}`.execute(pool.db)
      await clock.advance(seconds)
    },

    /** Publishes the next version of the plan, which starts at once. */
    publishNextPlan: (text: string): Promise<number> => publishPlan(pool.db, poolId, [alice, bob], { text }),

    /** Registers a wallet that has money on the chain. */
    async buyer(invite = root.value): Promise<Buyer> {
      const wallet = unusedWallets.pop()
      if (!wallet) throw new Error('this fixture has no unused wallet left')
      const signing = { account: wallet.address, sign: (message: string) => wallet.signMessage({ message }) }
      const { token, setupCode } = await registerMember(api, signing, invite)
      const account = wallet.address
      const chosen = await api.call('account/fund-password', { account, setupCode, newPassword: PASSWORD }, { token })
      if (chosen.status !== 200) throw new Error(JSON.stringify(chosen.body))
      const { rows } = await sql<{ id: bigint; code: string }>`
        select id, invite_code as code from lode.member
        where account = decode(${account.slice(2)}, 'hex')`.execute(pool.db)
      const [row] = rows
      if (!row) throw new Error('the new member is not in the database')
      return { wallet, token, ...row }
    },

    async placeOrder(buyer: Buyer, input: OrderInput = {}): Promise<Order> {
      const { status, body } = await order(buyer, input)
      if (status !== 200) throw new Error(`${JSON.stringify(body)} ${api.logs()}`)
      return body.data
    },

    async readOrder({ wallet, token }: Buyer, id: string): Promise<Order> {
      const { body } = await api.call('order/detail', { account: wallet.address, id }, { token })
      if (body.data?.type !== 1) throw new Error(JSON.stringify(body))
      return body.data
    },

    cancelOrder: (
      { wallet, token }: Buyer,
      id: string,
      key: string = randomUUID(),
    ): Promise<Answer<DataOf<'order/cancel'>>> =>
      api.call('order/cancel', { account: wallet.address, key, id }, { token }),

    async readOverview({ wallet, token }: Buyer): Promise<DataOf<'promotion/overview'>> {
      return (await api.call('promotion/overview', { account: wallet.address }, { token })).body.data
    },

    async readRewards({ wallet, token }: Buyer): Promise<DataOf<'promotion/rewards'>['items']> {
      return (await api.call('promotion/rewards', { account: wallet.address }, { token })).body.data.items
    },

    payData,

    /** Approves and pays a quote from this wallet. */
    async pay(wallet: PrivateKeyAccount, quote: Quote | null): Promise<Hex> {
      if (!quote) throw new Error('there is nothing to pay')
      await pool.approve(wallet, 'USDT', BigInt(quote.amount))
      return pool.mined(pool.send(wallet, pool.contracts.vault, payData(quote)))
    },

    /** A quote as an attacker with the key would sign it. */
    async forgeQuote(quote: Omit<Quote, 'signature'>): Promise<Quote> {
      const message = {
        ...quote,
        orderId: quote.orderId as Hex,
        payer: quote.payer as Address,
        token: quote.token as Address,
      }
      const signature = await privateKeyToAccount(pool.keys.quoteSigner).signTypedData({
        domain: quoteDomain(pool.contracts.chainId, pool.contracts.vault),
        types: quoteTypes,
        primaryType: 'Quote',
        message: { ...message, amount: BigInt(quote.amount), deadline: BigInt(quote.deadline) },
      })
      return { ...quote, signature }
    },

    async close(): Promise<void> {
      await api.close()
      await pool.close()
    },
  }
}

const payData = (quote: Quote): Hex =>
  encodeFunctionData({
    abi: poolVaultAbi,
    functionName: 'pay',
    args: [
      {
        orderId: quote.orderId as Hex,
        payer: quote.payer as Address,
        token: quote.token as Address,
        amount: BigInt(quote.amount),
        deadline: BigInt(quote.deadline),
      },
      quote.signature as Hex,
    ],
  })
