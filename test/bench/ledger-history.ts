import pg from 'pg'

export const MEMBERS = 100_000
const AMOUNT = 1_000_000

/**
 * Fills a ledger with a history, written as superuser in bulk instead of posted: pairs of a deposit and an
 * `orderReserve`, four postings a pair, distributed over the members. Every member has both accounts at any size, so
 * that only the length of the history differs. `from` postings were filled before.
 */
export async function fillLedger(url: string, postings: number, from = 0): Promise<void> {
  const pairs = postings / 4
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const statements = [
    `insert into lode.member (account, invite_code, sponsor_id, lang)
     select substring(sha256(convert_to(n::text, 'UTF8')) for 20), lpad(n::text, 8, '0'), case when n > 1 then 1 end, 'en'
     from generate_series(1, ${from === 0 ? MEMBERS : 0}) n`,
    // Pair n is pair number `turn` of its member. Each turn has three account changes of the member, two of them on
    // `available`.
    `create temporary view pair as
     select n, 1 + (n - 1) % ${MEMBERS} as member, (n - 1) / ${MEMBERS} as turn, 2 * n - 1 as deposit, 2 * n as reserve,
            'chain:1:0x' || encode(sha256(convert_to(n::text, 'UTF8')), 'hex') || ':0' as log, 'order:' || n as operation
     from generate_series(${from / 4 + 1}::bigint, ${pairs}) n`,
    // The orders of this history do not exist.
    'alter table lode.ledger_transaction disable trigger check_cause',
    `insert into lode.ledger_transaction
     select deposit, 0, log, sha256(convert_to(log, 'UTF8')), 1, now() from pair
     union all select reserve, member, operation, sha256(convert_to(operation, 'UTF8')), 10, now() from pair`,
    'alter table lode.ledger_transaction enable always trigger check_cause',
    `insert into lode.posting
     select 0, 2112 + n % 64, 1 + (n - 1) / 64, deposit, null, -2 * ${AMOUNT}, -2 * ${AMOUNT} * (1 + (n - 1) / 64) from pair
     union all select member, (member << 14) + 320, 2 * turn + 1, deposit, deposit, 2 * ${AMOUNT}, (turn + 2) * ${AMOUNT} from pair
     union all select member, (member << 14) + 320, 2 * turn + 2, reserve, reserve, -${AMOUNT}, (turn + 1) * ${AMOUNT} from pair
     union all select member, (member << 14) + 832, turn + 1, reserve, reserve, ${AMOUNT}, (turn + 1) * ${AMOUNT} from pair`,
    `insert into lode.log_line
     select member, 1, deposit, 1, log, deposit, 'confirmed'::lode.log_phase, 2 * ${AMOUNT}, 0, now() from pair
     union all select member, 1, reserve, 3, operation, reserve, 'confirming', -${AMOUNT}, 0, now() from pair`,
    `insert into lode.ledger_account
     select (member << 14) + (kind << 8) + 64, 0, case when turns = 0 then ${AMOUNT} else turns * ${AMOUNT} end,
            case when kind = 1 then 2 * turns else turns end
     from (select member, (${pairs} - member + ${MEMBERS}) / ${MEMBERS} as turns from generate_series(1::bigint, ${MEMBERS}) member) turn,
          unnest(array[1, 3]::bigint[]) kind
     on conflict (id) do update set balance = excluded.balance, version = excluded.version`,
    `insert into lode.ledger_account
     select account, null, min(balance_after), max(version) from lode.posting where member = 0 group by account
     on conflict (id) do update set balance = excluded.balance, version = excluded.version`,
    // The sums of the deposits' lines; the others are not confirmed.
    `insert into lode.ledger_day_sum
     select member, 1, 1, floor(extract(epoch from now()) / 86400)::int, sum(2 * ${AMOUNT}), 0 from pair group by member
     on conflict (member, asset, type, day) do update set amount = ledger_day_sum.amount + excluded.amount`,
    `select setval('lode.ledger_transaction_id', ${2 * pairs}), setval('lode.log_line_id', ${2 * pairs})`,
    'vacuum analyze',
  ]
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}
