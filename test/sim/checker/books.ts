import pg from 'pg'
import { type OrderBooks, readOrderBooks } from './order-rows.ts'
import { type ProductionBooks, readProductionBooks } from './production-rows.ts'

/** The ledger and the other tables, read by plain SQL in one snapshot. No code of the server is used here. */
export type Books = OrderBooks &
  ProductionBooks & {
    readonly transactions: readonly LedgerTransaction[]
    readonly accounts: ReadonlyMap<bigint, { readonly balance: bigint; readonly version: bigint }>
    readonly lines: readonly LogLine[]
    /** How log lines that began as confirming ended. */
    readonly closings: ReadonlyMap<bigint, string>
    /** By lowercase address. */
    readonly members: ReadonlyMap<string, { readonly id: bigint; readonly sessions: readonly string[] }>
    /** The owners of suspense accounts, which have negative numbers, with their addresses. */
    readonly suspenseHolders: ReadonlyMap<bigint, string>
    /** Payments that are shown but not final, one line each. */
    readonly seen: readonly string[]
    readonly payouts: readonly PayoutRow[]
    readonly releases: readonly ReleaseRow[]
    readonly outputAddresses: readonly OutputAddressRow[]
    readonly securityLines: readonly SecurityLine[]
    readonly posted: { readonly number: bigint; readonly hash: string } | null
    readonly stoppedReason: string | null
    /** The assets that are stopped, each with its reason. */
    readonly assetStops: readonly string[]
    readonly deadlocks: number
  }

export type LedgerTransaction = {
  readonly id: bigint
  readonly member: bigint
  readonly key: string
  readonly type: number
  readonly postings: readonly Posting[]
}

export type Posting = {
  readonly account: bigint
  readonly version: bigint
  readonly transaction: bigint
  readonly line: bigint | null
  readonly amount: bigint
  readonly balanceAfter: bigint
}

type LogLine = {
  readonly id: bigint
  readonly member: bigint
  readonly asset: number
  readonly type: number
  readonly operation: string
  readonly transaction: bigint
  readonly phase: string
  readonly amount: bigint
  readonly fee: bigint
}

/** Addresses and hashes are in lower case, times in milliseconds. */
export type PayoutRow = {
  readonly id: string
  readonly kind: 'transfer' | 'treasury' | 'suspense'
  readonly asset: AssetName
  readonly amount: bigint
  readonly fee: bigint
  readonly feeBurned: bigint
  readonly address: string
  readonly member: bigint | null
  readonly level: number | null
  readonly requestedAt: number
  readonly release: bigint | null
  readonly ended: 'final' | 'rejected' | 'cancelled' | 'reverted' | null
  /** `<transaction>:<log index>` of the chain log that paid it. */
  readonly paidBy: string | null
  /** Why the payout waits, for error messages. */
  readonly waits: string
}

export type ReleaseRow = {
  readonly number: bigint
  readonly nonce: bigint
  readonly call: string
  readonly madeAt: number
  readonly ended: boolean
  readonly forms: readonly { readonly hash: string; readonly raw: string }[]
}

type OutputAddressRow = {
  readonly member: bigint
  readonly address: string
  readonly askedAt: number
  readonly bindsAt: number
  readonly cancelled: boolean
}

type SecurityLine = {
  readonly member: bigint
  readonly at: number
  readonly kind: string
  readonly until: number | null
}

