import type { Acknowledged } from '../acknowledged.ts'
import { funder } from '../stack/pool.ts'
import {
  ASSET_CODES,
  assetOf,
  type Books,
  KIND,
  kindOf,
  type LedgerTransaction,
  ownerOf,
  type PayoutRow,
  TYPE,
} from './books.ts'
import { type Entry, logOfKey } from './chain-entries.ts'

/**
 * Compares the ledger with the final chain in both directions. Every chain entry of the ledger is on the chain, final,
 * with the same amount, and went to the right account. Everything final up to the posted block is in the ledger.
 */
export function* creditFindings(
  books: Books,
  entries: readonly Entry[],
  chainId: number,
  { silentLosses }: Pick<Acknowledged, 'silentLosses'>,
): Generator<string> {
  yield* silentLossFindings(books, silentLosses)
  const byLog = new Map(entries.map((entry) => [entry.log, entry]))
  const inBooks = new Set<string>()
  for (const transaction of books.transactions) {
    const log = logOfKey(chainId, transaction.key)
    if (isSilentLoss(transaction)) continue
    if (log === undefined) {
      if (transaction.key.startsWith('chain:')) yield `key ${transaction.key} is of another chain`
      if (transaction.type === TYPE.suspenseCredit) yield* suspenseCreditFindings(books, transaction)
      continue
    }
    if (inBooks.has(log)) yield `log ${log} is credited twice`
    inBooks.add(log)
    const entry = byLog.get(log)
    if (!entry) {
      yield `transaction ${transaction.id} credits log ${log}, which is not in the finalized chain`
      continue
    }
    if (books.posted === null || entry.block > books.posted.number)
      yield `log ${log} of block ${entry.block} is in the books, and the posted block is ${books.posted?.number}`
    yield* entryFindings(books, transaction, entry)
  }
  for (const { log, block } of entries) {
    if (books.posted && block <= books.posted.number && !inBooks.has(log))
      yield `log ${log} of block ${block} is not in the books, though the posted block is ${books.posted.number}`
  }
}

type Leg = { readonly owner: bigint; readonly kind: number; readonly amount: bigint }

function* entryFindings(books: Books, transaction: LedgerTransaction, entry: Entry): Generator<string> {
  const legs = legsOf(transaction)
  // orders.ts and the promotion checks verify where this money went.
  const isPurchase = transaction.type === TYPE.promotionPaid || transaction.type === TYPE.pledgePaid
  if (entry.what.kind === 'payment' && isPurchase && isSettledBy(books, entry)) return
  const wrongAsset = transaction.postings.some(({ account }) => assetOf(account) !== ASSET_CODES[entry.asset])
  const expected = possibleLegs(books, entry)
  const fits = expected.some(
    ({ type, legs: needed }) =>
      transaction.type === type &&
      legs.length === needed.length &&
      needed.every((leg) => legs.some((other) => isSameLeg(leg, other))),
  )
  if (wrongAsset || !fits) {
    const found = legs.map(({ owner, kind, amount }) => `${amount} on ${kind} of ${owner}`).join(', ')
    yield `log ${entry.log} (${JSON.stringify(entry.what)}, ${entry.amount} ${entry.asset}) is in the books as type ${transaction.type}: ${found}`
  }
  if (transaction.type !== TYPE.deposit) return
  const lines = books.lines.filter((line) => line.transaction === transaction.id)
  const [line] = lines
  if (lines.length !== 1 || line?.operation !== entry.log || line.amount !== entry.amount || line.type !== 1)
    yield `log ${entry.log} stands in its member's log as ${lines.map(({ operation, amount }) => `${operation} ${amount}`)}`
}

/** The changes of a transaction. One account can have several postings, because some accounts are spread over rows. */
function legsOf({ postings }: LedgerTransaction): Leg[] {
  const byAccount = Map.groupBy(postings, ({ account }) => `${ownerOf(account)} ${kindOf(account)}`)
  return Array.from(byAccount.values(), ([first, ...others]) =>
    leg(
      first ? ownerOf(first.account) : 0n,
      first ? kindOf(first.account) : 0,
      others.reduce((sum, { amount }) => sum + amount, first?.amount ?? 0n),
    ),
  )
}

const isSettledBy = ({ orders }: Books, { log }: Entry): boolean =>
  orders.some(({ paidBy, ended }) => paidBy === log && ended === 'success')

const isSameLeg = (one: Leg, other: Leg): boolean =>
  one.owner === other.owner && one.kind === other.kind && one.amount === other.amount

type ExpectedCredit = { readonly type: number; readonly legs: readonly Leg[] }

const leg = (owner: bigint, kind: number, amount: bigint): Leg => ({ owner, kind, amount })

