import { units } from '@lode/kernel'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../platform/db/database.ts'
import { checkAfterTampering } from '../../testing/check-after-tampering.ts'
import { causeFindings, post } from '../ledger/index.ts'
import { payoutFindings } from '../payout/index.ts'
import { idOf, startTransferFixture, type TransferFixture } from './testing/transfer-fixture.ts'

/** What the audit finds about payouts, after the owner changed a row. */

const TX = `0x${'5e'.repeat(32)}` as const

let fixture: TransferFixture
beforeAll(async () => {
  fixture = await startTransferFixture()
  await sql`
    insert into lode.chain_state (chain_id, vault, genesis_hash, posted_number, posted_hash, posted_time)
    values (31337, ${Buffer.alloc(20)}, ${Buffer.alloc(32)}, 0, ${Buffer.alloc(32)}, lode.now())`.execute(fixture.owner)
  const member = await fixture.member({ USDT: '100' })
  const memberId = await idOf(fixture.owner, member)
  await fixture.makeOrder(member)
  const canceled = await fixture.makeOrder(member, { amount: '11' })
  await fixture.cancel(member, canceled.id)
  const { id } = await fixture.makeOrder(member, { amount: '12' })
  const from = { kind: 'frozenOut', member: memberId, line: { type: 'transferOut', operation: id } } as const
  await fixture.worker.transaction().execute(async (trx) => {
    const moves = [
      { asset: 'USDT', amount: units('USDT', 12_000_000n), from, to: 'custody:vault' },
      { asset: 'USDT', amount: units('USDT', 1_000_000n), from, to: 'pool:operations' },
    ] as const
    await post(trx, [{ type: 'transferPaid', key: `chain:31337:${TX}:0`, moves }])
    await sql`select lode.settle_payout(${id}, decode(${TX.slice(2)}, 'hex'), 0, lode.now())`.execute(trx)
  })
})
afterAll(() => fixture.close())

const findings = async (db: Database) => [...(await causeFindings(db)), ...(await payoutFindings(db))]

it('finds nothing if nothing was changed', async () => {
  expect(await findings(fixture.owner)).toEqual([])
})

const OPEN = 'ended is null'
it.each([
  [
    'a payout with nothing frozen',
    `insert into lode.payout (id, kind, asset, amount, address, member_id, plan_version, level)
     select gen_random_uuid(), kind, asset, amount, address, member_id, plan_version, level from lode.payout where ${OPEN}`,
    /never set aside/,
  ],
  [
    'a transfer of one unit more',
    `update lode.payout set amount = amount + 1 where ${OPEN}`,
    /^transferRequest .* no cause/,
  ],
  ['a transfer without its fee', `update lode.payout set fee = 0 where ${OPEN}`, /^transferRequest .* no cause/],
  [
    'a freeze in the name of another member',
    `update lode.ledger_transaction set member = 1
     where key = (select 'transfer:' || id from lode.payout where ${OPEN})`,
    /^transferRequest .* no cause/,
  ],
  [
    'a release of the log line of something else',
    `update lode.log_line set operation = 'x' where operation = (select id::text from lode.payout where ended = 'cancelled')`,
    /^transferRelease .* no cause/,
  ],
  [
    'a payment of the log line of something else',
    `update lode.log_line set operation = 'x' where operation = (select id::text from lode.payout where ended = 'final')`,
    /^transferPaid .* no cause/,
  ],
  ['a freeze without a transfer', `delete from lode.payout where ${OPEN}`, /^transferRequest .* no cause/],
  [
    'a transfer that is canceled and still frozen',
    `update lode.payout set ended = 'cancelled', ended_at = now() where ${OPEN}`,
    /the ledger does not know it/,
  ],
  [
    'a release of a transfer that goes on',
    `update lode.payout set ended = null, ended_at = null where ended = 'cancelled'`,
    /^transferRelease .* no cause/,
  ],
  [
    'a payment by another log',
    `update lode.payout set paid_log_index = 1 where ended = 'final'`,
    /^transferPaid .* no cause/,
  ],
  [
    'a fee that is burned and was not',
    `update lode.payout set fee_burned = 1 where ended = 'final'`,
    /^transferPaid .* no cause/,
  ],
  [
    'a payment out of another member’s money',
    `update lode.payout set member_id = 1 where ended = 'final'`,
    /^transferPaid .* no cause/,
  ],
])('finds %s', async (_, statement, finding) => {
  const found = await checkAfterTampering(fixture.owner, statement, findings)
  expect(found).toContainEqual(expect.stringMatching(finding))
})
