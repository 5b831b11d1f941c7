import type { Asset } from '@lode/kernel'
import { accountNumber, SYSTEM } from './account-number.ts'
import { type KindName, logTypeCodes, types } from './chart.ts'
import { inputHash } from './input-hash.ts'
import type { AnyAccount, AnyLine, Transaction } from './transaction.ts'

/** The parameters of lode.post without the last (`together`), in order, as PostgreSQL array literals. */
export type Batch = readonly (string | null)[]

/** The change of one account by one transaction, with its log line. Both are indexes from 1; line 0 means none. */
type Leg = { readonly account: number; readonly line: number; amount: bigint }

/**
 * Encodes a batch for lode.post. It writes the array literals itself, because the driver escapes arrays element by
 * element, which took a third of the time of a batch of 500.
 */
export function encodeBatch(transactions: readonly Transaction[]): Batch {
  const accounts = new IndexByKey<string>()
  const numbers: bigint[] = []
  const addresses: (string | null)[] = []
  let anyAddress = false
  const lines = new IndexByKey<string>()
  const lineTypes: number[] = []
  const lineOperations: string[] = []
  const lineFees: (bigint | undefined)[] = []
  const legTransactions: number[] = []
  const legAccounts: number[] = []
  const legAmounts: bigint[] = []
  const legLines: number[] = []

  const indexAccount = (account: AnyAccount, asset: Asset): number => {
    const kind: KindName = typeof account === 'string' ? account : account.kind
    const owner = typeof account === 'object' && 'member' in account ? account.member : SYSTEM
    const address = typeof account === 'object' && 'address' in account ? account.address.toLowerCase() : null
    return accounts.indexOf(`${owner} ${kind} ${asset} ${address}`, () => {
      numbers.push(accountNumber(owner, kind, asset))
      addresses.push(address && `\\x${address.slice(2)}`)
      anyAddress ||= address !== null
    })
  }
  const indexLine = (account: AnyAccount, asset: Asset): number => {
    if (typeof account === 'string' || !('line' in account)) return 0
    const line: AnyLine = account.line
    const lineIndex = lines.indexOf(`${account.member} ${asset} ${line.type} ${line.operation}`, () => {
      lineTypes.push(logTypeCodes[line.type])
      lineOperations.push(line.operation)
      lineFees.push(line.fee)
    })
    // Both sides of a move may name the same line. It is enough if one of them gives the fee.
    const fee = lineFees[lineIndex - 1] ?? line.fee
    if (line.fee !== undefined && line.fee !== fee) throw new Error(`line ${line.operation} has two fees`)
    lineFees[lineIndex - 1] = fee
    return lineIndex
  }

  transactions.forEach((transaction, index) => {
    // Moves that share an account and a line are summed into one leg. Credits come before debits, so that a floor is
    // checked against the balance after the whole transaction.
    const debits: Leg[] = []
    const credits: Leg[] = []
    for (const { asset, amount, from, to } of transaction.moves) {
      if (amount === 0n) continue
      addToLegs(debits, indexAccount(from, asset), indexLine(from, asset), -amount)
      addToLegs(credits, indexAccount(to, asset), indexLine(to, asset), amount)
    }
    for (const leg of [...credits, ...debits]) {
      legTransactions.push(index + 1)
      legAccounts.push(leg.account)
      legAmounts.push(leg.amount)
      legLines.push(leg.line)
    }
  })

  // The accounts are sorted by number, so that the database does not have to sort the rows that it locks.
  const order = numbers.map((_, index) => index).sort((one, other) => compare(numbers[one] ?? 0n, numbers[other] ?? 0n))
  const sortedIndexOf = new Array<number>(order.length)
  order.forEach((index, position) => {
    sortedIndexOf[index] = position + 1
  })

  return [
    numberArray(order.map((index) => numbers[index])),
    anyAddress ? textArray(order.map((index) => addresses[index] ?? null)) : null,
    numberArray(transactions.map((transaction) => ('member' in transaction ? transaction.member : SYSTEM))),
    textArray(transactions.map(({ key }) => key)),
    textArray(transactions.map((transaction) => `\\x${inputHash(transaction).toString('hex')}`)),
    numberArray(transactions.map(({ type }) => types[type].code)),
    numberArray(legTransactions),
    numberArray(legAccounts.map((account) => sortedIndexOf[account - 1])),
    numberArray(legAmounts),
    numberArray(legLines),
    numberArray(lineTypes),
    textArray(lineOperations),
    numberArray(lineFees.map((fee) => fee ?? 0n)),
  ]
}

/** Numbers distinct keys from 1, in the order of their first appearance. */
class IndexByKey<K> {
  readonly #indexes = new Map<K, number>()

  indexOf(key: K, add: () => void): number {
    const existing = this.#indexes.get(key)
    if (existing !== undefined) return existing
    add()
    this.#indexes.set(key, this.#indexes.size + 1)
    return this.#indexes.size
  }
}

function addToLegs(legs: Leg[], account: number, line: number, amount: bigint): void {
  const same = legs.find((leg) => leg.account === account && leg.line === line)
  if (same) same.amount += amount
  else legs.push({ account, line, amount })
}

const compare = (one: bigint, other: bigint): number => (one < other ? -1 : one > other ? 1 : 0)
const numberArray = (values: readonly (bigint | number | undefined)[]): string => `{${values.join(',')}}`
const textArray = (values: readonly (string | null)[]): string =>
  `{${values.map((value) => (value === null ? 'null' : `"${value.replace(/["\\]/g, '\\$&')}"`)).join(',')}}`
