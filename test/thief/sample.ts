import type pg from 'pg'

type Kind = {
  readonly code: number
  readonly name: string
  readonly holder: string
  readonly assets: readonly number[]
  readonly isLogged: boolean
}
export type TypeRule = {
  readonly code: number
  readonly name: string
  readonly roles: readonly string[]
  readonly debits: readonly number[]
  readonly credits: readonly number[]
  readonly keySpace: string
  readonly logs: readonly number[]
}
export type Order = {
  readonly id: string
  readonly member: string
  readonly type: number
  readonly asset: string
  readonly amount: string
  readonly part: string
  readonly open: boolean
}
export type Payout = {
  readonly id: string
  readonly kind: string
  readonly member: string | null
  readonly asset: string
  readonly amount: string
  readonly fee: string
  readonly open: boolean
  readonly signed: boolean
}
type Pledge = {
  readonly id: string
  readonly member: string
  readonly amount: string
  readonly settled: boolean
}
type Level = { readonly price: string; readonly power: number; readonly airdrop: string }

/** What is in the pool before the thief comes. Generators draw from it, so that calls name things that exist. */
export type Sample = {
  /** The thief's own member, and members whom the thief has invited. */
  readonly thief: string
  /** Members with money. */
  readonly victims: readonly string[]
  /** Some of the other members. */
  readonly strangers: readonly string[]
  readonly sessions: readonly { readonly id: string; readonly member: string }[]
  readonly orders: readonly Order[]
  readonly payouts: readonly Payout[]
  readonly pledges: readonly Pledge[]
  readonly decisions: readonly { readonly id: string; readonly verb: string; readonly nonce: string | null }[]
  readonly releases: readonly string[]
  readonly jobs: readonly { readonly id: string; readonly task: string }[]
  readonly devices: readonly Buffer[]
  /** Addresses without a member that have money in the pool. */
  readonly suspense: readonly {
    readonly address: Buffer
    readonly asset: string
    readonly balance: string
    readonly version: string
  }[]
  readonly addresses: readonly Buffer[]
  /** Chain logs that are in the ledger. */
  readonly logs: readonly { readonly tx: Buffer; readonly index: number }[]
  readonly keys: readonly string[]
  readonly balances: readonly {
    readonly member: string
    readonly kind: number
    readonly asset: number
    readonly balance: string
  }[]
  readonly kinds: readonly Kind[]
  readonly assets: readonly { readonly code: number; readonly name: string }[]
  readonly types: readonly TypeRule[]
  readonly lastDay: number
  readonly postedBlock: string
  readonly nextDay: number
  readonly chainId: string
  readonly expert: string | null
  readonly partner: string | null
  readonly plan: {
    readonly version: number
    readonly quoteMinutes: number
    readonly levels: readonly Level[]
    readonly pledgeTerms: readonly { readonly days: number; readonly weight: number }[]
    readonly pledgeAbove: string
    readonly transfer: Readonly<Record<string, Readonly<Record<string, string>>>>
    readonly allocation: Readonly<Record<string, number>>
    readonly dayFundingMax: string
  }
}

export async function readSample(owner: pg.Client): Promise<Sample> {
  const rows = async <Row extends object>(statement: string): Promise<Row[]> => (await owner.query<Row>(statement)).rows
  const [one] = await rows<{
    thief: string
    lastDay: number
    postedBlock: string
    chainId: string
    expert: string
    partner: string
    plan: string
    version: number
  }>(`
    select (select max(id)::text from lode.member where exists (select from lode.posting where posting.member = member.id)) as thief,
           (select max(day) from lode.production_day) as "lastDay", (select chain_id::text from lode.chain_state) as "chainId",
           (select posted_number::text from lode.chain_state) as "postedBlock",
           (select member_id::text from lode.sharing_expert limit 1) as expert, (select member_id::text from lode.partner limit 1) as partner,
           version, body as plan
    from lode.plan order by version desc limit 1`)
  if (!one) throw new Error('the pool has no plan')
  const members = await rows<{ id: string; rich: boolean }>(`
    select id::text, exists (select from lode.posting where posting.member = member.id) as rich
    from lode.member order by id`)
  const rich = members.filter(({ rich }) => rich).map(({ id }) => id)
  return {
    thief: one.thief,
    victims: rich.filter((id) => id !== one.thief),
    strangers: members
      .filter(({ rich }) => !rich)
      .map(({ id }) => id)
      .filter((_, place) => place % 60 === 0),
    sessions: await rows('select id::text, member_id::text as member from lode.session order by created_at, id'),
    orders: await rows(`
      select id::text, member_id::text as member, type, asset, amount::text, balance_part::text as part, ended is null as open
      from lode.pay_order order by number`),
    payouts: await rows(`
      select id::text, kind, member_id::text as member, asset, amount::text, fee::text, ended is null as open, release_number is not null as signed
      from lode.payout order by number`),
    pledges: await rows(`
      select id::text, member_id::text as member, amount::text, settled_at is not null as settled
      from lode.pledge order by start_day, amount, id`),
    decisions: await rows(`select id::text, verb, body::jsonb ->> 'nonce' as nonce from lode.decision order by id`),
    releases: (await rows<{ n: string }>('select number::text as n from lode.release order by number')).map(
      ({ n }) => n,
    ),
    jobs: await rows(
      'select jobs.id::text, tasks.identifier as task from graphile_worker._private_jobs jobs join graphile_worker._private_tasks tasks on tasks.id = task_id order by jobs.id',
    ),
    devices: (await rows<{ d: Buffer }>('select id_hash as d from lode.device order by member_id, id_hash')).map(
      ({ d }) => d,
    ),
    suspense: await rows(`
      select holder.address, asset.name as asset, account.balance::text, account.version::text
      from lode.suspense_holder holder
      join lode.ledger_account account on account.id >> 14 = holder.owner and account.balance > 0
      join lode.ledger_asset asset on asset.code = (account.id >> 6) & 3 order by 1, 2`),
    addresses: (
      await rows<{ a: Buffer }>(`
      select account as a from lode.member where id in (${rich.join(', ')})
      union all select address from lode.output_address union all select address from lode.pool_address`)
    ).map(({ a }) => a),
    logs: (
      await rows<{ key: string }>(
        `select key from lode.ledger_transaction where key like 'chain:%' order by id limit 40`,
      )
    ).map(({ key }) => {
      const [, , tx = '', index = ''] = key.split(':')
      return { tx: Buffer.from(tx.slice(2), 'hex'), index: Number(index) }
    }),
    keys: (await rows<{ key: string }>(`select key from lode.ledger_transaction order by id desc limit 60`)).map(
      ({ key }) => key,
    ),
    balances: await rows(`
      select (id >> 14)::text as member, ((id >> 8) & 63)::int as kind, ((id >> 6) & 3)::int as asset, balance::text
      from lode.ledger_account where id >> 14 > 0 and balance > 0 order by id`),
    kinds: await rows(
      'select code, name, holder, assets, log is not null as "isLogged" from lode.ledger_kind order by code',
    ),
    assets: await rows('select code, name from lode.ledger_asset order by code'),
    types: await rows(`
      select code, name, roles::text[] as roles, debits, credits, key_space as "keySpace", logs from lode.ledger_type order by code`),
    lastDay: one.lastDay,
    postedBlock: one.postedBlock,
    nextDay: one.lastDay + 1,
    chainId: one.chainId,
    expert: one.expert,
    partner: one.partner,
    plan: { ...(JSON.parse(one.plan) as Sample['plan']), version: one.version },
  }
}
