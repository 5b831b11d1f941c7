import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { audit, closeDays, connectDatabase, createOperators, createPlans, teamFindings } from '@lode/server'
import pg from 'pg'
import { cheapHash } from '../promotion-pool.ts'
import { urlAs } from '../tuned-postgres.ts'

/** How many days the pool has run. Each of them had a production. */
export const POOL_DAYS = 90
export const CHAIN_ID = 31_337
export const VAULT = '0x0000000000000000000000000000000000001001'
const DAY_SECONDS = 86_400

/**
 * What each member did on the day of the registration, by the remainder of the member's number divided by 16. A buyer
 * deposited 1,100 USDT and was promoted to level 1 for 100. A pledger deposited and pledged 20,000 BTN for 360 days. One more
 * deposited 50 USDT and took out 40. The others only registered.
 */
const IS_BUYER = 'n % 8 = 1'
const IS_PLEDGER = 'n % 2 = 0'
const HAS_TAKEN_OUT = 'n % 16 = 3'

/**
 * Fills a migrated database with a pool of this size: written as superuser in bulk, in the form in which single
 * commands would have written it. The team is a complete tree in which each member invited the three below. Dividends
 * of all days are then shared out by the worker's own function.
 */
export async function fillPool(ownerUrl: string, members: number): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ today: number }>(
      'select floor(extract(epoch from now()) / 86400)::int as today',
    )
    const firstDay = (rows[0]?.today ?? 0) - POOL_DAYS - 1
    // The rows are checked together at the end.
    await withoutTriggers(client, async () => {
      await client.query("set work_mem = '512MB'")
      await client.query("set maintenance_work_mem = '1GB'")
      await client.query('set jit = off')
      for (const statement of [
        ...prepareTables(await readPlan(), firstDay),
        ...insertMembers(members),
        ...insertOrders(),
        ...insertLedger(),
        ...insertSessions(cheapHash()),
      ])
        await client.query(statement)
    })
    await closeAllDays(client, ownerUrl, firstDay)
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}

/** Runs statements in bulk, with the triggers of single rows switched off. */
export async function withoutTriggers(client: pg.Client, run: () => Promise<void>): Promise<void> {
  await client.query('set session_replication_role = replica')
  const { rows: guards } = await client.query<{ table: string; trigger: string }>(
    `select tgrelid::regclass::text as table, quote_ident(tgname) as trigger from pg_trigger
     where tgenabled = 'A' and not tgisinternal and tgparentid = 0 and tgrelid::regclass::text like 'lode.%'`,
  )
  for (const { table, trigger } of guards) await client.query(`alter table ${table} disable trigger ${trigger}`)
  await run()
  for (const { table, trigger } of guards) await client.query(`alter table ${table} enable always trigger ${trigger}`)
  await client.query('set session_replication_role = origin')
}

/** Checks the loaded rows with the product's own checks: the team, and the whole ledger with the cause of each posting. */
export async function checkPool(ownerUrl: string): Promise<void> {
  const { db, close } = connectDatabase(ownerUrl, { name: 'bench', max: 1, noTimeouts: true })
  try {
    const findings = [...(await teamFindings(db))]
    for (const { wrong, count, examples } of (await audit(db)).findings) {
      // Nothing seals the bulk load.
      if (!wrong.includes('seal')) findings.push(`${wrong}: ${count}, such as ${examples.join(', ')}`)
    }
    if (findings.length > 0) throw new Error(`the pool was not loaded right:\n${findings.join('\n')}`)
  } finally {
    await close()
  }
}

const readPlan = (): Promise<string> =>
  readFile(new URL('../../../apps/server/plans/example.json', import.meta.url), 'utf8')

