import { randomUUID } from 'node:crypto'
import { type Asset, ok, type Result } from '@lode/kernel'
import { type Address, getAddress, numberToHex, pad, toHex } from 'viem'
import type { PoolContracts } from '../../../platform/config/pool-contracts.ts'
import { connectDatabase } from '../../../platform/db/database.ts'
import { createTestClock } from '../../../testing/clock.ts'
import { createTestDatabase } from '../../../testing/database.ts'
import { decideBy, holdCeremony } from '../../../testing/operators.ts'
import { post, type Transaction } from '../../ledger/index.ts'
import { createOperators, type Question } from '../../operators/index.ts'
import { createPlans } from '../../plan/index.ts'
import type { TreasuryAccount } from '../accounts.ts'
import { applyDecisions } from '../apply.ts'
import { listAddress, listingQuestion, paymentQuestion, returnQuestion } from '../questions.ts'

const numbered = (number: number): Address => getAddress(pad(numberToHex(number), { size: 20 }))

const contracts: PoolContracts = {
  vault: numbered(0xa0),
  firstBlock: 1n,
  tokens: {
    USDT: { address: numbered(0xa1), decimals: 6 },
    BTN: { address: numbered(0xa2), decimals: 18 },
    BTC: { address: numbered(0xa3), decimals: 8 },
  },
  priceFeeds: { BTC: numbered(0xa4), BTN: numbered(0xa5) },
}

const LISTED_SECONDS = 48 * 3_600

export type Treasury = Awaited<ReturnType<typeof openTreasury>>

/** A pool with two operators. Its money is posted without a chain. */
export async function openTreasury() {
  const database = await createTestDatabase()
  const as = (role: 'lode_worker' | 'lode_signer') =>
    connectDatabase(database.urlOf(role), { name: 'treasury test', max: 4 })
  const [worker, signer] = [as('lode_worker'), as('lode_signer')]
  const pool = { pool: contracts.vault, chainId: 31_337 }
  const owner = database.db
  const { alice, bob, ceremony } = await holdCeremony(owner, pool)
  const clock = createTestClock(owner)
  const operators = createOperators({ ...pool, ceremony })
  const plans = createPlans({ decimals: { USDT: 6, BTN: 18, BTC: 8 }, operators: null })

  const decide = (question: Result<Question, string>, by = [alice, bob]): Promise<void> => {
    if (!question.ok) throw new Error(question.error)
    return decideBy(owner, pool, question.value, by)
  }

  return {
    database,
    owner,
    worker: worker.db,
    signer: signer.db,
    pool,
    contracts,
    operators,
    alice,
    bob,
    ceremony,
    clock,
    decide,

    apply: () => applyDecisions(worker.db, { operators, plans, contracts }),

    async fund(account: TreasuryAccount | 'reserve:airdrop', asset: Asset, amount: bigint): Promise<void> {
      const type = account.startsWith('reserve:') ? 'reserveFunding' : 'promotionPaid'
      const moves = [{ asset, amount, from: 'custody:vault', to: account }]
      await post(worker.db, [{ type, key: newLog(), moves } as unknown as Transaction])
    },

    async suspend(address: Address, asset: Asset, amount: bigint): Promise<void> {
      const moves = [{ asset, amount, from: 'custody:vault', to: { kind: 'suspense:address', address } }]
      await post(worker.db, [{ type: 'suspenseDeposit', key: newLog(), moves } as unknown as Transaction])
    },

    /** Lists an address by both operators, long ago unless `fresh` is set. */
    async list(address: Address, { fresh = false } = {}): Promise<void> {
      const question = await listingQuestion(owner, contracts, { address, note: 'the hosting company' })
      if (!question.ok) throw new Error(question.error)
      await decideBy(owner, pool, question.value, [alice, bob], async (inside, { id, complete }) =>
        complete ? listAddress(inside, id, address) : ok(null),
      )
      if (!fresh) await clock.advance(LISTED_SECONDS)
    },

    ask: (asked: Partial<Parameters<typeof paymentQuestion>[2]> & { address: Address }) =>
      paymentQuestion(
        owner,
        { operators, contracts },
        { from: 'pool:mining', symbol: 'USDT', amount: 5n, evidence: 'invoice 17', ...asked },
      ),

    askReturn: (asked: { address: Address; symbol?: Asset; amount: bigint }) =>
      returnQuestion(owner, contracts, { symbol: 'USDT', note: 'asked for by mail', ...asked }),

    async close(): Promise<void> {
      await Promise.all([worker.close(), signer.close()])
      await database.drop()
    },
  }
}

const newLog = (): string => `chain:31337:${toHex(randomUUID().replaceAll('-', ''))}:0`

export const newAddress = (): Address => getAddress(`0x${randomUUID().replaceAll('-', '').padEnd(40, 'e')}`)
