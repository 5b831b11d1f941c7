import { writeFileSync } from 'node:fs'
import { ok, type Result, refused } from '@lode/kernel'
import type { Command } from 'commander'
import type { Hex } from 'viem'
import {
  createKeyFile,
  MIN_PASSPHRASE_LENGTH,
  type Operator,
  type OperatorChain,
  operatorName,
  proposeCeremony,
  proposeOperatorChange,
  readValidChain,
  removeInvalidDecisions,
} from '../../modules/operators/index.ts'
import { readSignerState } from '../../modules/payout/index.ts'
import { ExpectedFailure } from '../start-up.ts'
import { addSigningOptions, decide, type SigningOptions } from './decide.ts'
import { describeOldPin } from './describe-old-pin.ts'
import { describeRemoval } from './describe-removal.ts'
import { describeSignerProblem } from './describe-signer-problem.ts'
import { describeWriteFailure } from './safe-file.ts'
import { type Answer, print, printAnswer, readPassphrase } from './terminal.ts'
import { type PoolContext, withPool } from './with-database.ts'

export function addOperatorCommands(program: Command): void {
  const operator = program.command('operator').description('who runs the pool')

  operator
    .command('key')
    .argument('<file>')
    .requiredOption('--name <name>', 'whose key it is')
    .description('create your own key, protected by a passphrase')
    .action((file: string, { name }: { name: string }) => makeKey(file, name))

  addSigningOptions(
    operator
      .command('init')
      .argument('<name=key...>')
      .description('appoint the first operators; each of them runs this command with their own key'),
  ).action((named: string[], options: SigningOptions) =>
    withPool(async (context) => {
      const operators = named.map(parseOperator)
      if (new Set(operators.map(({ key }) => key)).size < operators.length)
        throw new ExpectedFailure('One key is listed twice.')
      if (operators.length < 2) throw new ExpectedFailure('A pool needs at least two operators.')
      const signed = await decide(context, proposeCeremony(operators), options, {
        done: 'The pool has operators:',
        waiting: 'The others sign with the same command, each with a key of their own.',
      })
      const chain = await readValidChain(context.db, context.pool)
      return signed.ok && chain.ok && chain.value ? ok(`${signed.value}\n${describeChain(chain.value)}`) : signed
    }),
  )

  addSigningOptions(
    operator.command('add').argument('<name=key>').description('add an operator; two of the present ones sign'),
  ).action((named: string, options: SigningOptions) =>
    withPool((context) => changeOperator(context, 'add', parseOperator(named), options)),
  )

  addSigningOptions(
    operator
      .command('remove')
      .argument('<name>')
      .description('remove an operator, by name or key; two of the present ones sign'),
  ).action((named: string, options: SigningOptions) =>
    withPool(async (context) => {
      const chain = await readValidChain(context.db, context.pool)
      if (!chain.ok) return chain
      const matching = chain.value?.operators.filter(({ name, key }) => name === named || key === named) ?? []
      const [removed, another] = matching
      if (!removed) return refused(`No operator has the name or key ${named}.`)
      if (another) return refused(`More than one operator is called ${named}: use the key instead.`)
      return changeOperator(context, 'remove', removed, options)
    }),
  )

  operator
    .command('repair')
    .description('remove entries whose signatures do not verify; only for the owner of the database')
    .action(() => withPool(repair))

  operator
    .command('list')
    .description('who the operators are, and what the signer pins')
    .action(() => withPool(list))
}

async function makeKey(file: string, name: string): Promise<void> {
  if (!operatorName.safeParse(name).success)
    throw new ExpectedFailure(
      `${name} is not a valid name. Use at most 40 letters, digits, spaces, dots, dashes and underscores.`,
    )
  const chosen = await readPassphrase(
    `A passphrase for the key of ${name}, at least ${MIN_PASSPHRASE_LENGTH} characters: `,
  )
  if (chosen.length < MIN_PASSPHRASE_LENGTH)
    throw new ExpectedFailure(`The passphrase is too short. It needs at least ${MIN_PASSPHRASE_LENGTH} characters.`)
  if ((await readPassphrase('Once more: ')) !== chosen) throw new ExpectedFailure('The two passphrases differ.')
  const { text, publicKey } = await createKeyFile(name, chosen)
  try {
    // `wx` fails if the file exists. An overwritten key could not be recovered.
    writeFileSync(file, text, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    throw new ExpectedFailure(describeWriteFailure(file, error))
  }
  const words = `The key of ${name} is in ${file}. Keep a copy of the file, and the passphrase elsewhere.`
  printAnswer({ text: `${words}\n${name}=${publicKey}`, data: { name, file, publicKey } })
}

function parseOperator(nameAndKey: string): Operator {
  const [, name = '', key = ''] = /^(.*)=([0-9a-f]{64})$/.exec(nameAndKey) ?? []
  if (!operatorName.safeParse(name).success)
    throw new ExpectedFailure(`${nameAndKey} is not an operator. Write NAME=KEY, as lode operator key printed it.`)
  return { key, name }
}

async function changeOperator(
  context: PoolContext,
  verb: 'add' | 'remove',
  operator: Operator,
  options: SigningOptions,
): Promise<Result<string, string>> {
  const proposal = await proposeOperatorChange(context.db, context.pool, verb, operator)
  if (!proposal.ok) return proposal
  if (verb === 'remove') print(...(await describeRemoval(context, operator)))
  return decide(context, proposal.value, options, {
    done:
      verb === 'add'
        ? `${operator.name} is an operator.`
        : `${operator.name} is no operator any more. Now set the signer’s OPERATORS_CEREMONY to the last change that lode operator list prints, and restart the signer.`,
  })
}

async function list(context: PoolContext): Promise<Result<Answer, string>> {
  const { db, pool } = context
  const chain = await readValidChain(db, pool)
  if (!chain.ok) return chain
  if (!chain.value) return ok({ text: 'There are no operators yet.', data: { operators: [] } })
  const { operators, ceremony, head } = chain.value
  const note = (await describeSignerProblem(db)) ?? (await describeOldPin(context))
  const pinned = (await readSignerState(db))?.pinnedLink ?? null
  return ok({
    text: [describeChain(chain.value), ...describePin(chain.value, pinned), ...(note === null ? [] : [note])].join(
      '\n',
    ),
    data: { operators, ceremony, lastChange: head, pinnedLink: pinned, signerProblem: note },
  })
}

async function repair({ db, pool }: PoolContext): Promise<Result<string, string>> {
  const removed = await removeInvalidDecisions(db, pool)
  if (!removed.ok) return removed
  const { links, decisions, signatures } = removed.value
  if (links + decisions + signatures === 0) return ok('All signatures verify. Nothing was removed.')
  const counted = `links ${links}, decisions ${decisions}, signatures ${signatures}`
  return ok(
    `Removed, because the signatures do not verify: ${counted}. Find out who wrote it, and change the password of lode_operator.`,
  )
}

/** What the signer pins, as it reported. */
function describePin({ ceremony, head }: OperatorChain, pinned: Hex | null): string[] {
  if (pinned === `0x${head.hash}`) return ['The signer pins the last change.']
  return pinned === `0x${ceremony}` ? ['The signer pins the ceremony.'] : []
}

const describeChain = ({ operators, ceremony, head }: OperatorChain): string =>
  [
    ...operators.map(({ name, key }) => `${name}=${key}`),
    `Ceremony: ${ceremony}`,
    `Last change, number ${head.number}: ${head.hash}`,
    'OPERATORS_CEREMONY of the signer is one of these two hashes: the last change, after an operator was removed.',
  ].join('\n')