export const hash = (text: string): string => `sha256(convert_to(${text}, 'UTF8'))`
const zeros = (bytes: number): string => `decode(repeat('00', ${bytes}), 'hex')`
const idOf = (kind: string, n = 'n'): string => `md5('${kind}' || ${n})::uuid`
const chainKey = (tx: string): string => `'chain:${CHAIN_ID}:0x' || encode(${tx}, 'hex') || ':0'`
const USDT = 1
const BTN = 2
const BTC = 3
const account = (owner: string, kind: number, asset: number): string =>
  `(${owner} << 14) + ${(kind << 8) + (asset << 6)}`
const poolAccount = (kind: number, asset: number): string => `${(kind << 8) + (asset << 6)}`
/** An account with 64 stripes, of which a command changes one. */
const striped = (kind: number, asset: number): string => `${poolAccount(kind, asset)} + n % 64`
const kinds = {
  available: 1,
  frozenOut: 2,
  frozenOrder: 3,
  pledged: 4,
  vault: 8,
  mining: 12,
  liquidity: 13,
  operations: 14,
  airdrop: 16,
  promotion: 17,
  funded: 20,
  partner: 24,
} as const
/** Codes of ledger transaction types. */
const types = {
  deposit: 1,
  dividendFunding: 3,
  reserveFunding: 4,
  orderReserve: 10,
  promotionByBalance: 12,
  pledgeByBalance: 14,
  transferRequest: 20,
  transferPaid: 22,
  airdropForActive: 36,
} as const
/** Codes of the lines of a member's asset log. */
export const lineCodes = {
  transferIn: 1,
  transferOut: 2,
  upLevelByBalance: 3,
  promotionReward: 4,
  upLevelReward: 5,
  airdropForActive: 8,
  createPledge: 12,
} as const
/** Accounts of a member and of the pool, without the member's number. */
export const accountCodes = {
  availableUsdt: (kinds.available << 8) + (USDT << 6),
  vaultUsdt: (kinds.vault << 8) + (USDT << 6),
}
const PRICE = '100000000'
const BUYERS_DEPOSIT = '1100000000'
const AIRDROP = '12000000000000000000000'
const PLEDGE = '20000000000000000000000'
const RESERVE = `1${'0'.repeat(32)}`
const WEIGHT = 20_000 * 15_000

/** The plan, the chain, and tables that only the load uses. */
function prepareTables(plan: string, firstDay: number): string[] {
  return [
    `insert into lode.plan (version, body, leaving_harder, starts_at, published_at, decision_id)
     values (1, $plan$${plan}$plan$, false, to_timestamp(${firstDay} * 86400::bigint), to_timestamp(${firstDay} * 86400::bigint), 1)`,
    "insert into lode.token values ('USDT', 6), ('BTN', 18), ('BTC', 8) on conflict do nothing",
    `insert into lode.price values ('BTC', 9000000000000, now(), ${zeros(20)}), ('BTN', 1000000, now(), ${zeros(20)})`,
    `insert into lode.chain_state (chain_id, vault, genesis_hash, posted_number, posted_hash, posted_time)
     values (${CHAIN_ID}, decode('${VAULT.slice(2)}', 'hex'), ${zeros(32)}, 1, ${zeros(32)}, to_timestamp(${firstDay} * 86400::bigint))`,
    `insert into lode.dividend_funding (tx, log_index, block_number, block_time, day, funder, amount, bitcoin_txid, bitcoin_output)
     select ${hash("'funding' || day")}, 0, day, to_timestamp(day * 86400::bigint), day, ${zeros(20)}, 100000000, ${hash('day::text')}, 0
     from generate_series(${firstDay + 1}, ${firstDay + POOL_DAYS}) day`,
    // Every ledger transaction of the pool, and every change of an account. The postings follow from them.
    'create unlogged table public.move (id bigint, owner bigint, key text, type smallint, at timestamptz)',
    `create unlogged table public.leg (
       member bigint, account bigint, transaction bigint, seq smallint, line bigint, amount numeric)`,
    `insert into public.move
     select 1, 0, ${chainKey(hash("'reserves'"))}, ${types.reserveFunding}, to_timestamp(${firstDay} * 86400::bigint)
     union all select 1 + day - ${firstDay}, 0, ${chainKey(hash("'funding' || day"))}, ${types.dividendFunding}, to_timestamp(day * 86400::bigint)
     from generate_series(${firstDay + 1}, ${firstDay + POOL_DAYS}) day`,
    `insert into public.leg
     select 0, ${poolAccount(kinds.vault, BTN)}, 1, 0, null::bigint, -2 * ${RESERVE}
     union all select 0, ${poolAccount(kinds.airdrop, BTN)} + n, 1, 1 + n, null, ${RESERVE} / 64 from generate_series(0, 63) n
     union all select 0, ${poolAccount(kinds.promotion, BTN)} + n, 1, 65 + n, null, ${RESERVE} / 64 from generate_series(0, 63) n
     union all select 0, ${poolAccount(kinds.vault, BTC)}, 1 + n, 0, null, -100000000 from generate_series(1, ${POOL_DAYS}) n
     union all select 0, ${poolAccount(kinds.funded, BTC)}, 1 + n, 1, null, 100000000 from generate_series(1, ${POOL_DAYS}) n`,
  ]
}

