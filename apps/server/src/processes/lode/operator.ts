import { writeFileSync } from 'node:fs'
import { ok, type Result, refused } from '@lode/kernel'
import type { Command } from 'commander'
import {
  ceremonyQuestion,
  changeQuestion,
  newKeyFile,
  type Operator,
  type OperatorChain,
  operatorName,
  presentChain,
  SHORTEST_PASSPHRASE,
  takeOutNonsense,
} from '../../modules/operators/index.ts'
import { StartUpRefusal } from '../start-up.ts'
import { type PoolContext, withPool } from './database.ts'
import { decide, type SigningOptions, signing } from './decide.ts'
import { signerNote } from './signer-note.ts'
import { passphrase, say } from './terminal.ts'

export function operatorCommands(program: Command): void {
  const operator = program.command('operator').description('who runs the pool')

  operator
    .command('key')
    .argument('<file>')
    .requiredOption('--name <name>', 'whose key it is')
    .description('make a key of your own, under a passphrase')
    .action((file: string, { name }: { name: string }) => makeKey(file, name))

  signing(
    operator
      .command('init')
      .argument('<name=key...>')
      .description('begin with these operators; each of them runs this, with a key of their own'),
  ).action((named: string[], options: SigningOptions) =>
    withPool(async (context) => {
      const operators = named.map(operatorIn)
      if (new Set(operators.map(({ key }) => key)).size < operators.length)
        throw new StartUpRefusal('One key stands there twice.')
      if (operators.length < 2) throw new StartUpRefusal('It takes two operators at least.')
      const signed = await decide(context, ceremonyQuestion(operators), options, {
        done: 'The pool has operators:',
        waiting: 'The others sign with the same command, each with a key of their own.',
      })
      const chain = await presentChain(context.db, context.pool)
      return signed.ok && chain.ok && chain.value ? ok(`${signed.value}\n${listed(chain.value)}`) : signed
    }),
  )

  signing(
    operator.command('add').argument('<name=key>').description('add an operator; two of the present ones sign'),
  ).action((named: string, options: SigningOptions) =>
    withPool((context) => change(context, 'add', operatorIn(named), options)),
  )

  signing(
    operator
      .command('remove')
      .argument('<name>')
      .description('remove an operator, by name or key; two of the present ones sign'),
  ).action((named: string, options: SigningOptions) =>
    withPool(async (context) => {
      const chain = await presentChain(context.db, context.pool)
      if (!chain.ok) return chain
      const matching = chain.value?.operators.filter(({ name, key }) => name === named || key === named) ?? []
      const [removed, another] = matching
      if (!removed) return refused(`${named} is no operator.`)
      if (another) return refused(`More than one is called ${named}: say the key.`)
      return change(context, 'remove', removed, options)
    }),
  )

  operator
    .command('repair')
    .description('take out what somebody wrote here who could not sign it; as the owner of the database')
    .action(() => withPool(repair))

  operator
    .command('list')
    .description('who the operators are, and what the signer pins')
    .action(() => withPool(list))
}

async function makeKey(file: string, name: string): Promise<void> {
  if (!operatorName.safeParse(name).success)
    throw new StartUpRefusal(`${name} is no name: letters and digits, at most 40.`)
  const chosen = await passphrase(`A passphrase for the key of ${name}, at least ${SHORTEST_PASSPHRASE} letters: `)
  if (chosen.length < SHORTEST_PASSPHRASE)
    throw new StartUpRefusal(`That is too short: at least ${SHORTEST_PASSPHRASE} letters.`)
  if ((await passphrase('Once more: ')) !== chosen) throw new StartUpRefusal('These are not the same.')
  const { text, publicKey } = await newKeyFile(name, chosen)
  try {
    // Never overwrites an existing key, which could not be recovered.
    writeFileSync(file, text, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    throw new StartUpRefusal(exists ? `${file} is there already.` : `${file} cannot be written.`)
  }
  say(
    `The key of ${name} is in ${file}. Keep a copy of the file, and the passphrase elsewhere.`,
    `${name}=${publicKey}`,
  )
}

function operatorIn(named: string): Operator {
  const [, name = '', key = ''] = /^(.*)=([0-9a-f]{64})$/.exec(named) ?? []
  if (!operatorName.safeParse(name).success)
    throw new StartUpRefusal(`${named} is no operator: say NAME=KEY, as lode operator key printed it.`)
  return { key, name }
}

async function change(
  context: PoolContext,
  verb: 'add' | 'remove',
  operator: Operator,
  options: SigningOptions,
): Promise<Result<string, string>> {
  const question = await changeQuestion(context.db, context.pool, verb, operator)
  if (!question.ok) return question
  return decide(context, question.value, options, {
    done: verb === 'add' ? `${operator.name} is an operator.` : `${operator.name} is no operator any more.`,
  })
}

async function list({ db, pool }: PoolContext): Promise<Result<string, string>> {
  const chain = await presentChain(db, pool)
  if (!chain.ok) return chain
  if (!chain.value) return ok('There are no operators yet.')
  const note = await signerNote(db)
  return ok([listed(chain.value), ...(note === null ? [] : [note])].join('\n'))
}

async function repair({ db, pool }: PoolContext): Promise<Result<string, string>> {
  const taken = await takeOutNonsense(db, pool)
  if (!taken.ok) return taken
  const { links, decisions, signatures } = taken.value
  if (links + decisions + signatures === 0) return ok('Everything here verifies.')
  const counted = `links ${links}, decisions ${decisions}, signatures ${signatures}`
  return ok(
    `Taken out, as it did not verify: ${counted}. Find out who wrote it, and change the password of lode_operator.`,
  )
}

const listed = ({ operators, ceremony, head }: OperatorChain): string =>
  [
    ...operators.map(({ name, key }) => `${name}=${key}`),
    `Ceremony: ${ceremony}`,
    `Last change, number ${head.number}: ${head.hash}`,
    'The signer pins one of the two as OPERATORS_CEREMONY: after somebody was removed, the last change.',
  ].join('\n')
