import { randomBytes } from 'node:crypto'
import { type Asset, parseAmount } from '@lode/kernel'
import { connectDatabase, post, type Transaction } from '@lode/server'
import pg from 'pg'
import type { Member } from './member.ts'
import type { BrowserStack } from './stack.ts'

const decimals = { USDT: 6, BTN: 18, BTC: 8 }

/** An event in a member's ledger history, oldest first. */
export type LedgerEvent =
  | { readonly received: string; readonly asset: Asset; readonly operation?: string }
  /** A transfer out: waiting, or canceled. */
  | { readonly sent: string; readonly fee: string; readonly canceled?: boolean }

/** Posts the events as the processes would, without a chain. This is the fastest way to a long history. */
export async function postHistory(stack: BrowserStack, member: Member, events: readonly LedgerEvent[]): Promise<void> {
  const id = await memberId(stack, member)
  const worker = connectDatabase(stack.roleUrls.worker, { name: 'browser test' })
  const api = connectDatabase(stack.roleUrls.api, { name: 'browser test' })
  try {
    for (const batch of batchesOf(events)) {
      const outcomes =
        'deposits' in batch
          ? await post(
              worker.db,
              batch.deposits.map((event) => deposit(id, event)),
            )
          : await withoutCauseCheck(stack, () => post(api.db, transferOut(id, batch)))
      if (outcomes.some(({ outcome }) => outcome !== 'posted')) throw new Error(JSON.stringify(batch))
    }
  } finally {
    await Promise.all([worker.close(), api.close()])
  }
}

type Deposit = Extract<LedgerEvent, { received: string }>
type TransferOut = Extract<LedgerEvent, { sent: string }>

const DEPOSITS_IN_A_BATCH = 500

/** Deposits that follow each other are posted together: ten thousand of them take seconds instead of minutes. */
function batchesOf(events: readonly LedgerEvent[]): ({ readonly deposits: Deposit[] } | TransferOut)[] {
  const batches: ({ readonly deposits: Deposit[] } | TransferOut)[] = []
  for (const event of events) {
    const last = batches.at(-1)
    if ('sent' in event) batches.push(event)
    else if (last && 'deposits' in last && last.deposits.length < DEPOSITS_IN_A_BATCH) last.deposits.push(event)
    else batches.push({ deposits: [event] })
  }
  return batches
}

function deposit(member: bigint, { received, asset, operation }: Deposit): Transaction {
  const log = `0x${randomBytes(32).toString('hex')}:0`
  const to = { kind: 'available', member, line: { type: 'transferIn', operation: operation ?? log } }
  const move = { asset, amount: unitsOf(asset, received), from: 'custody:vault', to }
  return { type: 'deposit', key: `chain:31337:${log}`, moves: [move] } as unknown as Transaction
}

function transferOut(member: bigint, { sent, fee, canceled }: TransferOut): Transaction[] {
  const operation = randomBytes(8).toString('hex')
  const line = { type: 'transferOut', operation, fee: unitsOf('USDT', fee) } as const
  const [available, frozenOut] = [
    { kind: 'available', member, line },
    { kind: 'frozenOut', member, line },
  ] as const
  const amount = unitsOf('USDT', sent)
  const requested: Transaction = {
    type: 'transferRequest',
    member,
    key: `${operation}:request`,
    moves: [{ asset: 'USDT', amount, from: available, to: frozenOut }],
  }
  const released: Transaction = {
    type: 'transferRelease',
    member,
    key: `${operation}:release`,
    moves: [{ asset: 'USDT', amount, from: frozenOut, to: available }],
  }
  return canceled ? [requested, released] : [requested]
}

function unitsOf<A extends Asset>(asset: A, amount: string) {
  const parsed = parseAmount(asset, decimals[asset], amount)
  if (!parsed.ok) throw new Error(`${amount} ${asset} is ${parsed.error}`)
  return parsed.value
}

/**
 * These transfers are only lines of the log: no payout stands behind them. The lock lasts until the connection ends.
 * Without it, a test in another worker could enable the check in the meantime.
 */
async function withoutCauseCheck<T>({ ownerUrl }: BrowserStack, action: () => Promise<T>): Promise<T> {
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  try {
    await owner.query(`select pg_advisory_lock(hashtext('check_cause'))`)
    await owner.query('alter table lode.ledger_transaction disable trigger check_cause')
    return await action()
  } finally {
    await owner.query('alter table lode.ledger_transaction enable always trigger check_cause')
    await owner.end()
  }
}

async function memberId(stack: BrowserStack, { account }: Member): Promise<bigint> {
  const client = new pg.Client({ connectionString: stack.ownerUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ id: string }>(
      `select id from lode.member where account = decode($1, 'hex')`,
      [account.address.slice(2)],
    )
    return BigInt(rows[0]?.id ?? 0)
  } finally {
    await client.end()
  }
}

/** A history with an event of every kind. */
export const fullHistory: readonly LedgerEvent[] = [
  { received: '1250.5', asset: 'USDT' },
  { received: '132400.75', asset: 'BTN' },
  { received: '0.00418721', asset: 'BTC' },
  { sent: '250', fee: '1', canceled: true },
  { received: '80', asset: 'USDT' },
  { sent: '120', fee: '1' },
]