/** How many members from number `first` to number `last` are buyers. */
const countBuyers = (first: string, last: string): string => `((${last} + 7) / 8 - (${first} + 6) / 8)`
const countAll = (first: string, last: string): string => `(${last} - ${first} + 1)`

/**
 * The children of member n are 3n − 1, 3n and 3n + 1. So the members k layers below member c have numbers around 3^k·c,
 * at most (3^k − 1) / 2 away from it, and everything about the tree follows without walking it.
 */
function insertMembers(members: number): string[] {
  const branches = [1, 2, 3] as const
  const child = (branch: number): string => `(3 * n - 2 + ${branch})`
  const countPlaces = (count: (first: string, last: string) => string): string => {
    const counts = [1, 2, 3, 4, 5].flatMap((layer) =>
      branches.map((branch) => {
        const width = 3 ** (layer - 1)
        const first = `(${width} * ${child(branch)} - ${(width - 1) / 2})`
        const last = `least(${members}, ${width} * ${child(branch)} + ${(width - 1) / 2})`
        return `case when ${first} > ${members} then 0 else ${count(first, last)} end`
      }),
    )
    return `array[${counts.join(', ')}]::smallint[]`
  }
  const logOf3 = (of: string): string => `ln((${of})::float8) / ln(3::float8)`
  const openDepths = branches.map(
    (branch) => `case when ${child(branch)} > ${members} then 1
      else 2 + floor(${logOf3(`${2 * members + 1}::float8 / (2 * ${child(branch)} + 1)`)} + 1e-9) end`,
  )
  return [
    `insert into lode.member (id, account, invite_code, sponsor_id, level, lang, created_at, last_login_at)
     overriding system value
     select n, substring(${hash("'member' || n")} for 20), lpad(n::text, 8, '0'), case when n > 1 then (n + 1) / 3 end,
            case when ${IS_BUYER} then 1 else 0 end, 'en', now() - interval '${POOL_DAYS} days', now()
     from generate_series(1::bigint, ${members}) n`,
    `insert into lode.team_place
       (member_id, parent_id, branch, depth, activated, effective_invites, open_depths, headcounts, activated_counts, performance)
     select n, case when n > 1 then (n + 1) / 3 end, case when n > 1 then (n + 1) % 3 + 1 end,
            ceil(${logOf3('2 * n + 1')} - 1e-9) - 1, ${IS_BUYER},
            case when ${child(1)} > ${members} then 0 else ${countBuyers(child(1), `least(${members}, ${child(3)})`)} end,
            array[${openDepths.join(', ')}]::smallint[], ${countPlaces(countAll)}, active, ${PRICE} * (select sum(one) from unnest(active) one)
     from (select n, ${countPlaces(countBuyers)} as active from generate_series(1::bigint, ${members}) n) counted`,
    `select setval('lode.member_id_seq', ${members})`,
    // When a member acted, and the first of its ledger transactions. Both rise with the member's number.
    `create unlogged table public.act as
     select n, at, floor(extract(epoch from at) / ${DAY_SECONDS})::int as day,
            ${POOL_DAYS + 2} + sum(transactions) over (order by n) - transactions as first
     from generate_series(1::bigint, ${members}) n,
          lateral (select case when ${IS_BUYER} then 4 else 3 end as transactions,
                          now() - interval '${POOL_DAYS} days' + n::float8 / ${members} * interval '${POOL_DAYS - 2} days' as at) acted
     where ${IS_BUYER} or ${IS_PLEDGER} or ${HAS_TAKEN_OUT}`,
    'analyze public.act',
  ]
}

