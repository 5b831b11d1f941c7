import { ok, type Result, refused } from '@lode/kernel'
import type { Command } from 'commander'
import { sql } from 'kysely'
import { readValidChain } from '../../modules/operators/index.ts'
import { readPayouts } from '../../modules/payout/index.ts'
import { createPlans } from '../../modules/plan/index.ts'
import { lookUpMember, type MemberDocument } from '../../modules/support/index.ts'
import { loadTransfers } from '../../modules/transfer/index.ts'
import { decimalsOf } from '../../platform/config/pool-contracts.ts'
import { readOwnKey } from './decide.ts'
import { describeMember, memberData } from './describe-member.ts'
import { type Answer, readPassphrase } from './terminal.ts'
import { addressOrRefuse, type PoolContext, withPool } from './with-database.ts'

type ShowOptions = { readonly key?: string }

export function addMemberCommands(program: Command): void {
  program
    .command('member')
    .description('what happened to a member’s money')
    .command('show')
    .argument('<address>', 'of the member’s wallet')
    .argument('<why>', 'such as the number of the member’s question; it stays in the trail')
    .option('--key <file>', 'the file with your key, or LODE_OPERATOR_KEY')
    .description(
      'show deposits, orders, rewards, pledges, transfers and protections of a member; signs a line of the trail first',
    )
    .action((address: string, why: string, options: ShowOptions) => {
      const account = addressOrRefuse(address)
      return withPool((context) => show(context, { account, note: why }, options))
    })
}

async function show(
  context: PoolContext,
  { account, note }: { account: ReturnType<typeof addressOrRefuse>; note: string },
  options: ShowOptions,
): Promise<Result<Answer, string>> {
  const { db, pool } = context
  if (note.length === 0 || note.length > 500) return refused('Say why, in at most 500 characters.')
  const chain = await readValidChain(db, pool)
  if (!chain.ok) return chain
  const file = readOwnKey(options)
  if (!file.ok) return file
  const self = chain.value?.operators.find(({ key }) => key === file.value.publicKey)
  if (!self) return refused('This key is not one of the operators’.')
  const key = await file.value.open(await readPassphrase(`Passphrase of ${self.name}: `))
  if (!key.ok) return key
  const found = await lookUpMember(db, pool, { account, note, key: key.value })
  const transfers = await loadOwnTransfers(context, found)
  return ok({
    text: [`${account}, as seen by ${self.name}: ${note}`, ...describeMember(found, transfers, context.contracts)].join(
      '\n',
    ),
    data: memberData(account, found, transfers, context.contracts),
  })
}

/** The document has only the ids. The role can read transfers, and their holds are derived from several tables. */
async function loadOwnTransfers({ db, operators, contracts }: PoolContext, { member }: MemberDocument) {
  const plans = createPlans({ decimals: decimalsOf(contracts), operators: null })
  const ids = member?.transfers.newest ?? []
  const rows = await readPayouts(db, sql`where id = any(${ids}::uuid[]) order by number desc`)
  const loaded = await loadTransfers(db, rows, { plans, operators })
  return rows.flatMap(({ id }) => loaded.get(id) ?? [])
}
