import { ok, type Result } from '@lode/kernel'
import type { Command } from 'commander'
import { describeDecision, formatUtc, type ListedDecision, readDecisions } from '../../modules/operators/index.ts'
import { type Decimals, decimalsOf } from '../../platform/config/pool-contracts.ts'
import { ExpectedFailure } from '../start-up.ts'
import { type PoolContext, withPool } from './with-database.ts'

const PAGE_SIZE = 50

export function addDecisionCommands(program: Command): void {
  program
    .command('decision')
    .description('what operators decided')
    .command('list')
    .option('--before <number>', 'continue an earlier list')
    .description('all decisions, the newest first: who signed what and when, why, and the result')
    .action(({ before }: { before?: string }) => {
      if (before !== undefined && !/^[1-9][0-9]{0,17}$/.test(before))
        throw new ExpectedFailure(`${before} is not the number of a decision.`)
      return withPool((context) => list(context, before === undefined ? null : BigInt(before)))
    })
}

async function list({ db, pool, contracts }: PoolContext, before: bigint | null): Promise<Result<string, string>> {
  const decisions = await readDecisions(db, pool, { before, limit: PAGE_SIZE + 1 })
  if (decisions.length === 0) return ok('There are no decisions.')
  const page = decisions.slice(0, PAGE_SIZE)
  const lines = page.flatMap((decision) => describe(decision, decimalsOf(contracts)))
  const last = page.at(-1)
  if (decisions.length > page.length && last) lines.push(`There are older ones: lode decision list --before ${last.id}`)
  return ok(lines.join('\n'))
}

function describe(decision: ListedDecision, decimals: Decimals): string[] {
  const { id, body, signers } = decision
  const names = signers.map(({ name, at }) => `${name} on ${formatUtc(at)}`).join(', ')
  return [
    `${id}  ${body ? body.verb : 'NOT A DECISION: somebody without a key wrote it'}`,
    ...(body ? describeDecision(body, decimals).map((line) => `    ${line}`) : []),
    `    ${names ? `Signed by ${names}` : 'NO VALID SIGNATURE'}`,
    `    ${describeState(decision)}`,
  ]
}

function describeState({ outcome, isExpired, expiresAt }: ListedDecision): string {
  if (outcome)
    return outcome.refusal === null
      ? `Carried out on ${formatUtc(outcome.at)}`
      : `Could not be carried out on ${formatUtc(outcome.at)}: ${outcome.refusal}`
  return isExpired ? `Expired on ${formatUtc(expiresAt)}` : 'Nothing to carry out yet'
}