/** Orders, rewards, pledges and transfers: what the ledger transactions are caused by. */
function insertOrders(): string[] {
  return [
    `create unlogged table public.given as
     select n, first, at, layer.number as layer, receiver, receiver % 8 = 1 as is_credited,
            case layer.number when 0 then 10000000 else 2000000 end as amount
     from public.act, lateral (
       values (0, (n + 1) / 3), (1, (n + 1) / 3), (2, (n + 4) / 9), (3, (n + 13) / 27), (4, (n + 40) / 81), (5, (n + 121) / 243)
     ) layer (number, receiver)
     where ${IS_BUYER} and receiver > 0`,
    'create index on public.given (n)',
    'analyze public.given',
    `insert into lode.reward (member_id, order_id, type, layer, basis_points, amount, failed, at)
     select receiver, ${idOf('promotion')}, case layer when 0 then 'promotionReward' else 'upLevelReward' end, nullif(layer, 0),
            case layer when 0 then 1000 else 200 end, amount,
            case when not is_credited then 'not-activated' end, at
     from public.given order by first, layer`,
    `insert into lode.promotion_tally (member_id, power, investment, income, rewards)
     select member, sum(power), sum(investment), sum(income), sum(rewards)
     from (
       select n, 2, ${PRICE}::numeric, 0, 0 from public.act where ${IS_BUYER}
       union all
       select receiver, 0, 0, amount, case layer when 0 then 1 else 0 end
       from public.given where is_credited
     ) part (member, power, investment, income, rewards) group by member`,
    `insert into lode.pay_order
       (id, member_id, type, plan_version, asset, amount, balance_part, made_at, level, power, airdrop, term_days, term_weight,
        weight, ended, ended_at, settlement, to_mining, airdrop_paid)
     select ${idOf('promotion')}, n, 1::smallint, 1, 'USDT', ${PRICE}::numeric, ${PRICE}::numeric, at, 1, 2, ${AIRDROP}::numeric, null::int, null::int,
            null::numeric, 'success', at, first, 90000000 - credited, true
     from public.act, lateral (
       select coalesce(sum(amount) filter (where is_credited), 0) as credited from public.given where given.n = act.n) receivers
     where ${IS_BUYER}
     union all
     select ${idOf('pledge')}, n, 3::smallint, 1, 'BTN', ${PLEDGE}::numeric, ${PLEDGE}::numeric, at, null, null, null, 360, 15000,
            ${WEIGHT}, 'success', at, first, null, null
     from public.act where ${IS_PLEDGER}`,
    `insert into lode.pledge (id, member_id, amount, weight, start_day, end_day)
     select ${idOf('pledge')}, n, ${PLEDGE}, ${WEIGHT}, day + 1, day + 361 from public.act where ${IS_PLEDGER}`,
    `insert into lode.pledge_change (day, stripe, started, ended)
     select start_day, 1, sum(weight), 0 from lode.pledge group by start_day
     union all select end_day, 2, 0, sum(weight) from lode.pledge group by end_day`,
    `insert into lode.payout
       (id, kind, asset, amount, address, requested_at, member_id, fee, fee_burned, plan_version, level, ended, ended_at,
        paid_tx, paid_log_index, paid_at)
     select ${idOf('transfer')}, 'transfer', 'USDT', 40000000, substring(${hash("'member' || n")} for 20), at, n, 1000000, 0, 1, 0,
            'final', at, ${hash("'paid' || n")}, 0, at
     from public.act where ${HAS_TAKEN_OUT}`,
    `update lode.pool_total set members = (select count(*) from lode.member), units = sold.count, power = sold.power,
       investment = sold.investment, pledges = locked.count, pledged = locked.amount
     from (select count(*), sum(power) as power, sum(to_mining) as investment from lode.pay_order where type = 1) sold,
          (select count(*), sum(amount) as amount from lode.pledge) locked`,
    `insert into lode.quota_use (payout_id, member_id, asset, at, amount)
     select ${idOf('transfer')}, n, 'USDT', at, 40000000 from public.act where ${HAS_TAKEN_OUT}`,
  ]
}

