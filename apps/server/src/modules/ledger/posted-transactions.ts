import type { Asset } from '@lode/kernel'
import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { readAccountNumber, SYSTEM } from './account-number.ts'
import { type KindName, type TypeName, types } from './chart.ts'

export type PostedTransaction = {
  readonly type: TypeName
  /** The owner of the key; 0 is the system. */
  readonly member: bigint
  readonly key: string
  readonly postedAt: Date
  /** The postings to the rows of one spread account of the system are summed. */
  readonly postings: readonly Readonly<AccountChange>[]
}

type AccountChange = { kind: KindName; owner: bigint; asset: Asset; amount: bigint }

/** Whether the transaction moves exactly this amount of BTN from the reserve to the owner of its key. */
export const isAirdrop = (
  { member, postings }: PostedTransaction,
  reserve: 'reserve:airdrop' | 'reserve:promotion',
  amount: bigint,
): boolean => {
  const has = (kind: KindName, owner: bigint, change: bigint): boolean =>
    postings.some((one) => one.kind === kind && one.owner === owner && one.asset === 'BTN' && one.amount === change)
  return postings.length === 2 && has(reserve, SYSTEM, -amount) && has('available', member, amount)
}

const typeByCode = new Map(Object.entries(types).map(([name, { code }]) => [code as number, name as TypeName]))

export async function readTransactions(db: Database, ids: readonly bigint[]): Promise<Map<bigint, PostedTransaction>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{
    id: bigint
    member: bigint
    key: string
    type: number
    posted_at: Date
    account: bigint
    amount: string
  }>`
    select made.id, made.member, made.key, made.type, made.posted_at, posting.account, posting.amount
    from lode.ledger_transaction made join lode.posting on posting.transaction = made.id
    where made.id = any (${ids.map(String)}::int8[])`.execute(db)
  const found = new Map<bigint, Omit<PostedTransaction, 'postings'> & { postings: AccountChange[] }>()
  for (const { id, member, key, type: code, posted_at: postedAt, account, amount } of rows) {
    const type = typeByCode.get(code)
    if (!type) throw new Error(`there is no transaction type with the code ${code}`)
    const transaction = found.get(id) ?? { type, member, key, postedAt, postings: [] }
    found.set(id, transaction)
    const { owner, kind, asset } = readAccountNumber(account)
    const sameAccount =
      owner === SYSTEM &&
      transaction.postings.find((one) => one.owner === SYSTEM && one.kind === kind && one.asset === asset)
    if (sameAccount) sameAccount.amount += BigInt(amount)
    else transaction.postings.push({ owner, kind, asset, amount: BigInt(amount) })
  }
  return found
}

/** The transactions of the system with these keys, by key. A key that is missing in the answer was never posted. */
export async function readTransactionsByKey(
  db: Database,
  keys: readonly string[],
): Promise<Map<string, { readonly id: bigint; readonly transaction: PostedTransaction }>> {
  const { rows } = await sql<{ id: bigint; key: string }>`
    select id, key from lode.ledger_transaction where member = ${SYSTEM} and key = any (${keys}::text[])`.execute(db)
  const transactions = await readTransactions(
    db,
    rows.map(({ id }) => id),
  )
  return new Map(
    rows.map(({ id, key }) => {
      const transaction = transactions.get(id)
      if (!transaction) throw new Error(`transaction ${id} has no postings`)
      return [key, { id, transaction }]
    }),
  )
}
