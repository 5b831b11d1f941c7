import { ok, type Result, refused } from '@lode/kernel'
import type { Command } from 'commander'
import {
  type Decided,
  inWords,
  type KeyFile,
  type Prepared,
  prepare,
  type Question,
  readKeyFile,
  sign,
} from '../../modules/operators/index.ts'
import { wakeForDecisions } from '../../modules/treasury/index.ts'
import { decimalsOf, type PoolContracts } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import { StartUpRefusal } from '../start-up.ts'
import type { PoolContext } from './database.ts'
import { signerNote } from './signer-note.ts'
import { confirm, fileText, passphrase, say } from './terminal.ts'

export type SigningOptions = { readonly key?: string; readonly yes?: boolean }

/** The options of every command that signs. */
export const signing = (command: Command): Command =>
  command
    .option('--key <file>', 'the file with your key, or LODE_OPERATOR_KEY')
    .option('--yes', 'sign without being asked whether you mean it')

type Effect = {
  /** Runs in the transaction of each signature. */
  readonly alsoDo?: (inside: Database, decided: Decided) => Promise<Result<null, string>>
  /** The message after the last signature, and the one while another is missing. */
  readonly done: string
  readonly waiting?: string
  /** How many signatures are enough, if that is fewer than the question's maximum. */
  readonly enough?: number
  /** The signer must obey this decision. If it does not, the command says so instead of `done`. */
  readonly bySigner?: boolean
}

/** Wakes the worker, which carries the decision out. */
export async function wakeWorker(inside: Database): Promise<Result<null, string>> {
  await wakeForDecisions(inside)
  return ok(null)
}

/**
 * Shows the text to sign, asks for confirmation, signs and stores it. The first operator begins the decision. The next
 * one runs the same command on another machine and signs the same text.
 */
export async function decide(
  { db, pool, contracts }: PoolContext,
  question: Question,
  { key: path = process.env.LODE_OPERATOR_KEY, yes = false }: SigningOptions,
  { alsoDo = async () => ok(null), done, waiting, enough, bySigner = false }: Effect,
): Promise<Result<string, string>> {
  if (!path) return refused('Say with which key: --key FILE')
  const file = keyIn(path)
  const prepared = await prepare(db, pool, question)
  if (!prepared.ok) return prepared
  const { operators, signedBy, needed } = prepared.value
  const self = operators.find(({ key }) => key === file.publicKey)
  if (!self) return refused('This key is not one of the operators’.')
  if (signedBy.includes(self))
    return refused(`${self.name} has signed this already. It takes another operator, with another key.`)

  say(...whatIsSigned(prepared.value, contracts), '')
  await confirm(`Sign this as ${self.name}?`, yes)
  const key = await file.open(await passphrase(`Passphrase of ${self.name}: `))
  if (!key.ok) return key
  const signed = await sign(db, pool, { question, prepared: prepared.value, key: key.value }, alsoDo)
  if (!signed.ok) return signed
  const names = [...signedBy, self].map(({ name }) => name).join(' and ')
  if (signed.value < (enough ?? needed))
    return ok(`Signed by ${names}. ${waiting ?? 'It takes another operator: the same command with another key.'}`)
  return ok(`Signed by ${names}. ${(bySigner ? await signerNote(db) : null) ?? done}`)
}

function whatIsSigned({ body, signedBy, began }: Prepared, contracts: PoolContracts): string[] {
  const before = signedBy.map(({ name }) => name).join(' and ')
  return [
    'What you are about to sign:',
    ...inWords(body, decimalsOf(contracts)).map((line) => `  ${line}`),
    began === 'now' ? 'You are the first to sign it.' : `${before} signed it before you.`,
  ]
}

function keyIn(path: string): KeyFile {
  const file = readKeyFile(fileText(path))
  if (!file.ok) throw new StartUpRefusal(`${path}: ${file.error}`)
  return file.value
}
