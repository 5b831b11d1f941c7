import { ok, type Result, refused } from '@lode/kernel'
import type { Command } from 'commander'
import {
  describeDecision,
  type KeyFile,
  type PreparedDecision,
  type Proposal,
  prepareDecision,
  readKeyFile,
  type SignedDecision,
  signDecision,
} from '../../modules/operators/index.ts'
import { wakeForDecisions } from '../../modules/treasury/index.ts'
import { decimalsOf, type PoolContracts } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import { ExpectedFailure } from '../start-up.ts'
import { describeSignerProblem } from './describe-signer-problem.ts'
import { confirm, print, readPassphrase, readTextFile } from './terminal.ts'
import type { PoolContext } from './with-database.ts'

export type SigningOptions = { readonly key?: string; readonly yes?: boolean; readonly new?: boolean }

/** The options of every command that signs. */
export const addSigningOptions = (command: Command): Command =>
  command
    .option('--key <file>', 'the file with your key, or LODE_OPERATOR_KEY')
    .option('--yes', 'sign without confirmation')
    .option('--new', 'begin another decision, although one of this kind is open')

type DecisionEffect = {
  /** Runs in the database transaction that stores a signature, for every signature. */
  readonly onSigned?: (trx: Database, decided: SignedDecision) => Promise<Result<null, string>>
  /** Printed after the last signature. */
  readonly done: string
  /** Printed while another signature is missing. */
  readonly waiting?: string
  /** How many signatures are enough, if fewer than the proposal asks for. */
  readonly signaturesNeeded?: number
  /** True if the signer must obey this decision. If it would not, the reason is printed instead of `done`. */
  readonly needsSigner?: boolean
}

/** Printed after the last signature of a decision that the worker carries out. */
export const WORKER_DOES_IT = 'The worker carries it out within a minute: lode decision list'

/** Wakes the worker, which carries out the decision. */
export async function wakeWorker(trx: Database): Promise<Result<null, string>> {
  await wakeForDecisions(trx)
  return ok(null)
}

/**
 * Shows the text to sign, asks for confirmation, and stores the signature. The first operator creates the decision. The
 * next operator runs the same command on another machine and signs the same text.
 */
export async function decide(
  { db, pool, contracts }: PoolContext,
  proposal: Proposal,
  options: SigningOptions,
  { onSigned = async () => ok(null), done, waiting, signaturesNeeded, needsSigner = false }: DecisionEffect,
): Promise<Result<string, string>> {
  const { yes = false, new: beginsAnother = false } = options
  const ownKey = readOwnKey(options)
  if (!ownKey.ok) return ownKey
  const file = ownKey.value
  const prepared = await prepareDecision(db, pool, proposal, { publicKey: file.publicKey, beginsAnother })
  if (!prepared.ok) return prepared
  const { operators, signedBy, needed } = prepared.value
  const self = operators.find(({ key }) => key === file.publicKey)
  if (!self) return refused('This key is not one of the operators’.')
  if (signedBy.includes(self))
    return refused(`${self.name} has signed this already. It takes another operator, with another key.`)

  print(...describeText(prepared.value, contracts), '')
  await confirm(`Sign this as ${self.name}?`, yes)
  const opened = await file.open(await readPassphrase(`Passphrase of ${self.name}: `))
  if (!opened.ok) return opened
  let id: bigint | null = null
  const signed = await signDecision(
    db,
    pool,
    { proposal, prepared: prepared.value, key: opened.value, beginsAnother },
    (trx, decided) => {
      id = decided.id
      return onSigned(trx, decided)
    },
  )
  if (!signed.ok) return signed
  const names = [...signedBy, self].map(({ name }) => name).join(' and ')
  if (signed.value < (signaturesNeeded ?? needed))
    return ok(
      `Signed by ${names} as decision ${id}. ${waiting ?? 'It takes another operator: the same command with another key.'} lode decision withdraw ${id} takes it back.`,
    )
  return ok(`Signed by ${names}. ${(needsSigner ? await describeSignerProblem(db) : null) ?? done}`)
}

function describeText({ body, signedBy, began }: PreparedDecision, contracts: PoolContracts): string[] {
  const before = signedBy.map(({ name }) => name).join(' and ')
  return [
    'What you are about to sign:',
    ...describeDecision(body, decimalsOf(contracts)).map((line) => `  ${line}`),
    began === 'now' ? 'You are the first to sign it.' : `${before} signed it before you.`,
  ]
}

/** The key file of the operator at this machine, still protected by its passphrase. */
export function readOwnKey({ key: path = process.env.LODE_OPERATOR_KEY }: SigningOptions): Result<KeyFile, string> {
  if (!path) return refused('Name your key file with --key FILE, or set LODE_OPERATOR_KEY')
  const file = readKeyFile(readTextFile(path))
  if (!file.ok) throw new ExpectedFailure(`${path}: ${file.error}`)
  return file
}
