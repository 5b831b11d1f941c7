import { assetOf, type Books, KIND, kindOf, type Posting, TYPE } from './books.ts'

const MAY_BE_NEGATIVE: readonly number[] = [KIND.vault, KIND.cold, KIND.loss]
const LOGGED: readonly number[] = [KIND.available, KIND.frozenOut, KIND.frozenOrder]
const KNOWN_TYPES: readonly number[] = Object.values(TYPE)

/** Errors in the ledger itself, without the chain. */
export function* doubleEntryFindings(books: Books): Generator<string> {
  const keys = new Set<string>()
  for (const { id, member, key, type, postings } of books.transactions) {
    if (!KNOWN_TYPES.includes(type)) yield `transaction ${id} is of type ${type}, which nobody asked for`
    if (keys.has(`${member} ${key}`)) yield `key ${key} of ${member} is spent twice`
    keys.add(`${member} ${key}`)
    if (postings.length < 2) yield `transaction ${id} has ${postings.length} postings`
    for (const [asset, legs] of Map.groupBy(postings, ({ account }) => assetOf(account))) {
      const sum = legs.reduce((total, { amount }) => total + amount, 0n)
      if (sum !== 0n) yield `transaction ${id} sums to ${sum} of asset ${asset}`
    }
    for (const posting of postings) {
      if (LOGGED.includes(kindOf(posting.account)) && posting.line === null)
        yield `a movement of account ${posting.account} in transaction ${id} is in no member's log`
    }
  }
  yield* replayFindings(books)
  yield* lineFindings(books)
  if (books.deadlocks > 0) yield `${books.deadlocks} deadlocks: accounts were not locked in one order`
}

function* replayFindings({ transactions, accounts }: Books): Generator<string> {
  const histories = Map.groupBy(
    transactions.flatMap(({ postings }) => postings),
    ({ account }) => account,
  )
  for (const [account, history] of histories) {
    let balance = 0n
    let version = 0n
    for (const posting of history.toSorted((one, other) => Number(one.version - other.version))) {
      balance += posting.amount
      version += 1n
      if (posting.version !== version) yield `account ${account} has no posting ${version}`
      if (posting.balanceAfter !== balance)
        yield `account ${account} stands at ${balance} after posting ${version}, and ${posting.balanceAfter} is written`
      if (balance < 0n && !MAY_BE_NEGATIVE.includes(kindOf(account))) yield `account ${account} fell to ${balance}`
    }
    const now = accounts.get(account)
    if (now?.balance !== balance || now.version !== version)
      yield `account ${account} is ${now?.balance} at ${now?.version}, its postings give ${balance} at ${version}`
  }
  for (const [account, { balance, version }] of accounts) {
    if (!histories.has(account) && (balance !== 0n || version !== 0n))
      yield `account ${account} is ${balance} at ${version} without a posting`
  }
}

function* lineFindings({ transactions, lines, closings }: Books): Generator<string> {
  const known = new Set(transactions.map(({ id }) => id))
  const byLine = Map.groupBy(transactions.flatMap(({ postings }) => postings).filter(hasLine), ({ line }) => line)
  for (const line of lines) {
    if (!known.has(line.transaction)) yield `log line ${line.id} is of no transaction`
    const available = (byLine.get(line.id) ?? []).filter(({ account }) => kindOf(account) === KIND.available)
    const change = available.reduce((sum, { amount }) => sum + amount, 0n)
    // A canceled line was frozen and unfrozen, so it changed nothing.
    const expected = closings.get(line.id) === 'canceled' ? 0n : line.amount - line.fee
    if (change !== expected) yield `log line ${line.id} says ${expected}, and the balance changed by ${change}`
  }
}

const hasLine = (posting: Posting): posting is Posting & { readonly line: bigint } => posting.line !== null
