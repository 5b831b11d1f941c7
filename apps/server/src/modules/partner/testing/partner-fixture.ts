import { randomUUID } from 'node:crypto'
import { type Result, units } from '@lode/kernel'
import type { DataOf } from '@lode/wire'
import { sql } from 'kysely'
import type { Address } from 'viem'
import { readApiConfig } from '../../../platform/config/config.ts'
import { decimalsOf } from '../../../platform/config/pool-contracts.ts'
import { connectDatabase, type Database } from '../../../platform/db/database.ts'
import { type Answer, startTestApi, testEnvironment, testPool } from '../../../testing/api.ts'
import { registerMember, type TestMember } from '../../../testing/member.ts'
import { createTestOperator, signAs, signInTurn, type TestOperator } from '../../../testing/operators.ts'
import { examplePlanText, publishFirstPlan, publishPlan } from '../../../testing/plan.ts'
import { post, type Transaction } from '../../ledger/index.ts'
import { createOperators, proposeOperatorChange } from '../../operators/index.ts'
import { createPlans } from '../../plan/index.ts'
import { applyDecisions } from '../../treasury/index.ts'
import {
  type AppointmentProposal,
  proposeExpert,
  proposePartnerApproval,
  proposePartnerRejection,
} from '../proposals.ts'

export const BTN = 10n ** 18n

export type FixtureMember = TestMember & { readonly id: bigint }
export type PartnerFixture = Awaited<ReturnType<typeof openPartnerFixture>>

type Status = DataOf<'partner/status'>

/** A pool with an api, three operators, the example plan, and a worker connection. Tests call the worker's steps. */
export async function openPartnerFixture() {
  const api = await startTestApi()
  const { db: owner, database } = api
  const pool = testPool()
  const { alice, bob, ceremony } = await publishFirstPlan(owner, pool)
  const carol = createTestOperator('carol')
  const adding = await proposeOperatorChange(owner, pool, 'add', carol.operator)
  if (!adding.ok) throw new Error(adding.error)
  await signInTurn(owner, pool, adding.value, [alice, bob])

  const config = readApiConfig(testEnvironment(database))
  if (!config.ok) throw new Error(config.error.join('\n'))
  const { contracts } = config.value.chain
  const as = (role: 'lode_worker' | 'lode_operator' | 'lode_api') =>
    connectDatabase(database.urlOf(role), { name: 'partner fixture', max: 4 })
  const [worker, desk, apiRole] = [as('lode_worker'), as('lode_operator'), as('lode_api')]
  const operators = createOperators({ ...pool, ceremony: null })
  const plans = createPlans({ decimals: decimalsOf(contracts), operators: null })
  const deciding = { operators, plans }

  const sign = async (asked: Result<AppointmentProposal, string>, by: TestOperator): Promise<number | string> => {
    if (!asked.ok) return asked.error
    const { proposal, checkAtSigning } = asked.value
    return signAs(desk.db, pool, proposal, by, checkAtSigning)
  }

  let logs = 0
  return {
    api,
    owner,
    database,
    pool,
    alice,
    bob,
    carol,
    ceremony,
    operators,
    plans,
    worker: worker.db,
    desk: desk.db,
    apiRole: apiRole.db,
    clock: api.clock,

    apply: () => applyDecisions(worker.db, { operators, plans, contracts }),

    /** One operator signs, as with the command line. Returns the number of signatures, or why it was refused. */
    authorise: async (address: Address, by: TestOperator) => sign(await proposeExpert(desk.db, deciding, address), by),
    approve: async (address: Address, by: TestOperator) =>
      sign(await proposePartnerApproval(desk.db, deciding, address), by),
    reject: async (address: Address, by: TestOperator, note?: string) =>
      sign(await proposePartnerRejection(desk.db, deciding, { address, note }), by),
    /** As with `--new`: beside what another operator has begun. */
    rejectAnyway: async (address: Address, by: TestOperator, note: string) => {
      const asked = await proposePartnerRejection(desk.db, deciding, { address, note })
      if (!asked.ok) return asked.error
      const { proposal, checkAtSigning } = asked.value
      return signAs(desk.db, pool, { ...proposal, alwaysNew: true }, by, checkAtSigning)
    },
    sign,
    askApproval: (address: Address) => proposePartnerApproval(desk.db, deciding, address),

    publish: (text = examplePlanText): Promise<number> => publishPlan(owner, pool, [alice, bob], { text }),

    async fund(amount: bigint): Promise<void> {
      logs += 1
      const move = { asset: 'BTN', amount: units('BTN', amount), from: 'custody:vault', to: 'reserve:airdrop' } as const
      const [posted] = await post(worker.db, [
        { type: 'reserveFunding', key: `chain:31337:0x${logs.toString(16).padStart(64, '0')}:0`, moves: [move] },
      ])
      if (posted?.outcome !== 'posted') throw new Error('the reserve was not funded')
    },

    /** Posts an airdrop directly, as anyone with the worker's connection could. */
    async give(
      { id: member }: FixtureMember,
      { type, key, amount }: { type: 'airdropForAgent' | 'airdropForPartner'; key: string; amount: bigint },
      db: Database = worker.db,
    ): Promise<void> {
      const to = { kind: 'available', member, line: { type, operation: key } }
      const move = { asset: 'BTN', amount: units('BTN', amount), from: 'reserve:airdrop', to }
      await post(db, [{ type, member, key, moves: [move] } as unknown as Transaction])
    },

    async member(invite?: string): Promise<FixtureMember> {
      const member = await registerMember(api, undefined, invite)
      const { rows } = await sql<{ id: bigint }>`
        select id from lode.member where account = ${Buffer.from(member.wallet.account.slice(2), 'hex')}`.execute(owner)
      const [row] = rows
      if (!row) throw new Error('registered and not there')
      return { ...member, id: row.id }
    },

    async activate({ id }: FixtureMember): Promise<void> {
      await sql`update lode.member set level = 1 where id = ${id}`.execute(owner)
      await sql`select lode.add_activation(${id})`.execute(owner)
    },

    /** Adds this many members below the member, layer by layer. */
    async invite({ id }: FixtureMember, count: number): Promise<void> {
      await sql`
        with invited as (
          insert into lode.member (account, invite_code, sponsor_id, lang)
          select substring(sha256(convert_to(gen_random_uuid()::text, 'UTF8')) for 20),
                 upper(substring(md5(gen_random_uuid()::text) for 8)), ${id}, 'en'
          from generate_series(1, ${count}) returning id)
        select count(*) from invited`.execute(owner)
      await sql`
        select lode.place_member(id) from lode.member
        where sponsor_id = ${id} and not exists (select from lode.team_place where member_id = member.id)
        order by id`.execute(owner)
    },

    async status({ wallet, token }: FixtureMember): Promise<Status> {
      return (await api.call('partner/status', { account: wallet.account }, { token })).body.data
    },

    applyFor: ({ wallet, token }: FixtureMember, key: string = randomUUID()): Promise<Answer<Status>> =>
      api.call('partner/apply', { account: wallet.account, key }, { token }),

    async close(): Promise<void> {
      await Promise.all([worker.close(), desk.close(), apiRole.close()])
      await api.close()
    },
  }
}