export async function readBooks(ownerUrl: string): Promise<Books> {
  const client = new pg.Client({ connectionString: ownerUrl })
  client.on('error', () => {})
  await client.connect()
  const rows = async <Row extends object>(text: string): Promise<Row[]> => (await client.query<Row>(text)).rows
  try {
    await client.query('begin isolation level repeatable read read only')
    type PostingRow = Record<'account' | 'version' | 'transaction' | 'amount' | 'balance_after', string> & {
      line: string | null
    }
    const postings = (
      await rows<PostingRow>('select account, version, transaction, line, amount, balance_after from lode.posting')
    ).map((row) => ({
      account: BigInt(row.account),
      version: BigInt(row.version),
      transaction: BigInt(row.transaction),
      line: row.line === null ? null : BigInt(row.line),
      amount: BigInt(row.amount),
      balanceAfter: BigInt(row.balance_after),
    }))
    const byTransaction = Map.groupBy(postings, ({ transaction }) => transaction)
    type TransactionRow = { id: string; member: string; key: string; type: number }
    const transactions = (
      await rows<TransactionRow>('select id, member, key, type from lode.ledger_transaction order by id')
    ).map((row) => ({
      id: BigInt(row.id),
      member: BigInt(row.member),
      key: row.key,
      type: row.type,
      postings: byTransaction.get(BigInt(row.id)) ?? [],
    }))
    const known = new Set(transactions.map(({ id }) => id))
    const stray = postings.find(({ transaction }) => !known.has(transaction))
    if (stray) throw new Error(`posting ${stray.account}/${stray.version} is of no transaction`)

    type AccountRow = { id: string; balance: string; version: string }
    const accounts = await rows<AccountRow>('select id, balance, version from lode.ledger_account')
    type LineRow = Record<'id' | 'member' | 'operation' | 'transaction' | 'phase' | 'amount' | 'fee', string> &
      Record<'asset' | 'type', number>
    const lines = await rows<LineRow>(
      'select id, member, asset, type, operation, transaction, phase, amount, fee from lode.log_line',
    )
    const closings = await rows<{ line: string; phase: string }>('select line, phase from lode.log_closing')
    const members = await rows<{ id: string; account: string; sessions: string[] }>(`
      select id, '0x' || encode(account, 'hex') as account,
             array(select encode(token_hash, 'hex') from lode.session where member_id = member.id) as sessions
      from lode.member`)
    const holders = await rows<{ owner: string; address: string }>(
      "select owner, '0x' || encode(address, 'hex') as address from lode.suspense_holder",
    )
    const seen = await rows<Record<'tx' | 'log_index' | 'account' | 'amount' | 'asset', string>>(`
      select '0x' || encode(tx, 'hex') as tx, log_index, '0x' || encode(account, 'hex') as account, amount, asset
      from lode.chain_incoming`)
    const [state] = await rows<{ number: string; hash: string; stopped_reason: string | null }>(`
      select posted_number as number, '0x' || encode(posted_hash, 'hex') as hash, stopped_reason from lode.chain_state`)
    const assetStops = await rows<{ asset: string; reason: string }>('select asset, reason from lode.asset_stop')
    const [statistics] = await rows<{ deadlocks: string }>(
      'select deadlocks from pg_stat_database where datname = current_database()',
    )
    const moneyOut = await readMoneyOut(rows)
    const orderBooks = await readOrderBooks(rows)
    const productionBooks = await readProductionBooks(rows)
    return {
      transactions,
      ...moneyOut,
      ...orderBooks,
      ...productionBooks,
      accounts: new Map(
        accounts.map(({ id, balance, version }) => [
          BigInt(id),
          { balance: BigInt(balance), version: BigInt(version) },
        ]),
      ),
      lines: lines.map((row) => ({
        id: BigInt(row.id),
        member: BigInt(row.member),
        asset: row.asset,
        type: row.type,
        operation: row.operation,
        transaction: BigInt(row.transaction),
        phase: row.phase,
        amount: BigInt(row.amount),
        fee: BigInt(row.fee),
      })),
      closings: new Map(closings.map(({ line, phase }) => [BigInt(line), phase])),
      members: new Map(members.map(({ id, account, sessions }) => [account, { id: BigInt(id), sessions }])),
      suspenseHolders: new Map(holders.map(({ owner, address }) => [BigInt(owner), address])),
      seen: seen.map((row) => `${row.tx}:${row.log_index} of ${row.account}: ${row.amount} ${row.asset}`),
      posted: state ? { number: BigInt(state.number), hash: state.hash } : null,
      stoppedReason: state?.stopped_reason ?? null,
      assetStops: assetStops.map(({ asset, reason }) => `${asset}: ${reason}`),
      deadlocks: Number(statistics?.deadlocks ?? 0),
    }
  } finally {
    await client.end().catch(() => {})
  }
}

export type Rows = <Row extends object>(text: string) => Promise<Row[]>

