import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { StartUpRefusal } from '../start-up.ts'

export const say = (...lines: readonly string[]): void => {
  for (const line of lines) process.stdout.write(`${line}\n`)
}

/** Asks for confirmation; --yes skips it. Without a terminal it refuses. */
export async function confirm(question: string, yes: boolean): Promise<void> {
  if (yes) return
  if (!process.stdin.isTTY) throw new StartUpRefusal('There is no terminal to ask on: say --yes if you mean it.')
  const answer = await ask(`${question} Type yes: `)
  if (answer.trim() !== 'yes') throw new StartUpRefusal('Nothing was signed.')
}

/** Read from the file that LODE_PASSPHRASE_FILE names, for scripts, or asked for without echo. */
export async function passphrase(question: string): Promise<string> {
  const file = process.env.LODE_PASSPHRASE_FILE
  if (file) return fileText(file).replace(/\r?\n$/, '')
  if (!process.stdin.isTTY)
    throw new StartUpRefusal('There is no terminal to ask on: put the passphrase into the file LODE_PASSPHRASE_FILE.')
  const typed = await ask(question, { hidden: true })
  process.stdout.write('\n')
  return typed
}

async function ask(question: string, { hidden = false } = {}): Promise<string> {
  const output = hidden ? new Writable({ write: (_chunk, _encoding, done) => done() }) : process.stdout
  const lines = createInterface({ input: process.stdin, output, terminal: true })
  const left = once(lines, 'close').then(() => {
    throw new StartUpRefusal('Nothing was done.')
  })
  lines.once('SIGINT', () => lines.close())
  // Printed only now, because the terminal echoes everything that is typed before echo is turned off.
  if (hidden) process.stdout.write(question)
  try {
    return await Promise.race([lines.question(hidden ? '' : question), left])
  } finally {
    left.catch(() => {})
    lines.close()
  }
}

export function fileText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new StartUpRefusal(`${path} cannot be read.`)
  }
}