/** Ledger transactions, log lines, postings, accounts and the kept sums of days. */
function insertLedger(): string[] {
  const available = (asset: number, owner = 'n'): string => account(owner, kinds.available, asset)
  const ofMember = (rows: string): string => `insert into public.leg ${rows}`
  const move = (offset: number, type: number, owner: string, key: string, where: string): string =>
    `insert into public.move select first + ${offset}, ${owner}, ${key}, ${type}, at from public.act where ${where}`
  const depositKey = chainKey(hash("'deposit' || n"))
  const order = (kind: string, suffix = ''): string => `'order:' || ${idOf(kind)} || '${suffix}'`
  /** One change of an account: of the system, or of a member with the log line that it belongs to. */
  const system = (offset: number, seq: number, of: string, amount: string, where: string): string =>
    ofMember(`select 0, ${of}, first + ${offset}, ${seq}, null, ${amount} from public.act where ${where}`)
  const own = (
    offset: number,
    seq: number,
    of: string,
    amount: string,
    where: string,
    line: string | null = null,
  ): string => ofMember(`select n, ${of}, first + ${offset}, ${seq}, ${line}, ${amount} from public.act where ${where}`)
  /** A line of the asset log. Its number is 8 times that of the transaction with which it begins, plus its place. */
  const logLine = (
    asset: number,
    offset: number,
    type: number,
    operation: string,
    phase: string,
    amount: string,
    fee: string,
    where: string,
  ) =>
    `insert into lode.log_line (member, asset, id, type, operation, transaction, phase, amount, fee, at)
     select n, ${asset}, 8 * (first + ${offset}), ${type}, ${operation}, first + ${offset}, '${phase}', ${amount}, ${fee}, at
     from public.act where ${where}`
  const closing = (asset: number, offset: number, where: string): string =>
    `insert into lode.log_closing (member, asset, line, transaction, phase, at)
     select n, ${asset}, 8 * (first + 1), first + ${offset}, 'confirmed', at from public.act where ${where}`
  const line = (offset: number): string => `8 * (first + ${offset})`
  const deposits = [
    { where: IS_BUYER, asset: USDT, amount: BUYERS_DEPOSIT },
    { where: IS_PLEDGER, asset: BTN, amount: PLEDGE },
    { where: HAS_TAKEN_OUT, asset: USDT, amount: '50000000' },
  ].flatMap(({ where, asset, amount }) => [
    move(0, types.deposit, '0', depositKey, where),
    system(0, 0, striped(kinds.vault, asset), `-${amount}`, where),
    own(0, 1, available(asset), amount, where, line(0)),
    logLine(asset, 0, lineCodes.transferIn, depositKey, 'confirmed', amount, '0', where),
  ])
  const settled = (of: string, amount: string, seq: number) => system(2, seq, of, amount, IS_BUYER)
  return [
    ...deposits,
    move(1, types.orderReserve, 'n', order('promotion'), IS_BUYER),
    own(1, 0, available(USDT), `-${PRICE}`, IS_BUYER, line(1)),
    own(1, 1, account('n', kinds.frozenOrder, USDT), PRICE, IS_BUYER, line(1)),
    logLine(USDT, 1, lineCodes.upLevelByBalance, idOf('promotion'), 'confirming', `-${PRICE}`, '0', IS_BUYER),
    closing(USDT, 2, IS_BUYER),
    move(2, types.promotionByBalance, 'n', order('promotion', ':settle'), IS_BUYER),
    own(2, 0, account('n', kinds.frozenOrder, USDT), `-${PRICE}`, IS_BUYER, line(1)),
    `insert into public.leg
     select 0, ${striped(kinds.mining, USDT)}, first + 2, 1, null, 90000000 - coalesce(sum(amount) filter (where is_credited), 0)
     from public.act left join public.given using (n, first) where ${IS_BUYER} group by n, first`,
    settled(striped(kinds.liquidity, USDT), '5000000', 2),
    settled(striped(kinds.operations, USDT), '2000000', 3),
    settled(striped(kinds.partner, USDT), '3000000', 4),
    `insert into public.leg
     select receiver, ${available(USDT, 'receiver')}, first + 2, 5 + layer, 8 * (first + 2) + layer, amount from public.given where is_credited`,
    `insert into lode.log_line (member, asset, id, type, operation, transaction, phase, amount, fee, at)
     select receiver, ${USDT}, 8 * (first + 2) + layer, case layer when 0 then ${lineCodes.promotionReward} else ${lineCodes.upLevelReward} end,
            ${idOf('promotion')}, first + 2, 'confirmed', amount, 0, at from public.given where is_credited`,
    move(3, types.airdropForActive, 'n', order('promotion', ':airdrop'), IS_BUYER),
    system(3, 0, striped(kinds.airdrop, BTN), `-${AIRDROP}`, IS_BUYER),
    own(3, 1, available(BTN), AIRDROP, IS_BUYER, line(3)),
    logLine(BTN, 3, lineCodes.airdropForActive, idOf('promotion'), 'confirmed', AIRDROP, '0', IS_BUYER),

    move(1, types.orderReserve, 'n', order('pledge'), IS_PLEDGER),
    own(1, 0, available(BTN), `-${PLEDGE}`, IS_PLEDGER, line(1)),
    own(1, 1, account('n', kinds.frozenOrder, BTN), PLEDGE, IS_PLEDGER, line(1)),
    logLine(BTN, 1, lineCodes.createPledge, idOf('pledge'), 'confirming', `-${PLEDGE}`, '0', IS_PLEDGER),
    closing(BTN, 2, IS_PLEDGER),
    move(2, types.pledgeByBalance, 'n', order('pledge', ':settle'), IS_PLEDGER),
    own(2, 0, account('n', kinds.frozenOrder, BTN), `-${PLEDGE}`, IS_PLEDGER, line(1)),
    own(2, 1, account('n', kinds.pledged, BTN), PLEDGE, IS_PLEDGER),

    move(1, types.transferRequest, 'n', `'transfer:' || ${idOf('transfer')}`, HAS_TAKEN_OUT),
    own(1, 0, available(USDT), '-41000000', HAS_TAKEN_OUT, line(1)),
    own(1, 1, account('n', kinds.frozenOut, USDT), '41000000', HAS_TAKEN_OUT, line(1)),
    logLine(USDT, 1, lineCodes.transferOut, idOf('transfer'), 'confirming', '-40000000', '1000000', HAS_TAKEN_OUT),
    closing(USDT, 2, HAS_TAKEN_OUT),
    move(2, types.transferPaid, '0', chainKey(hash("'paid' || n")), HAS_TAKEN_OUT),
    own(2, 0, account('n', kinds.frozenOut, USDT), '-41000000', HAS_TAKEN_OUT, line(1)),
    system(2, 1, striped(kinds.vault, USDT), '40000000', HAS_TAKEN_OUT),
    system(2, 2, striped(kinds.operations, USDT), '1000000', HAS_TAKEN_OUT),

    `insert into lode.ledger_transaction (id, member, key, input_hash, type, posted_at)
     select id, owner, key, ${hash('key')}, type, at from public.move`,
    `insert into lode.posting (member, account, version, transaction, line, amount, balance_after)
     select member, account, row_number() over its, transaction, line, amount, sum(amount) over its
     from public.leg window its as (partition by account order by transaction, seq rows unbounded preceding)`,
    `insert into lode.ledger_account (id, floor, balance, version)
     select account, case when kind.floored then 0 end, balance, changes
     from (select account, sum(amount) as balance, count(*) as changes from public.leg group by account) held
     join lode.ledger_kind kind on kind.code = account >> 8 & 63`,
    `insert into lode.ledger_day_sum (member, asset, type, day, amount, fee)
     select line.member, line.asset, line.type, floor(extract(epoch from line.at) / ${DAY_SECONDS})::int, sum(line.amount), sum(line.fee)
     from lode.log_line line group by 1, 2, 3, 4`,
    `select setval('lode.ledger_transaction_id', (select max(id) from public.move)),
            setval('lode.log_line_id', 8 * (select max(id) + 1 from public.move)),
            setval('lode.settlement', (select max(id) from public.move))`,
    'drop table public.leg, public.move, public.given, public.act',
  ]
}

