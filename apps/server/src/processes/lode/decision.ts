import { ok, type Result, refused } from '@lode/kernel'
import type { Command } from 'commander'
import {
  describeDecision,
  describeVerb,
  type ListedDecision,
  proposeWithdrawal,
  readDecisions,
  readFirstSigner,
} from '../../modules/operators/index.ts'
import { type Decimals, decimalsOf } from '../../platform/config/pool-contracts.ts'
import { ExpectedFailure } from '../start-up.ts'
import { addSigningOptions, decide, readOwnKey, type SigningOptions } from './decide.ts'
import { readDecisionStates } from './decision-state.ts'
import {
  describeOpenDecision,
  describeOpenDecisions,
  type ListedOpenDecision,
  listOpenDecisions,
} from './open-decisions.ts'
import type { Answer } from './terminal.ts'
import { formatUtc } from './times.ts'
import { type PoolContext, withPool } from './with-database.ts'

const PAGE_SIZE = 50

export function addDecisionCommands(program: Command): void {
  const decision = program.command('decision').description('what operators decided, and what needs another signature')

  decision
    .command('list')
    .option('--open', 'only those that need another signature')
    .option('--before <number>', 'continue an earlier list')
    .description('what needs another signature; then all decisions, the newest first: who signed, why, and the result')
    .action(({ open = false, before }: { open?: boolean; before?: string }) => {
      const from = before === undefined ? null : numberOrRefuse(before)
      return withPool((context) => (open ? listOpen(context) : list(context, from)))
    })

  decision
    .command('show')
    .argument('<number>')
    .description('show one decision; of a half-signed payment, address or return only its kind, signer and purpose')
    .action((number: string) => {
      const id = numberOrRefuse(number)
      return withPool((context) => show(context, id))
    })

  addSigningOptions(
    decision
      .command('withdraw')
      .argument('<number>')
      .description('take back a decision that needs another signature; only the operator who signed it first can'),
  ).action((number: string, options: SigningOptions) => {
    const id = numberOrRefuse(number)
    return withPool((context) => withdraw(context, id, options))
  })
}

function numberOrRefuse(text: string): bigint {
  if (!/^[1-9][0-9]{0,17}$/.test(text)) throw new ExpectedFailure(`${text} is not the number of a decision.`)
  return BigInt(text)
}

async function listOpen(context: PoolContext): Promise<Result<Answer, string>> {
  const open = await listOpenDecisions(context)
  return ok({ text: describeOpenDecisions(open).join('\n'), data: { open } })
}

async function list(context: PoolContext, before: bigint | null): Promise<Result<Answer, string>> {
  const { db, pool, contracts } = context
  const allOpen = await listOpenDecisions(context)
  const open = before === null ? allOpen : null
  const decisions = await readDecisions(db, pool, { before, limit: PAGE_SIZE + 1 })
  const page = decisions.slice(0, PAGE_SIZE)
  const stateOf = await readDecisionStates(context, page, idsOf(allOpen))
  const last = decisions.length > page.length ? page.at(-1) : undefined
  return ok({
    text: [
      ...(open === null ? [] : describeOpenDecisions(open)),
      ...(page.length === 0 ? ['There are no decisions.'] : ['Decisions, the newest first:']),
      ...page.flatMap((decision) => describe(decision, decimalsOf(contracts), stateOf(decision))),
      ...(last ? [`There are older ones: lode decision list --before ${last.id}`] : []),
    ].join('\n'),
    data: {
      open,
      decisions: page.map((one) => toData(one, decimalsOf(contracts), stateOf(one))),
      next: last?.id ?? null,
    },
  })
}

async function show(context: PoolContext, id: bigint): Promise<Result<Answer, string>> {
  const allOpen = await listOpenDecisions(context)
  const open = allOpen.find((decision) => decision.id === id)
  const [decision] = await readDecisions(context.db, context.pool, { id, limit: 1 })
  const stateOf = await readDecisionStates(context, decision ? [decision] : [], idsOf(allOpen))
  const decimals = decimalsOf(context.contracts)
  if (!open && !decision) return refused(`There is no decision ${id}, or it was withdrawn.`)
  return ok({
    text: [
      ...(decision ? describe(decision, decimals, stateOf(decision)) : []),
      ...(open ? [`Needs another operator: ${describeOpenDecision(open)}`] : []),
      ...(open && !decision ? ['The second operator types the amount and the address. Nobody is shown them.'] : []),
    ].join('\n'),
    data: { decision: decision ? toData(decision, decimals, stateOf(decision)) : null, open: open ?? null },
  })
}

async function withdraw(context: PoolContext, id: bigint, options: SigningOptions): Promise<Result<string, string>> {
  const open = await findOpen(context, id)
  if (!open.ok) return open
  const key = readOwnKey(options)
  if (!key.ok) return key
  const { signers, signerKeys } = open.value
  const first = await readFirstSigner(context.db, id)
  if (first !== key.value.publicKey) {
    const name = signers[signerKeys.indexOf(first ?? '')] ?? 'a former operator'
    return refused(`Only ${name} can withdraw it, who signed it first.`)
  }
  const proposal = proposeWithdrawal(open.value, async (db) => {
    const still = await findOpen({ ...context, db }, id)
    return still.ok ? ok(null) : still
  })
  return decide(context, proposal, options, { done: 'It is withdrawn: nobody can sign it any more.' })
}

/** Refuses a decision that is complete, carried out, expired or withdrawn. */
async function findOpen(context: PoolContext, id: bigint): Promise<Result<ListedOpenDecision, string>> {
  const open = (await listOpenDecisions(context)).find((decision) => decision.id === id)
  return open ? ok(open) : refused(`Decision ${id} does not wait for another signature. lode decision list --open`)
}

/** `body` is what was signed, with amounts in smallest units. `description` has them in whole coins. */
const toData = (decision: ListedDecision, decimals: Decimals, state: string) => ({
  ...decision,
  state,
  description: decision.body && describeDecision(decision.body, decimals),
})

const idsOf = (open: readonly ListedOpenDecision[]): ReadonlySet<bigint> => new Set(open.map(({ id }) => id))

function describe({ id, body, signers }: ListedDecision, decimals: Decimals, state: string): string[] {
  const names = signers.map(({ name, at }) => `${name} on ${formatUtc(at)}`).join(', ')
  return [
    `${id}  ${body ? describeVerb(body.verb) : 'NOT A DECISION: somebody without a key wrote it'}`,
    ...(body ? describeDecision(body, decimals).map((line) => `    ${line}`) : []),
    `    ${names ? `Signed by ${names}` : 'NO VALID SIGNATURE'}`,
    `    ${state}`,
  ]
}
