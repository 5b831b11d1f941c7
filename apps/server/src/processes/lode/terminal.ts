import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { ExpectedFailure } from '../start-up.ts'

/** What a command prints at its end: for people `text`, with --json `data`. A plain string has no other data. */
export type Answer = string | { readonly text: string; readonly data: unknown }

let isJsonWanted = false

/** With --json, standard output has nothing but one JSON value. All other lines go to standard error. */
export function useJson(wanted: boolean): void {
  isJsonWanted = wanted
}

export const print = (...lines: readonly string[]): void => {
  const stream = isJsonWanted ? process.stderr : process.stdout
  for (const line of lines) stream.write(`${line}\n`)
}

/** For people who wait or are asked something. Standard output then has the result only, also if its reader ends early. */
export const tell = (...lines: readonly string[]): void => {
  for (const line of lines) process.stderr.write(`${line}\n`)
}

export function printAnswer(answer: Answer): void {
  if (!isJsonWanted) {
    print(typeof answer === 'string' ? answer : answer.text)
    return
  }
  const data = typeof answer === 'string' ? { message: answer } : answer.data
  process.stdout.write(`${JSON.stringify(data, toJson, 2)}\n`)
}

/** A bigint is a number of something, such as a block or a decision. Amounts are given as text, in whole coins. */
const toJson = (_name: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value)

/** Asks the operator to type yes, unless --yes was given. Throws on another answer, or if there is no terminal. */
export async function confirm(question: string, skipQuestion: boolean): Promise<void> {
  if (skipQuestion) return
  if (!process.stdin.isTTY) throw new ExpectedFailure('There is no terminal to ask on: use --yes to confirm.')
  const answer = await ask(`${question} Type yes: `)
  const typed = answer.trim()
  if (typed === 'yes') return
  // Another answer is not repeated: it may be a passphrase.
  const hint = /^y(es)?$/i.test(typed) ? `: you typed ${typed}, not yes` : ''
  throw new ExpectedFailure(`Nothing was signed${hint}.`)
}

/** Reads the passphrase from the file that LODE_PASSPHRASE_FILE names, for scripts, or asks for it without echo. */
export async function readPassphrase(question: string): Promise<string> {
  const file = process.env.LODE_PASSPHRASE_FILE
  if (file) return readTextFile(file).replace(/\r?\n$/, '')
  if (!process.stdin.isTTY)
    throw new ExpectedFailure('There is no terminal to ask on: set LODE_PASSPHRASE_FILE to the path of a file with it.')
  return ask(question, { hidden: true })
}

/** Asks twice for a new password without echo, or reads one line from standard input if there is no terminal. */
export async function readNewPassword(question: string): Promise<string> {
  if (!process.stdin.isTTY) return readFileSync(0, 'utf8').split(/\r?\n/)[0] ?? ''
  const typed = await ask(question, { hidden: true })
  const again = await ask('Once more: ', { hidden: true })
  if (again !== typed) throw new ExpectedFailure('The two passwords differ.')
  return typed
}

/** Asks on standard error, because standard output may be a file or another program. */
async function ask(question: string, { hidden = false } = {}): Promise<string> {
  const output = hidden ? new Writable({ write: (_chunk, _encoding, done) => done() }) : process.stderr
  const lines = createInterface({ input: process.stdin, output, terminal: true })
  const aborted = once(lines, 'close').then(() => {
    throw new ExpectedFailure('Nothing was done.')
  })
  lines.once('SIGINT', () => lines.close())
  // Printed after createInterface has turned echo off. Otherwise the terminal would show what a fast operator types.
  if (hidden) process.stderr.write(question)
  try {
    return await Promise.race([lines.question(hidden ? '' : question), aborted])
  } finally {
    aborted.catch(() => {})
    lines.close()
    if (hidden) process.stderr.write('\n')
  }
}

/** Refuses a private key where a file or an address is expected, and does not repeat it. */
export function refuseBareKey(text: string): void {
  if (/^(0x)?[0-9a-f]{64}$/i.test(text.trim()))
    throw new ExpectedFailure(
      'What looks like a private key was typed where the name of a file or an address belongs. Nothing was done. If it is a key, replace it: the history of the shell has it now.',
    )
}

export function readTextFile(path: string): string {
  refuseBareKey(path)
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new ExpectedFailure(`${path} cannot be read.`)
  }
}
