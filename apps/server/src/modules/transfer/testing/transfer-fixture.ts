import { randomUUID } from 'node:crypto'
import { type Asset, parseAmount } from '@lode/kernel'
import { type DataOf, orderTypes, type RequestOf } from '@lode/wire'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import { connectDatabase, type Database } from '../../../platform/db/database.ts'
import { type Answer, startTestApi, type TestApi, testPool } from '../../../testing/api.ts'
import { PASSWORD, registerWithFundPassword, type TestMember } from '../../../testing/member.ts'
import { holdCeremony } from '../../../testing/operators.ts'
import { examplePlanText, publishFirstPlan } from '../../../testing/plan.ts'
import { post, type Transaction } from '../../ledger/index.ts'
import { writeSignerState } from '../../payout/index.ts'
import { createPlans } from '../../plan/index.ts'

export type TransferOrder = DataOf<'transfer/order'>
type OrderInput = Partial<Omit<RequestOf<'transfer/order'>, 'account'>>

export const DECIMALS = { USDT: 6, BTN: 18, BTC: 8 } as const
export const publishedPlans = () => createPlans({ decimals: DECIMALS, operators: null })

/** A browser's id. A member who registered with it is not held for a new browser. */
const DEVICE = 'BrowserOfRegistration0'

const toSmallestUnits = <A extends Asset>(asset: A, text: string): bigint => {
  const amount = parseAmount(asset, DECIMALS[asset], text)
  if (!amount.ok) throw new Error(`${text} is no amount of ${asset}`)
  return amount.value
}

export type TransferFixture = Awaited<ReturnType<typeof startTransferFixture>>

/** An api with the example plan, and members whose balances are posted without a chain. */
export async function startTransferFixture(
  environment: Record<string, string> = {},
  plan: string | null = examplePlanText,
) {
  const api = await startTestApi(environment)
  const operators =
    plan === null ? await holdCeremony(api.db, testPool()) : await publishFirstPlan(api.db, testPool(), plan)
  const as = (role: 'lode_api' | 'lode_worker' | 'lode_signer') =>
    connectDatabase(api.database.urlOf(role), { name: 'transfer test', max: 4 })
  const [asApi, worker, signer] = [as('lode_api'), as('lode_worker'), as('lode_signer')]
  const signerReports = (ceremony: Hex | null = operators.ceremony): Promise<void> =>
    writeSignerState(signer.db, ceremony)
  await signerReports()
  return {
    api,
    ...operators,
    owner: api.db,
    asApi: asApi.db,
    worker: worker.db,
    signer: signer.db,
    /** Reports as a running signer that pins this ceremony; by default that of the pool's operators. */
    signerReports,

    /** A member with a fund password, a level and these balances. */
    async member(holding: Partial<Record<Asset, string>> = {}, level = 5): Promise<TestMember> {
      const member = await registerWithFundPassword(api, PASSWORD, DEVICE)
      const id = await idOf(api.db, member)
      await sql`update lode.member set level = ${level} where id = ${id}`.execute(api.db)
      for (const [asset, amount] of Object.entries(holding)) await credit(worker.db, id, asset as Asset, amount)
      return member
    },

    tryOrder: (member: TestMember, input: OrderInput = {}) => orderTransfer(api, member, input),

    async makeOrder(member: TestMember, input: OrderInput = {}): Promise<TransferOrder> {
      const { status, body } = await orderTransfer(api, member, input)
      if (status !== 200) throw new Error(JSON.stringify(body))
      return body.data
    },

    cancel: ({ wallet, token }: TestMember, id: string, key = newKey()): Promise<Answer<TransferOrder>> =>
      api.call('transfer/cancel', { account: wallet.account, key, id }, { token }),

    async detail({ wallet, token }: TestMember, id: string): Promise<TransferOrder> {
      const { data } = (await api.call('order/detail', { account: wallet.account, id }, { token })).body
      if (data.type !== orderTypes.transferOut) throw new Error(`${id} is no transfer`)
      return data
    },

    async terms({ wallet, token }: TestMember): Promise<DataOf<'transfer/terms'>> {
      return (await api.call('transfer/terms', { account: wallet.account }, { token })).body.data
    },

    async close() {
      await Promise.all([asApi.close(), worker.close(), signer.close()])
      await api.close()
    },
  }
}

/** A new idempotency key, as the app makes one for each press. */
export const newKey = (): string => randomUUID()

export const orderTransfer = (
  api: TestApi,
  { wallet, token }: TestMember,
  input: OrderInput = {},
): Promise<Answer<TransferOrder>> =>
  api.call(
    'transfer/order',
    {
      account: wallet.account,
      key: newKey(),
      planVersion: 1,
      address: wallet.account,
      symbol: 'USDT',
      amount: '10',
      password: PASSWORD,
      ...input,
    },
    { token },
  )

export async function idOf(db: Database, { wallet }: Pick<TestMember, 'wallet'>): Promise<bigint> {
  const { rows } = await sql<{ id: bigint }>`
    select id from lode.member where account = decode(${wallet.account.slice(2)}, 'hex')`.execute(db)
  const [row] = rows
  if (!row) throw new Error('no member has this wallet address')
  return row.id
}

/** A deposit without a chain. */
export async function credit(worker: Database, member: bigint, asset: Asset, amount: string): Promise<void> {
  const log = `0x${randomUUID().replaceAll('-', '').padStart(64, '0')}:0`
  const to = { kind: 'available', member, line: { type: 'transferIn', operation: log } }
  const move = { asset, amount: toSmallestUnits(asset, amount), from: 'custody:vault', to }
  await post(worker, [{ type: 'deposit', key: `chain:31337:${log}`, moves: [move] } as unknown as Transaction])
}
