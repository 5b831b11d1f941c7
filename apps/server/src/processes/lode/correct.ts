import { type Asset, assets, ok, type Result, refused } from '@lode/kernel'
import type { Command } from 'commander'
import {
  type CorrectionStatus,
  type FalsePosting,
  listCorrections,
  listFalsePostings,
  listReversals,
  listStoppedAssets,
  proposeLossFunding,
  proposeReversal,
  proposeWriteOff,
  type Reversal,
  type StoppedAsset,
} from '../../modules/correction/index.ts'
import { readSystemBalances } from '../../modules/ledger/index.ts'
import { formatUtc } from '../../modules/operators/index.ts'
import { formatCoins, formatNumber, type PoolContracts } from '../../platform/config/pool-contracts.ts'
import { amountOrRefuse, assetOrRefuse } from './amounts.ts'
import { addSigningOptions, decide, type SigningOptions, wakeWorker } from './decide.ts'
import type { Answer } from './terminal.ts'
import { type PoolContext, withPool } from './with-database.ts'

/** The commands about money that left custody without a payout, and about false postings. */
export function addCorrectionCommands(program: Command): void {
  const correct = program.command('correct').description('money that left without a payout, and false postings')

  correct
    .command('list')
    .description('show what is stopped or false and what would end it, what is missing, and the corrections so far')
    .action(() => withPool(list))

  addSigningOptions(
    correct
      .command('write-off')
      .argument('<symbol>')
      .argument('<amount>', 'what is missing')
      .argument('<cause>', 'the chain log as TRANSACTION:INDEX, or block:NUMBER for a balance that fell without a log')
      .argument('[note]', 'why; members read it')
      .description('write off what stops an asset; two operators sign, and the asset goes on'),
  ).action((symbol: string, amount: string, cause: string, note: string | undefined, options: SigningOptions) => {
    const asset = assetOrRefuse(symbol)
    return withPool(async (context) => {
      const request = { symbol: asset, amount: amountOrRefuse(context.contracts, asset, amount), cause, note }
      const proposal = await proposeWriteOff(context.db, request)
      if (!proposal.ok) return proposal
      return decide(context, proposal.value, options, {
        onSigned: wakeWorker,
        done: 'It will be written off: lode correct list shows it.',
        needsSigner: true,
      })
    })
  })

  addSigningOptions(
    correct
      .command('fund')
      .argument('<symbol>')
      .argument('<amount>')
      .argument('[note]', 'why; members read it')
      .description('replace what is missing from pool:operations; two operators sign'),
  ).action((symbol: string, amount: string, note: string | undefined, options: SigningOptions) => {
    const asset = assetOrRefuse(symbol)
    return withPool(async (context) => {
      const request = { symbol: asset, amount: amountOrRefuse(context.contracts, asset, amount), note }
      const proposal = await proposeLossFunding(context.db, request)
      if (!proposal.ok) return proposal
      return decide(context, proposal.value, options, {
        onSigned: wakeWorker,
        done: 'It will be replaced: lode correct list shows it.',
        needsSigner: true,
      })
    })
  })

  addSigningOptions(
    correct
      .command('reverse')
      .argument('<key>', 'the key of the posting, as lode correct list or lode audit prints it')
      .argument('[note]', 'why; members read it')
      .option('--member <number>', 'the member of the key, if lode audit prints one', '0')
      .description('undo a posting whose cause is false; two operators sign, and it is undone 72 hours later'),
  ).action((key: string, note: string | undefined, options: SigningOptions & { member: string }) =>
    withPool(async (context) => {
      if (!/^(0|[1-9][0-9]{0,17})$/.test(options.member)) return refused(`${options.member} is not a member's number.`)
      const proposal = await proposeReversal(context.db, { member: BigInt(options.member), key, note })
      if (!proposal.ok) return proposal
      return decide(context, proposal.value, options, {
        onSigned: wakeWorker,
        done: 'It will be undone in 72 hours, and the member is told now: lode correct list shows it.',
        needsSigner: true,
      })
    }),
  )
}