/**
 * The accounts between which an entry may move money. A deposit, or a payment for no order, goes to its sender's
 * account, or into suspense if the address was not registered when it was posted. Money sent directly to cold storage
 * always goes into suspense first. A payout was frozen for that payout before, with its fee.
 */
function possibleLegs(books: Books, { what, amount }: Entry): ExpectedCredit[] {
  const between = (type: number, from: Omit<Leg, 'amount'>, to: Omit<Leg, 'amount'>): ExpectedCredit => ({
    type,
    legs: [
      { ...from, amount: -amount },
      { ...to, amount },
    ],
  })
  const system = (kind: number) => ({ owner: 0n, kind })
  const vault = system(KIND.vault)
  const cold = system(KIND.cold)
  switch (what.kind) {
    case 'payment':
    case 'deposit': {
      const isVault = what.kind === 'payment' || what.into === 'vault'
      const custody = isVault ? vault : cold
      const member = isVault ? books.members.get(what.from) : undefined
      const holders = Array.from(books.suspenseHolders).filter(([, address]) => address === what.from)
      return [
        // A transfer of the funder replaces what is missing.
        ...(what.from === funder.address.toLowerCase() ? [between(TYPE.lossFunding, vault, system(KIND.loss))] : []),
        ...(member ? [between(TYPE.deposit, vault, { owner: member.id, kind: KIND.available })] : []),
        ...holders.map(([owner]) => between(TYPE.suspenseDeposit, custody, { owner, kind: KIND.suspense })),
      ]
    }
    case 'dividend':
      return [between(TYPE.dividendFunding, vault, system(KIND.dividendFunded))]
    case 'reserve':
      return [between(TYPE.reserveFunding, vault, system(KIND.reserve[what.reserve]))]
    case 'to-cold':
      return [between(TYPE.coldMove, cold, vault)]
    case 'from-cold':
      return [between(TYPE.coldReturn, vault, cold)]
    case 'loss': {
      const lost = leg(0n, KIND.loss, -amount)
      const left = leg(0n, what.place === 'vault' ? KIND.vault : KIND.cold, amount + what.arrived)
      const arrived = what.arrived > 0n ? [leg(0n, KIND.cold, -what.arrived)] : []
      return [{ type: TYPE.writeOff, legs: [lost, left, ...arrived] }]
    }
    case 'burn':
      return [between(TYPE.burn, system(KIND.burnDue), vault)]
    case 'payout':
      return books.payouts.filter(({ id }) => id === what.id).map(payoutLegs)
  }
}

function payoutLegs({ kind, member, amount, fee, feeBurned }: PayoutRow): ExpectedCredit {
  const paid = leg(0n, KIND.vault, amount)
  switch (kind) {
    case 'transfer': {
      const parts = [leg(0n, KIND.operations, fee - feeBurned), leg(0n, KIND.burnDue, feeBurned)]
      const legs = [leg(member ?? 0n, KIND.frozenOut, -amount - fee), paid, ...parts.filter((part) => part.amount > 0n)]
      return { type: TYPE.transferPaid, legs }
    }
    case 'treasury':
      return { type: TYPE.treasuryPaid, legs: [leg(0n, KIND.paying, -amount), paid] }
    case 'suspense':
      return { type: TYPE.suspenseReturnPaid, legs: [leg(0n, KIND.suspenseReturning, -amount), paid] }
  }
}

/** A balance that fell without a log is written off under a key that names the balance. */
const isSilentLoss = ({ type, key }: LedgerTransaction): boolean => type === TYPE.writeOff && key.includes(':balance:')

/** Exactly the balances that the simulator lowered were written off without a log. */
function* silentLossFindings(books: Books, lowered: Acknowledged['silentLosses']): Generator<string> {
  const written = books.transactions.filter(isSilentLoss).map(({ postings }) => {
    const lost = postings.find(({ account }) => kindOf(account) === KIND.loss)
    return `${-(lost?.amount ?? 0n)} of asset ${lost && assetOf(lost.account)}`
  })
  for (const { asset, amount } of lowered) {
    const at = written.indexOf(`${amount} of asset ${ASSET_CODES[asset]}`)
    if (at < 0) yield `${amount} ${asset} vanished without a log, and were not written off`
    else written.splice(at, 1)
  }
  for (const each of written) yield `${each} were written off without a log, and did not vanish`
}

/** Suspense of an address goes to the member with that address and to nobody else. */
function* suspenseCreditFindings(books: Books, { id, postings }: LedgerTransaction): Generator<string> {
  const memberIds = new Map(Array.from(books.members, ([address, member]) => [member.id, address]))
  const addresses = postings.map(({ account }) => {
    const owner = ownerOf(account)
    return kindOf(account) === KIND.suspense ? books.suspenseHolders.get(owner) : memberIds.get(owner)
  })
  if (new Set(addresses).size !== 1) yield `transaction ${id} credits what waited for ${addresses.join(' to ')}`
}
