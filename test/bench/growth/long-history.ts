import pg from 'pg'
import { accountCodes, hash, lineCodes, withoutTriggers } from './fill-pool.ts'
import { readers } from './measured-reads.ts'

/**
 * Gives the measured members a longer history, as if they had been active for the 80 days before: `rows` deposits, missed
 * and paid rewards and canceled orders to the one, `rows` deposits and a tenth as many pledges to the other, and a tenth as
 * many invited members to both. Only what the reads show is written, so nothing can be checked or bought there.
 */
export async function addHistory(ownerUrl: string, rows: number): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    await withoutTriggers(client, async () => {
      for (const { id } of readers)
        for (const statement of [...deposits(id, rows), ...invited(id, rows / 10)]) await client.query(statement)
      const [buyer, pledger] = readers
      if (!buyer || !pledger) throw new Error('there are two readers')
      for (const statement of [
        ...rewards(buyer.id, rows),
        ...canceledOrders(buyer.id, rows),
        ...pledges(pledger.id, rows / 10),
      ])
        await client.query(statement)
    })
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}

const at = (rows: number): string => `now() - interval '81 days' + i::float8 / ${rows} * interval '80 days'`

function deposits(member: number, rows: number): string[] {
  const own = `(${member}::bigint << 14) + ${accountCodes.availableUsdt}`
  // Any of its rows that has postings.
  const vault = `${accountCodes.vaultUsdt} + 17`
  const key = `'chain:31337:0x' || encode(${hash(`'history' || ${member} || '/' || i`)}, 'hex') || ':0'`
  const series = `generate_series(1::bigint, ${rows}) i`
  return [
    `create unlogged table public.base as
     select (select max(id) from lode.ledger_transaction) as id,
            coalesce((select version from lode.ledger_account where id = ${own}), 0) as version,
            coalesce((select balance from lode.ledger_account where id = ${own}), 0) as balance,
            (select version from lode.ledger_account where id = ${vault}) as vault_version,
            (select balance from lode.ledger_account where id = ${vault}) as vault_balance`,
    `insert into lode.ledger_transaction (id, member, key, input_hash, type, posted_at)
     select base.id + i, 0, ${key}, ${hash(key)}, 1, ${at(rows)} from public.base, ${series}`,
    `insert into lode.log_line (member, asset, id, type, operation, transaction, phase, amount, fee, at)
     select ${member}, 1, 8 * (base.id + i), ${lineCodes.transferIn}, ${key}, base.id + i, 'confirmed', 1000000, 0, ${at(rows)}
     from public.base, ${series}`,
    `insert into lode.posting (member, account, version, transaction, line, amount, balance_after)
     select ${member}, ${own}, base.version + i, base.id + i, 8 * (base.id + i), 1000000, base.balance + i * 1000000
     from public.base, ${series}
     union all
     select 0, ${vault}, vault_version + i, base.id + i, null, -1000000, vault_balance - i * 1000000 from public.base, ${series}`,
    `insert into lode.ledger_account (id, floor, balance, version)
     select ${own}, 0, base.balance + ${rows}::numeric * 1000000, base.version + ${rows} from public.base
     on conflict (id) do update set balance = excluded.balance, version = excluded.version`,
    `update lode.ledger_account set balance = balance - ${rows}::numeric * 1000000, version = version + ${rows} where id = ${vault}`,
    `insert into lode.ledger_day_sum as kept (member, asset, type, day, amount, fee)
     select ${member}, 1, ${lineCodes.transferIn}, floor(extract(epoch from ${at(rows)}) / 86400)::int, sum(1000000), 0
     from ${series} group by 4
     on conflict (member, asset, type, day) do update set amount = kept.amount + excluded.amount`,
    `select setval('lode.ledger_transaction_id', base.id + ${rows}), setval('lode.log_line_id', 8 * (base.id + ${rows} + 1)) from public.base`,
    'drop table public.base',
  ]
}

const invited = (member: number, count: number): string[] => [
  `insert into lode.member (account, invite_code, sponsor_id, level, lang, created_at, last_login_at)
   select substring(${hash(`'invited' || ${member} || '/' || i`)} for 20), upper(lpad(to_hex(${member} * 1000000 + i), 8, 'F')), ${member}, 0, 'en',
          ${at(count)}, now()
   from generate_series(1::bigint, ${count}) i`,
]

/** Each is of an order of its own, of another buyer. Half of them were missed. */
const rewards = (member: number, count: number): string[] => [
  `insert into lode.pay_order
     (id, member_id, type, plan_version, asset, amount, balance_part, made_at, level, power, airdrop, ended, ended_at, settlement,
      to_mining, airdrop_paid)
   select md5('rewarding' || i)::uuid, 1, 1, 1, 'USDT', 100000000, 100000000, ${at(count)}, 1, 2, 0, 'success', ${at(count)},
          (select max(settlement) from lode.pay_order) + i, 90000000, false
   from generate_series(1::bigint, ${count}) i`,
  `insert into lode.reward (member_id, order_id, type, layer, basis_points, amount, failed, at)
   select ${member}, md5('rewarding' || i)::uuid, 'upLevelReward', 1 + i % 5, 200, 2000000,
          case i % 2 when 0 then 'level-below' end, ${at(count)}
   from generate_series(1::bigint, ${count}) i`,
]

const canceledOrders = (member: number, count: number): string[] => [
  `insert into lode.pay_order
     (id, member_id, type, plan_version, asset, amount, balance_part, made_at, deadline, level, power, airdrop, cancelled_at, ended,
      ended_at, failure)
   select md5('canceled' || i)::uuid, ${member}, 1, 1, 'USDT', 200000000, 0, ${at(count)}, ${at(count)}, 2, 4, 0, ${at(count)}, 'failed',
          ${at(count)}, 'cancelled'
   from generate_series(1::bigint, ${count}) i`,
]

/** Small ones, so that the days that were closed before can pay for them. */
const pledges = (member: number, count: number): string[] => [
  `insert into lode.pay_order
     (id, member_id, type, plan_version, asset, amount, balance_part, made_at, term_days, term_weight, weight, ended, ended_at, settlement)
   select md5('pledged' || i)::uuid, ${member}, 3, 1, 'BTN', 1000000000000000000, 1000000000000000000, ${at(count)}, 360, 15000, 15000,
          'success', ${at(count)}, (select max(settlement) from lode.pay_order) + i
   from generate_series(1::bigint, ${count}) i`,
  `insert into lode.pledge (id, member_id, amount, weight, start_day, end_day)
   select id, member_id, amount, weight, lode.day_of(made_at) + 1, lode.day_of(made_at) + 361
   from lode.pay_order where member_id = ${member} and id in (select md5('pledged' || i)::uuid from generate_series(1::bigint, ${count}) i)`,
]
