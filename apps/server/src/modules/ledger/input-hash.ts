import { hash } from 'node:crypto'
import type { AnyAccount, AnyLine, Transaction } from './transaction.ts'

/** The hash by which lode.post tells a repeated transaction from a different one with the same key. */
export function inputHash(transaction: Transaction): Buffer {
  return hash('sha256', transaction.terms ?? contentOf(transaction), 'buffer')
}

function contentOf({ type, moves }: Transaction): string {
  const parts = moves.map(({ asset, amount, from, to }) => [asset, String(amount), accountText(from), accountText(to)])
  return JSON.stringify([type, parts])
}

function accountText(account: AnyAccount): string {
  if (typeof account === 'string') return account
  if ('address' in account) return `${account.kind} ${account.address.toLowerCase()}`
  if (!('line' in account)) return `${account.kind} ${account.member}`
  const { type, operation, fee = 0n }: AnyLine = account.line
  return `${account.kind} ${account.member} ${type} ${operation} ${fee}`
}
