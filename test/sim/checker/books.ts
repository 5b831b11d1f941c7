import pg from 'pg'

/** The books as they are in the tables, read by plain SQL in one snapshot. Nothing of the server's own code is used here. */
export type Books = {
  readonly transactions: readonly LedgerTransaction[]
  readonly accounts: ReadonlyMap<bigint, { readonly balance: bigint; readonly version: bigint }>
  readonly lines: readonly LogLine[]
  readonly endedLines: ReadonlySet<bigint>
  /** By address, in lower case. */
  readonly members: ReadonlyMap<string, { readonly id: bigint; readonly sessions: readonly string[] }>
  /** The owners of suspense accounts, which are negative, and their addresses. */
  readonly suspenseHolders: ReadonlyMap<bigint, string>
  /** What is shown and not final, one line each. */
  readonly seen: readonly string[]
  readonly posted: { readonly number: bigint; readonly hash: string } | null
  readonly stoppedReason: string | null
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
      ...{ id: BigInt(row.id), member: BigInt(row.member), key: row.key, type: row.type },
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
    const ended = await rows<{ line: string }>('select line from lode.log_closing')
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
    const [statistics] = await rows<{ deadlocks: string }>(
      'select deadlocks from pg_stat_database where datname = current_database()',
    )
    return {
      transactions,
      accounts: new Map(
        accounts.map(({ id, balance, version }) => [
          BigInt(id),
          { balance: BigInt(balance), version: BigInt(version) },
        ]),
      ),
      lines: lines.map((row) => ({
        ...{ id: BigInt(row.id), member: BigInt(row.member), asset: row.asset, type: row.type },
        ...{ operation: row.operation, transaction: BigInt(row.transaction), phase: row.phase },
        ...{ amount: BigInt(row.amount), fee: BigInt(row.fee) },
      })),
      endedLines: new Set(ended.map(({ line }) => BigInt(line))),
      members: new Map(members.map(({ id, account, sessions }) => [account, { id: BigInt(id), sessions }])),
      suspenseHolders: new Map(holders.map(({ owner, address }) => [BigInt(owner), address])),
      seen: seen.map((row) => `${row.tx}:${row.log_index} of ${row.account}: ${row.amount} ${row.asset}`),
      posted: state ? { number: BigInt(state.number), hash: state.hash } : null,
      stoppedReason: state?.stopped_reason ?? null,
      deadlocks: Number(statistics?.deadlocks ?? 0),
    }
  } finally {
    await client.end().catch(() => {})
  }
}

// ---- what an account's number says -------------------------------------------------------------------------------------

export const KIND = {
  available: 1,
  frozenOrder: 3,
  vault: 8,
  cold: 9,
  reserve: { airdrop: 16, promotion: 17, liquidity: 18, mining: 19 },
  dividendFunded: 20,
  suspense: 32,
} as const

export const TYPE = {
  deposit: 1,
  suspenseDeposit: 2,
  dividendFunding: 3,
  reserveFunding: 4,
  coldMove: 5,
  coldReturn: 6,
  orderReserve: 10,
  orderRelease: 11,
  suspenseCredit: 50,
} as const

export const ASSET_CODES = { USDT: 1, BTN: 2, BTC: 3 } as const
export type AssetName = keyof typeof ASSET_CODES

export const ownerOf = (account: bigint): bigint => account >> 14n
export const kindOf = (account: bigint): number => Number((account >> 8n) & 63n)
export const assetOf = (account: bigint): number => Number((account >> 6n) & 3n)