export const accountOf = (member: number): `0x${string}` =>
  `0x${createHash('sha256').update(`member${member}`).digest('hex').slice(0, 40)}`

/** The session token of a member who has one. */
export const tokenOf = (member: number): string => createHash('sha256').update(`token${member}`).digest('base64url')

/** Members who use the app just now, 7.5 % of all, each with a session and a fund password, and what they have read. */
function insertSessions(passwordHash: string): string[] {
  const token = `rtrim(translate(encode(${hash("'token' || id")}, 'base64'), '+/', '-_'), '=')`
  return [
    `insert into lode.session (id, token_hash, member_id, mode, last_action_at)
     select md5('session' || id)::uuid, ${hash(token)}, id, 'full', now() + interval '1 day'
     from lode.member where id % 20 = 2 or id % 40 = 17`,
    `insert into lode.protection (member_id, hash, chosen_at)
     select member_id, '${passwordHash}', now() - interval '${POOL_DAYS} days' from lode.session`,
    `insert into lode.notice (words)
     select json_build_object('en', words, 'zh_tw', words, 'zh_cn', words)
     from (select json_build_object('title', 'Notice ' || n, 'body', json_build_array('Words of notice ' || n)) as words from generate_series(1, 20) n) told`,
    `insert into lode.notice_read (member_id, notice_id) select session.member_id, notice.id from lode.session, lode.notice`,
  ]
}

/** The worker's own close shares out the production of every day. */
async function closeAllDays(client: pg.Client, ownerUrl: string, firstDay: number): Promise<void> {
  await client.query('vacuum analyze lode.pledge, lode.pledge_change, lode.dividend_funding, lode.posting')
  const { db, close } = connectDatabase(urlAs(ownerUrl, 'lode_worker'), { name: 'bench', max: 1, noTimeouts: true })
  const knowing = {
    plans: createPlans({ decimals: { USDT: 6, BTN: 18, BTC: 8 }, operators: null }),
    operators: createOperators({ pool: VAULT, chainId: CHAIN_ID, ceremony: null }),
  }
  try {
    for (let day = firstDay; day < firstDay + POOL_DAYS; day += 1) {
      await client.query('update lode.chain_state set posted_time = to_timestamp($1)', [
        (day + 1) * DAY_SECONDS + 43_201,
      ])
      const closed = await closeDays(db, knowing)
      if (closed.length !== 1 || closed[0] !== day) throw new Error(`day ${day} was to be closed, not ${closed}`)
    }
  } finally {
    await close()
  }
}