async function list({ db, contracts }: PoolContext): Promise<Result<Answer, string>> {
  const balance = await readSystemBalances(db)
  const stopped = await listStoppedAssets(db)
  const missing = assets
    .map((asset) => ({ asset, amount: -balance('pool:loss', asset) }))
    .filter(({ amount }) => amount > 0n)
  const wrong = await listFalsePostings(db)
  const announced = (await listReversals(db)).filter(({ ended }) => ended === null)
  const corrections = await listCorrections(db)
  const inCoins = <Item extends { asset: Asset; amount: bigint }>({ asset, amount, ...rest }: Item) => ({
    ...rest,
    symbol: asset,
    amount: formatNumber(contracts, asset, amount),
  })
  return ok({
    text: [
      ...section(
        'Stopped:',
        stopped.flatMap((stop) => describeStop(stop, contracts)),
      ),
      ...section(
        'Missing:',
        missing.map(({ asset, amount }) => `  ${formatCoins(contracts, asset, amount)}`),
      ),
      ...section(
        'False postings, which name a log that the chain does not have:',
        wrong.flatMap((posting) => describeFalsePosting(posting, contracts)),
      ),
      ...section(
        'To be undone:',
        announced.map((reversal) => `  ${describeReversal(reversal, contracts)}`),
      ),
      ...section(
        'Corrections, the newest first:',
        corrections.map((correction) => `  ${describeCorrection(correction, contracts)}`),
      ),
    ].join('\n'),
    data: {
      stopped: stopped.map(({ asset, reason, stoppedAt, loss }) => ({
        symbol: asset,
        reason,
        stoppedAt,
        loss: loss && { amount: formatNumber(contracts, asset, loss.amount), from: loss.from, cause: loss.cause },
      })),
      missing: missing.map(inCoins),
      falsePostings: wrong.map(inCoins),
      toBeUndone: announced.map(inCoins),
      corrections: corrections.map(inCoins),
    },
  })
}

const section = (title: string, lines: readonly string[]): string[] => [
  title,
  ...(lines.length > 0 ? lines : ['  nothing']),
]

function describeStop(
  { asset, reason, stoppedAt, loss, hasFalsePosting }: StoppedAsset,
  contracts: PoolContracts,
): string[] {
  const other = hasFalsePosting
    ? 'undoing the false posting, which is listed below'
    : 'lode chain resume, once the cause is found'
  const remedy = loss
    ? `lode correct write-off ${asset} ${formatCoins(contracts, asset, loss.amount).replace(` ${asset}`, '')} ${loss.cause} WHY`
    : other
  return [`  ${asset} since ${formatUtc(stoppedAt)}: ${reason}`, `    ended by: ${remedy}`]
}

function describeFalsePosting({ type, key, asset, amount }: FalsePosting, contracts: PoolContracts): string[] {
  return [
    `  ${describePostingType(type)} of ${formatCoins(contracts, asset, amount)}, ${key}`,
    `    ended by: lode correct reverse ${key} WHY`,
  ]
}

/** `suspenseDeposit` in words: `suspense deposit`. */
const describePostingType = (type: string): string => type.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

const describeReversal = ({ key, asset, amount, note, dueAt }: Reversal, contracts: PoolContracts): string =>
  `${formatUtc(dueAt)}  ${formatCoins(contracts, asset, amount)}  ${key}: ${note}`

function describeCorrection(
  { kind, asset, amount, cause, note, decidedAt, refused: reason }: CorrectionStatus,
  contracts: PoolContracts,
): string {
  const what = {
    'write-off': `written off, ${cause}`,
    fund: 'replaced from pool:operations',
    reverse: `decided to undo ${cause}`,
  }[kind]
  const outcome = reason === null ? what : `refused: ${reason}`
  return `${formatUtc(decidedAt)}  ${formatCoins(contracts, asset, amount)}  ${outcome}: ${note}`
}
