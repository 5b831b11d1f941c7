import { randomUUID } from 'node:crypto'
import { type Asset, ok, type Result } from '@lode/kernel'
import { type Address, getAddress, numberToHex, pad, toHex } from 'viem'
import type { PoolContracts } from '../../../platform/config/pool-contracts.ts'
import { connectDatabase } from '../../../platform/db/database.ts'
import { withoutCauseChecks } from '../../../testing/cause-checks.ts'
import { createTestClock } from '../../../testing/clock.ts'
import { createTestDatabase } from '../../../testing/database.ts'
import { holdCeremony, signInTurn } from '../../../testing/operators.ts'
import { post, type Transaction } from '../../ledger/index.ts'
import { createOperators, type Proposal } from '../../operators/index.ts'
import { createPlans } from '../../plan/index.ts'
import type { TreasuryAccount } from '../accounts.ts'
import { applyDecisions } from '../apply-decisions.ts'
import { proposeListing, proposePayment, proposeReturn, storeListing } from '../proposals.ts'

const numberedAddress = (number: number): Address => getAddress(pad(numberToHex(number), { size: 20 }))

const contracts: PoolContracts = {
  vault: numberedAddress(0xa0),
  formerVaults: [],
  firstBlock: 1n,
  tokens: {
    USDT: { address: numberedAddress(0xa1), decimals: 6 },
    BTN: { address: numberedAddress(0xa2), decimals: 18 },
    BTC: { address: numberedAddress(0xa3), decimals: 8 },
  },
  priceFeeds: { BTC: numberedAddress(0xa4), BTN: numberedAddress(0xa5) },
}

const LISTING_WAIT_SECONDS = 48 * 3_600

export type TreasuryFixture = Awaited<ReturnType<typeof createTreasuryFixture>>

/** A pool with two operators. Its money is posted without a chain. */
export async function createTreasuryFixture() {
  const database = await createTestDatabase()
  const connectAs = (role: 'lode_worker' | 'lode_signer') =>
    connectDatabase(database.urlOf(role), { name: 'treasury test', max: 4 })
  const [worker, signer] = [connectAs('lode_worker'), connectAs('lode_signer')]
  const pool = { pool: contracts.vault, chainId: 31_337 }
  const owner = database.db
  const { alice, bob, ceremony } = await holdCeremony(owner, pool)
  const clock = createTestClock(owner)
  const operators = createOperators({ ...pool, ceremony })
  const plans = createPlans({ decimals: { USDT: 6, BTN: 18, BTC: 8 }, operators: null })

  const decide = (question: Result<Proposal, string>, by = [alice, bob]): Promise<void> => {
    if (!question.ok) throw new Error(question.error)
    return signInTurn(owner, pool, question.value, by)
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
      const funding = { type, key: newChainLogKey(), moves } as unknown as Transaction
      await withoutCauseChecks(owner, () => post(worker.db, [funding]))
    },

    async depositToSuspense(address: Address, asset: Asset, amount: bigint): Promise<void> {
      const moves = [{ asset, amount, from: 'custody:vault', to: { kind: 'suspense:address', address } }]
      await post(worker.db, [{ type: 'suspenseDeposit', key: newChainLogKey(), moves } as unknown as Transaction])
    },

    /** Lists an address by both operators, long ago unless `fresh` is set. */
    async list(address: Address, { fresh = false } = {}): Promise<void> {
      const question = await proposeListing(owner, contracts, { address, note: 'the hosting company' })
      if (!question.ok) throw new Error(question.error)
      await signInTurn(owner, pool, question.value, [alice, bob], async (trx, { id, complete }) =>
        complete ? storeListing(trx, id, address) : ok(null),
      )
      if (!fresh) await clock.advance(LISTING_WAIT_SECONDS)
    },

    draftPayment: (terms: Partial<Parameters<typeof proposePayment>[2]> & { address: Address }) =>
      proposePayment(
        owner,
        { operators, contracts },
        { from: 'pool:mining', symbol: 'USDT', amount: 5n, evidence: 'invoice 17', ...terms },
      ),

    draftReturn: (terms: { address: Address; symbol?: Asset; amount: bigint }) =>
      proposeReturn(owner, contracts, { symbol: 'USDT', note: 'asked for by mail', ...terms }),

    async close(): Promise<void> {
      await Promise.all([worker.close(), signer.close()])
      await database.drop()
    },
  }
}

const newChainLogKey = (): string => `chain:31337:${toHex(randomUUID().replaceAll('-', ''))}:0`

export const newAddress = (): Address => getAddress(`0x${randomUUID().replaceAll('-', '').padEnd(40, 'e')}`)
