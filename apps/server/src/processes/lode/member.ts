import { ok, type Result, refused } from '@lode/kernel'
import type { Command } from 'commander'
import { sql } from 'kysely'
import { readPostedBlock } from '../../modules/custody/index.ts'
import { readValidChain } from '../../modules/operators/index.ts'
import { readPayouts } from '../../modules/payout/index.ts'
import { createPlans } from '../../modules/plan/index.ts'
import { type PoolHealth, readPoolHealth } from '../../modules/pool/index.ts'
import { lookUpMember, type MemberDocument } from '../../modules/support/index.ts'
import { loadTransfers } from '../../modules/transfer/index.ts'
import { decimalsOf } from '../../platform/config/pool-contracts.ts'
import { readOwnKey } from './decide.ts'
import { describeMember, memberData } from './describe-member.ts'
import { describePayoutPause } from './describe-payout-pause.ts'
import { describeSignerProblem } from './describe-signer-problem.ts'
import { describeVaultPause } from './describe-vault-pause.ts'
import { type Answer, readPassphrase } from './terminal.ts'
import { formatAge, formatUtc } from './times.ts'
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
  const health = await readPoolHealth(db, context.operators, context.contracts.vault)
  const posted = await readPostedBlock(db)
  const payoutPause = await describePayoutPause(context)
  const signerProblem = await describeSignerProblem(db)
  return ok({
    text: [
      `${account}, as seen by ${self.name}: ${note}`,
      describeReading(posted, health),
      ...(payoutPause === null ? [] : [`Payouts are ${payoutPause}.`]),
      ...(health.vaultPause ? [`The vault is ${describeVaultPause(health.vaultPause)}`] : []),
      ...(signerProblem === null ? [] : [signerProblem]),
      ...describeMember(found, transfers, context.contracts),
    ].join('\n'),
    data: {
      ...memberData(account, found, transfers, context.contracts),
      postedBlock: posted?.number ?? null,
      postedAt: posted?.time ?? null,
      workerAway: health.isWorkerAway,
      pausedUntil: health.pausedUntil,
      vaultPause: health.vaultPause,
      signerAway: health.isSignerAway,
    },
  })
}

type PostedBlock = Awaited<ReturnType<typeof readPostedBlock>>

/** The pool has read final blocks a minute or two old. After this time it is behind. */
const BEHIND_MS = 30 * 60_000

/** Without this line "Deposits: none" could mean that the pool has not looked. */
function describeReading(posted: PostedBlock, { isWorkerAway, now }: PoolHealth): string {
  if (!posted) return 'The pool has read nothing of the chain yet: no deposit is known.'
  const read = `The pool has read the chain up to block ${posted.number} (${formatUtc(posted.time)})`
  if (isWorkerAway) return `${read}; the worker is AWAY: newer deposits are not known.`
  return now.getTime() - posted.time.getTime() > BEHIND_MS
    ? `${read}, which is ${formatAge(posted.time, now)} old: newer deposits are not known. lode chain status says why.`
    : `${read}.`
}

/** The document has only the ids. The role can read transfers, and their holds are derived from several tables. */
async function loadOwnTransfers({ db, operators, contracts }: PoolContext, { member }: MemberDocument) {
  const plans = createPlans({ decimals: decimalsOf(contracts), operators: null })
  const ids = member?.transfers.newest ?? []
  const rows = await readPayouts(db, sql`where id = any(${ids}::uuid[]) order by number desc`)
  const loaded = await loadTransfers(db, rows, { plans, operators })
  return rows.flatMap(({ id }) => loaded.get(id) ?? [])
}