async function readMoneyOut(
  rows: Rows,
): Promise<Pick<Books, 'payouts' | 'releases' | 'outputAddresses' | 'securityLines'>> {
  type Payout = Record<'id' | 'amount' | 'fee' | 'fee_burned' | 'address' | 'waits', string> &
    Record<'member_id' | 'release_number' | 'paid_by', string | null> &
    Record<'requested_at', Date> &
    Pick<PayoutRow, 'kind' | 'asset' | 'level' | 'ended'>
  const payouts = await rows<Payout>(`
    select id, kind, asset, amount, fee, fee_burned, '0x' || encode(address, 'hex') as address, member_id, level,
           requested_at, release_number, ended, '0x' || encode(paid_tx, 'hex') || ':' || paid_log_index as paid_by,
           concat_ws(' ', 'looked at ' || look_at, held_check, waits_for, nullif(token_failures, 0)) as waits
    from lode.payout order by number`)
  type Release = Record<'number' | 'nonce' | 'call', string> &
    Record<'made_at', Date> &
    Pick<ReleaseRow, 'ended' | 'forms'>
  const releases = await rows<Release>(`
    select number, nonce, '0x' || encode(call, 'hex') as call, made_at, ended_at is not null as ended,
           (select coalesce(json_agg(json_build_object('hash', '0x' || encode(hash, 'hex'), 'raw', '0x' || encode(raw, 'hex'))
                                     order by attempt), '[]')
            from lode.release_form where release_number = number) as forms
    from lode.release order by number`)
  type Address = { member_id: string; address: string; asked_at: Date; binds_at: Date; cancelled: boolean }
  const addresses = await rows<Address>(`
    select member_id, '0x' || encode(address, 'hex') as address, asked_at, binds_at, cancelled_at is not null as cancelled
    from lode.output_address order by member_id, number`)
  const lines = await rows<{ member_id: string; at: Date; kind: string; until: Date | null }>(
    'select member_id, at, kind, until from lode.security_line order by id',
  )
  return {
    payouts: payouts.map((row) => ({
      id: row.id,
      kind: row.kind,
      asset: row.asset,
      level: row.level,
      ended: row.ended,
      waits: row.waits,
      amount: BigInt(row.amount),
      fee: BigInt(row.fee),
      feeBurned: BigInt(row.fee_burned),
      address: row.address,
      member: row.member_id === null ? null : BigInt(row.member_id),
      requestedAt: row.requested_at.getTime(),
      release: row.release_number === null ? null : BigInt(row.release_number),
      paidBy: row.paid_by,
    })),
    releases: releases.map((row) => ({
      number: BigInt(row.number),
      nonce: BigInt(row.nonce),
      call: row.call,
      ended: row.ended,
      forms: row.forms,
      madeAt: row.made_at.getTime(),
    })),
    outputAddresses: addresses.map((row) => ({
      member: BigInt(row.member_id),
      address: row.address,
      cancelled: row.cancelled,
      askedAt: row.asked_at.getTime(),
      bindsAt: row.binds_at.getTime(),
    })),
    securityLines: lines.map((row) => ({
      member: BigInt(row.member_id),
      at: row.at.getTime(),
      kind: row.kind,
      until: row.until?.getTime() ?? null,
    })),
  }
}

// ---- parts of an account number -------------------------------------------------------------------------------------

export const KIND = {
  available: 1,
  frozenOut: 2,
  frozenOrder: 3,
  pledged: 4,
  agentUnclaimed: 5,
  vault: 8,
  cold: 9,
  loss: 10,
  mining: 12,
  liquidity: 13,
  operations: 14,
  paying: 15,
  reserve: { airdrop: 16, promotion: 17, liquidity: 18, mining: 19 },
  dividendFunded: 20,
  dividendPayable: 21,
  partnerFunded: 24,
  partnerPayable: 25,
  burnDue: 28,
  suspense: 32,
  suspenseReturning: 33,
} as const

export const TYPE = {
  deposit: 1,
  suspenseDeposit: 2,
  dividendFunding: 3,
  reserveFunding: 4,
  coldMove: 5,
  coldReturn: 6,
  burn: 7,
  orderReserve: 10,
  orderRelease: 11,
  promotionByBalance: 12,
  promotionPaid: 13,
  pledgeByBalance: 14,
  pledgePaid: 15,
  pledgeReturn: 16,
  transferRequest: 20,
  transferRelease: 21,
  transferPaid: 22,
  agentReward: 30,
  dividendClose: 31,
  pointReward: 32,
  partnerClose: 33,
  partnerUnshared: 34,
  partnerReward: 35,
  airdropForActive: 36,
  airdropForPromotion: 37,
  airdropForAgent: 38,
  airdropForPartner: 39,
  pledgeRest: 40,
  suspenseCredit: 50,
  suspenseReturn: 51,
  suspenseReturnPaid: 52,
  suspenseReturnUndone: 53,
  treasuryPay: 60,
  treasuryPaid: 61,
  treasuryUndone: 62,
  writeOff: 70,
  lossFunding: 71,
  lossFundingByPool: 72,
} as const

export const ASSET_CODES = { USDT: 1, BTN: 2, BTC: 3 } as const
export type AssetName = keyof typeof ASSET_CODES

export const ownerOf = (account: bigint): bigint => account >> 14n
export const kindOf = (account: bigint): number => Number((account >> 8n) & 63n)
export const assetOf = (account: bigint): number => Number((account >> 6n) & 3n)

/** The sum of all accounts of a kind, of one owner or of all. */
export const sumOn = ({ accounts }: Books, kind: number, owner?: bigint): bigint =>
  Array.from(accounts)
    .filter(([account]) => kindOf(account) === kind && (owner === undefined || ownerOf(account) === owner))
    .reduce((sum, [, { balance }]) => sum + balance, 0n)
