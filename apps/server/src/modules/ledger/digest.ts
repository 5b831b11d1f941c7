import { type RawBuilder, sql } from 'kysely'

/**
 * The query that computes the digests of ledger transactions. The digest covers every column of the transaction, of its
 * postings, of the log lines that it began and of the closings that it wrote. Each row is one line of text, with one
 * blank between fields. Keys and operations contain no blanks; the other fields are numbers, hex and names. Times are
 * microseconds since 1970. A posting to a suspense account includes the address, because the owner in the account
 * number is only a counter.
 *
 *     transaction <id> <member> <key> <input hash> <type> <posted at>
 *     posting <member> <account> <version> <amount> <balance after> <line, or -> [<address>]     by account, version
 *     line <member> <asset> <id> <type> <operation> <phase> <amount> <fee> <at>                  by member, asset, id
 *     closing <member> <asset> <line> <phase> <at>                                               by member, asset, line
 *
 * The digest is the SHA-256 of these lines, joined by line feeds. The query is in the program and not a database
 * function, so that an attacker who can change database functions cannot change what the audit computes.
 *
 * The query covers a range of transaction numbers: it reads one index range in each of the 32 partitions of postings.
 * A query for each transaction would search all 32 partitions every time. Log lines are found through their postings.
 */
export const digestsBetween = (first: bigint, last: bigint): RawBuilder<{ id: bigint; digest: Buffer }> => sql`
  with its_posting as materialized (
    select posting.*, (posting.account >> 6 & 3)::smallint as asset
    from lode.posting where posting.transaction between ${first} and ${last}
  ),
  its_line as (
    select distinct transaction, member, asset, line from its_posting where line is not null
  ),
  posting_text as (
    select its_posting.transaction,
           string_agg(concat_ws(' ', 'posting', member, account, version, amount, balance_after, coalesce(line::text, '-'),
                                encode(address, 'hex')), E'\n' order by account, version) as text
    from its_posting left join lode.suspense_holder on owner = account >> 14
    group by 1
  ),
  line_text as (
    select its_line.transaction,
           string_agg(concat_ws(' ', 'line', found.member, found.asset, found.id, found.type, found.operation, found.phase,
                                found.amount, found.fee, ${micros('found.at')}), E'\n'
                      order by found.member, found.asset, found.id) as text
    from its_line cross join lateral (
      select * from lode.log_line
      where log_line.member = its_line.member and log_line.asset = its_line.asset and log_line.id = its_line.line
        and log_line.transaction = its_line.transaction
      limit 1
    ) found
    group by 1
  ),
  closing_text as (
    select its_line.transaction,
           string_agg(concat_ws(' ', 'closing', found.member, found.asset, found.line, found.phase, ${micros('found.at')}), E'\n'
                      order by found.member, found.asset, found.line) as text
    from its_line cross join lateral (
      select * from lode.log_closing
      where log_closing.member = its_line.member and log_closing.asset = its_line.asset and log_closing.line = its_line.line
        and log_closing.transaction = its_line.transaction
      limit 1
    ) found
    group by 1
  )
  select head.id, sha256(convert_to(concat_ws(E'\n',
           concat_ws(' ', 'transaction', head.id, head.member, head.key, encode(head.input_hash, 'hex'), head.type,
                     ${micros('head.posted_at')}),
           posting_text.text, line_text.text, closing_text.text), 'UTF8')) as digest
  from lode.ledger_transaction head
  left join posting_text on posting_text.transaction = head.id
  left join line_text on line_text.transaction = head.id
  left join closing_text on closing_text.transaction = head.id
  where head.id between ${first} and ${last}
  order by head.id`

function micros(column: string): RawBuilder<bigint> {
  return sql`(extract(epoch from ${sql.ref(column)}) * 1000000)::bigint`
}
