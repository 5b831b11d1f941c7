import type pg from 'pg'

type Amount = string
export type OrderRow = {
  id: string
  member: string
  type: number
  plan: number
  asset: string
  amount: Amount
  part: Amount
  level: number | null
  term: number | null
  weight: Amount | null
  airdrop: Amount | null
  airdropPaid: boolean | null
  ended: string | null
  log: string | null
  deadline: string | null
  madeAt: string
}
export type PayoutRow = {
  id: string
  kind: string
  member: string | null
  asset: string
  amount: Amount
  fee: Amount
  burned: Amount
  address: string
  requestedAt: string
  decision: string | null
  release: string | null
  ended: string | null
  log: string | null
}
type PledgeRow = {
  id: string
  member: string
  amount: Amount
  endDay: number
  returned: boolean
  settled: boolean
  paid: Amount
}
export type MemberRow = { id: string; account: string; sponsor: string | null; parent: string | null; level: number }
export type AddressRow = {
  member: string
  number: number
  address: string
  askedAt: string
  bindsAt: string
  canceledAt: string | null
  signatureValid: boolean | null
}
type PartnerDayRow = {
  day: number
  amount: Amount
  partners: Amount
  /** What was left in partner:funded by the transaction of this day. Null if the day has none. */
  left: Amount | null
}
type LegRow = { kind: string; asset: string; owner: string; amount: Amount }
export type TransactionRow = { id: string; member: string; key: string; type: string; legs: readonly LegRow[] }

export type State = {
  now: string
  /** The time of the posted block. */
  postedTime: string
  lastTransaction: string
  orders: readonly OrderRow[]
  payouts: readonly PayoutRow[]
  pledges: readonly PledgeRow[]
  members: readonly MemberRow[]
  addresses: readonly AddressRow[]
  locks: readonly { member: string; until: string }[]
  decisions: readonly { id: string; signatures: number }[]
  experts: readonly { member: string; decision: string }[]
  partners: readonly { member: string; decision: string }[]
  days: readonly number[]
  partnerDays: readonly PartnerDayRow[]
  suspenseHolders: readonly { owner: string; address: string }[]
}

/** Everything that the checker compares, in one statement. Amounts and numbers of rows are texts. */
const STATE = `
select json_build_object(
  'now', lode.now(),
  'postedTime', (select posted_time from lode.chain_state),
  'lastTransaction', (select coalesce(max(id), 0)::text from lode.ledger_transaction),
  'orders', (select coalesce(json_agg(json_build_object(
     'id', id, 'member', member_id::text, 'type', type, 'plan', plan_version, 'asset', asset, 'amount', amount::text, 'part', balance_part::text,
     'level', level, 'term', term_days, 'weight', weight::text, 'airdrop', airdrop::text, 'airdropPaid', airdrop_paid, 'ended', ended,
     'log', encode(paid_tx, 'hex') || ':' || paid_log_index, 'deadline', deadline, 'madeAt', made_at)), '[]') from lode.pay_order),
  'payouts', (select coalesce(json_agg(json_build_object(
     'id', id, 'kind', kind, 'member', member_id::text, 'asset', asset, 'amount', amount::text, 'fee', fee::text, 'burned', fee_burned::text,
     'address', encode(address, 'hex'), 'requestedAt', requested_at, 'decision', decision_id::text, 'release', release_number::text,
     'ended', ended, 'log', encode(paid_tx, 'hex') || ':' || paid_log_index)), '[]') from lode.payout),
  'pledges', (select coalesce(json_agg(json_build_object(
     'id', id, 'member', member_id::text, 'amount', amount::text, 'endDay', end_day, 'returned', returned_at is not null,
     'settled', settled_at is not null, 'paid', paid::text)), '[]') from lode.pledge),
  'members', (select json_agg(json_build_object(
     'id', id::text, 'account', encode(account, 'hex'), 'sponsor', sponsor_id::text, 'parent', parent_id::text, 'level', level))
     from lode.member left join lode.team_place on member_id = id),
  'addresses', (select coalesce(json_agg(json_build_object(
     'member', member_id::text, 'number', number, 'address', encode(address, 'hex'), 'askedAt', asked_at, 'bindsAt', binds_at,
     'canceledAt', cancelled_at, 'signatureValid', signature_valid)), '[]') from lode.output_address),
  'locks', (select coalesce(json_agg(json_build_object('member', member_id::text, 'until', transfers_locked_until)), '[]')
     from lode.protection where transfers_locked_until is not null),
  'decisions', (select coalesce(json_agg(json_build_object('id', id::text, 'signatures',
     (select count(*) from lode.decision_signature where decision_id = id))), '[]') from lode.decision),
  'experts', (select coalesce(json_agg(json_build_object('member', member_id::text, 'decision', decision_id::text)), '[]') from lode.sharing_expert),
  'partners', (select coalesce(json_agg(json_build_object('member', partner.member_id::text, 'decision', application.decision_id::text)), '[]')
     from lode.partner join lode.partner_application application on application.id = application_id),
  'days', (select coalesce(json_agg(day order by day), '[]') from lode.production_day),
  'partnerDays', (select coalesce(json_agg(json_build_object('day', day, 'amount', amount::text, 'partners', partners::text, 'left',
     (select sum(posting.amount)::text from lode.posting
      join lode.ledger_kind kind on kind.code = (posting.account >> 8) & 63 and kind.name = 'partner:funded'
      join lode.ledger_transaction closing on closing.member = 0 and closing.key = 'day:' || day || ':partner'
      where posting.member = 0 and posting.transaction <= closing.id))), '[]') from lode.partner_day),
  'suspenseHolders', (select coalesce(json_agg(json_build_object('owner', owner::text, 'address', encode(address, 'hex'))), '[]') from lode.suspense_holder)
) as state`

export async function readState(client: pg.Client): Promise<State> {
  const { rows } = await client.query<{ state: State }>(STATE)
  const [row] = rows
  if (!row) throw new Error('the state cannot be read')
  return row.state
}

/** The ledger transactions after this one, each with its legs: one for each account, its stripes added up. */
export async function readTransactions(client: pg.Client, after: string): Promise<TransactionRow[]> {
  const { rows } = await client.query<TransactionRow>(
    `select posted.id::text, posted.member::text, posted.key, type.name as type,
            (select json_agg(json_build_object('kind', kind.name, 'asset', asset.name, 'owner', leg.owner::text, 'amount', leg.amount::text))
             from (select account >> 14 as owner, (account >> 8) & 63 as kind, (account >> 6) & 3 as asset, sum(amount) as amount
                   from lode.posting where transaction = posted.id group by 1, 2, 3) leg
             join lode.ledger_kind kind on kind.code = leg.kind join lode.ledger_asset asset on asset.code = leg.asset) as legs
     from lode.ledger_transaction posted join lode.ledger_type type on type.code = posted.type
     where posted.id > $1 order by posted.id`,
    [after],
  )
  return rows
}
