import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { replaceCodeNames } from '../../platform/db/named-codes.ts'
import { withoutCauseChecks } from '../../testing/cause-checks.ts'
import type { TestMember } from '../../testing/member.ts'
import { causeFindings, codeNamed, readBalances } from '../ledger/index.ts'
import { payoutFindings } from '../payout/index.ts'
import { idOf, startTransferFixture, type TransferFixture } from './testing/transfer-fixture.ts'

/** What a stolen password of `lode_api` lets a thief try. Each attack is a script in testing/attacks. */

let fixture: TransferFixture
let victim: TestMember
let victimId: bigint
let thiefId: bigint
beforeAll(async () => {
  fixture = await startTransferFixture()
  victim = await fixture.member({ USDT: '100' })
  victimId = await idOf(fixture.owner, victim)
  thiefId = await idOf(fixture.owner, await fixture.member())
})
afterAll(() => fixture.close())

async function attack(script: string, values: Readonly<Record<string, string | bigint>>): Promise<void> {
  const url = new URL(`./testing/attacks/${script}.sql`, import.meta.url)
  let text = replaceCodeNames(await readFile(url, 'utf8'), codeNamed)
  for (const [name, value] of Object.entries(values)) text = text.replaceAll(`:${name}`, String(value))
  await fixture.asApi.connection().execute(async (connection) => {
    try {
      await sql.raw(text).execute(connection)
    } finally {
      await sql`rollback`.execute(connection)
    }
  })
}

const usdtOf = async (member: bigint) => (await readBalances(fixture.owner, member)).USDT
const findings = async () => [...(await causeFindings(fixture.owner)), ...(await payoutFindings(fixture.owner))]

describe('a thief with the api’s database role', () => {
  it('cannot take a member’s money: it needs an order, and the order’s parts go where the plan says', async () => {
    const values = { victim: victimId, thief: thiefId, order: randomUUID(), amount: 100_000_000n }
    await expect(attack('take-a-members-money', values)).rejects.toThrow('has no cause that explains it')
    expect((await usdtOf(victimId)).available).toBe(100_000_000n)
    expect((await usdtOf(thiefId)).available).toBe(0n)
    expect(await findings()).toEqual([])

    await withoutCauseChecks(fixture.owner, () => attack('take-a-members-money', values))
    expect((await usdtOf(thiefId)).available).toBe(100_000_000n)
    expect(await findings()).toEqual([
      `orderReserve order:${values.order} of member ${victimId} has no cause that explains it`,
      `promotionByBalance order:${values.order}:settle of member ${victimId} has no cause that explains it`,
    ])
  })

  it('cannot unfreeze a transfer that is signed', async () => {
    const member = await fixture.member({ USDT: '100' })
    const memberId = await idOf(fixture.owner, member)
    const { id } = await fixture.makeOrder(member)
    await sql`
      with signed as (
        insert into lode.release (kind, payer, nonce, call, gas)
        values ('payouts', decode(repeat('11', 20), 'hex'), 7, decode('00', 'hex'), 1) returning number)
      update lode.payout set release_number = (select number from signed) where id = ${id}`.execute(fixture.owner)
    const values = { victim: memberId, transfer: id, amount: 11_000_000n }
    await expect(attack('release-a-signed-transfer', values)).rejects.toThrow('has no cause that explains it')
    expect((await usdtOf(memberId)).frozenOut).toBe(11_000_000n)

    await withoutCauseChecks(fixture.owner, () => attack('release-a-signed-transfer', values))
    expect((await usdtOf(memberId)).frozenOut).toBe(0n)
    expect(await findings()).toEqual(
      expect.arrayContaining([
        `transferRelease transfer:${id}:release of member ${memberId} has no cause that explains it`,
        `member ${memberId} has other money frozen than its open transfers add up to`,
      ]),
    )
  })

  it('cannot use a key under which the worker will post', async () => {
    const member = await idOf(fixture.owner, await fixture.member({ USDT: '100' }))
    await expect(attack('spend-a-key-of-the-worker', { victim: member, order: randomUUID() })).rejects.toThrow(
      'has no cause that explains it',
    )
  })

  it('cannot request a transfer whose money is not frozen', async () => {
    const member = await fixture.member({ USDT: '100' })
    const memberId = await idOf(fixture.owner, member)
    const { rows } = await sql<{ id: string }>`
      select id from lode.session where member_id = ${memberId}`.execute(fixture.owner)
    const values = { victim: memberId, session: rows[0]?.id ?? '', transfer: randomUUID() }
    await expect(attack('pay-out-what-is-not-frozen', values)).rejects.toThrow('is not in the ledger')
    await withoutCauseChecks(fixture.owner, () => attack('pay-out-what-is-not-frozen', values))
    expect(await findings()).toContain(`member ${memberId} has a payout whose money was never set aside in the ledger`)
  })

  it('cannot take the id of a payment that operators have decided on', async () => {
    const member = await fixture.member({ USDT: '100' })
    const memberId = await idOf(fixture.owner, member)
    const { rows } = await sql<{ id: string }>`
      select id from lode.session where member_id = ${memberId}`.execute(fixture.owner)
    for (const subject of ['treasury', 'suspense']) {
      const transfer = randomUUID()
      await sql`
        insert into lode.decision (subject, verb, body, expires_at)
        values (${`${subject}:${transfer}`}, 'pay', ${transfer}, lode.now() + interval '1 day')`.execute(fixture.owner)
      const values = { victim: memberId, session: rows[0]?.id ?? '', transfer }
      await expect(attack('pay-out-what-is-not-frozen', values)).rejects.toThrow(
        'belongs to a payment that operators have decided on',
      )
    }
  })

  it('cannot write what an old snapshot allows', async () => {
    const transaction = fixture.asApi.transaction().setIsolationLevel('repeatable read')
    const opening = transaction.execute((trx) =>
      sql`
        insert into lode.session (id, token_hash, member_id, mode)
        values (${randomUUID()}, ${Buffer.alloc(32)}, ${victimId}, 'full')`.execute(trx),
    )
    await expect(opening).rejects.toThrow('written only under read committed')
  })

  it('cannot end the log line of another transfer, which then could be neither paid nor canceled', async () => {
    const member = await fixture.member({ USDT: '100' })
    const memberId = await idOf(fixture.owner, member)
    const [canceled, other] = [await fixture.makeOrder(member), await fixture.makeOrder(member)]
    const values = { victim: memberId, canceled: canceled.id, other: other.id }
    await expect(attack('end-another-line', values)).rejects.toThrow('has no cause that explains it')
    expect((await fixture.cancel(member, other.id)).status).toBe(200)

    const third = await fixture.makeOrder(member)
    await withoutCauseChecks(fixture.owner, () => attack('end-another-line', { ...values, other: third.id }))
    expect(await findings()).toContain(
      `transferRelease transfer:${canceled.id}:release of member ${memberId} has no cause that explains it`,
    )
  })
})
