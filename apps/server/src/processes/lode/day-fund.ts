import { poolVaultAbi } from '@lode/contracts'
import { addDays, type DayNumber, dayNumber, dayOf, formatAmount, ok, type Result, refused, units } from '@lode/kernel'
import type { Command } from 'commander'
import { decodeEventLog, encodeEventTopics, encodeFunctionData, type Hex } from 'viem'
import type { ChainState } from '../../modules/custody/index.ts'
import { createPlans } from '../../modules/plan/index.ts'
import {
  type Funding,
  judgeOutput,
  type NextDay,
  readClosedDays,
  readFundings,
  readNextDay,
  SATOSHI_DECIMALS,
} from '../../modules/pledge/index.ts'
import { createBitcoinNode } from '../../platform/bitcoin/bitcoin-node.ts'
import { decimalsOf, formatCoins, formatNumber } from '../../platform/config/pool-contracts.ts'
import { ExpectedFailure } from '../start-up.ts'
import { amountOrRefuse } from './amounts.ts'
import type { Caller, CallOptions } from './call-plan.ts'
import { addCallOptions, makeCalls, NOT_READ_YET, readWhenPosted } from './chain-call.ts'
import { dayOrRefuse, formatDay } from './days.ts'
import { openFunder } from './open-funder.ts'
import { askNodes } from './open-nodes.ts'
import { checkBalance, planApproval, readUnpostedLogs } from './spend-tokens.ts'
import type { Answer } from './terminal.ts'
import { type PoolContext, withPool } from './with-database.ts'

type Options = CallOptions & { readonly more?: boolean; readonly bitcoin?: string }

export function addFundCommand(day: Command): void {
  addCallOptions(
    day
      .command('fund')
      .argument('<day>', 'its number, as lode day list shows it')
      .argument('<amount>', 'of BTC, in whole coins')
      .argument(
        '<output>',
        'the mining payout that it passes on: Bitcoin transaction id, a colon, number of the output',
      )
      .option('--bitcoin <url>', 'a Bitcoin node: look for the output and compare its value before you pay')
      .option('--more', 'the day has funding already, and this comes on top of it')
      .description('enter the production of a day: check it, then print the calls, write a Safe file, or send it'),
  ).action((number: string, amount: string, output: string, options: Options) =>
    withPool((context) =>
      fund(
        context,
        {
          day: dayOrRefuse(number),
          amount: amountOrRefuse(context.contracts, 'BTC', amount),
          evidence: outputOrRefuse(output),
        },
        options,
      ),
    ),
  )
}

type Evidence = { readonly txid: Hex; readonly index: number }
type NewFunding = { readonly day: DayNumber; readonly amount: bigint; readonly evidence: Evidence }

async function fund(context: PoolContext, funding: NewFunding, options: Options): Promise<Result<Answer, string>> {
  const { contracts } = context
  const opened = await openFunder(context, options)
  if (!opened.ok) return opened
  const { caller, state } = opened.value
  const known = await askNodes(() => loadFundings(context, caller, state, funding))
  const objection =
    (await askNodes(() => findDayObjection(context, caller, funding.day))) ??
    (await askNodes(() => findRepetition(context, caller, known, funding, options)))
  if (objection) return refused(objection)
  const held = await askNodes(() => checkBalance(caller, 'BTC', funding.amount))
  if (!held.ok) return held
  const output = await lookForOutput(context, known, funding, options)
  if (!output.ok) return output

  const outcome = await makeCalls(
    caller,
    {
      title: `Fund day ${formatDay(funding.day)} with ${formatCoins(contracts, 'BTC', funding.amount)}`,
      facts: [
        ...(await describeComparison(context, known, funding)),
        `Evidence: output ${funding.evidence.index} of Bitcoin transaction ${funding.evidence.txid.slice(2)}${output.value}`,
        `Funder: ${caller.address}, who holds ${formatCoins(contracts, 'BTC', held.value)}`,
      ],
      calls: [
        ...(await askNodes(() => planApproval(caller, 'BTC', funding.amount))),
        {
          name: 'fundDividend',
          purpose: 'which moves the BTC to the vault for this day',
          to: contracts.vault,
          data: encodeFunctionData({
            abi: poolVaultAbi,
            functionName: 'fundDividend',
            args: [funding.day, funding.amount, funding.evidence],
          }),
        },
      ],
      isDoneOnce: true,
    },
    options,
  )
  if (!outcome.ok) return outcome
  const { lines, data, finalBlock } = outcome.value
  const read = finalBlock === null ? null : await readByPool(context, funding, finalBlock)
  return ok({
    text: [...lines, ...(read ? [read.text] : [])].join('\n'),
    data: {
      day: funding.day,
      amount: formatNumber(contracts, 'BTC', funding.amount),
      evidence: funding.evidence,
      dayBefore: formatNumber(contracts, 'BTC', sumOf(known, addDays(funding.day, -1))),
      ...data,
      fundedInPool: read?.funded ?? null,
    },
  })
}

type KnownFunding = Funding & { readonly isPosted: boolean }

/** Fundings of this day and the day before, and those that name the same output: posted, and in newer blocks. */
async function loadFundings(
  { db, contracts: { vault } }: PoolContext,
  caller: Caller,
  { postedNumber }: ChainState,
  { day, evidence }: NewFunding,
): Promise<KnownFunding[]> {
  const days = [addDays(day, -1), day]
  const posted = await readFundings(db, days, evidence)
  const topics = encodeEventTopics({ abi: poolVaultAbi, eventName: 'DividendFunded' }) as Hex[]
  const logs = await readUnpostedLogs(caller, { address: vault, topics }, postedNumber)
  const newer = logs.map((log): KnownFunding => {
    const [signature, ...indexed] = log.topics as [Hex, ...Hex[]]
    const { args } = decodeEventLog({
      abi: poolVaultAbi,
      eventName: 'DividendFunded',
      topics: [signature, ...indexed],
      data: log.data,
    })
    return {
      tx: log.tx,
      blockNumber: log.blockNumber,
      day: dayNumber(args.day),
      amount: args.amount,
      evidence: { txid: args.txid, index: args.outputIndex },
      isPosted: false,
    }
  })
  const isPosted = ({ tx }: Funding) => posted.some((one) => one.tx === tx)
  return [...posted.map((one) => ({ ...one, isPosted: true })), ...newer.filter((one) => !isPosted(one))]
}

const sumOf = (fundings: readonly Funding[], day: DayNumber): bigint =>
  fundings.filter((one) => one.day === day).reduce((sum, { amount }) => sum + amount, 0n)

/** The days before and after today that the vault accepts, as in its function fundDividend. */
const [DAYS_BACK, DAYS_AHEAD] = [7, 1]

async function findDayObjection(
  { db }: PoolContext,
  { node, config: { finality } }: Caller,
  day: DayNumber,
): Promise<string | null> {
  const today = dayOf((await node.head(finality)).latest.time)
  const [first, last] = [addDays(today, -DAYS_BACK), addDays(today, DAYS_AHEAD)]
  if (day < first || day > last)
    return `Day ${formatDay(day)} cannot be funded: the vault takes ${formatDay(first)} to ${formatDay(last)}.`
  const [closed] = await readClosedDays(db, 1)
  if (closed && day <= closed.day)
    return `Day ${formatDay(day)} is closed. Funding for it would count in the next close, so name day ${formatDay(addDays(closed.day, 1))}.`
  return null
}

/** Stops a second start: the output is used, or the day has funding. */
async function findRepetition(
  { contracts }: PoolContext,
  { node }: Caller,
  known: readonly KnownFunding[],
  { day, evidence }: NewFunding,
  { more = false }: Options,
): Promise<string | null> {
  const describe = ({ tx, blockNumber, amount, isPosted }: KnownFunding) =>
    `with ${formatCoins(contracts, 'BTC', amount)}, transaction ${tx} in block ${blockNumber}; the pool has ${isPosted ? 'read it' : 'not read it yet: it waits until the block is final'}`
  const isUsed = await node.read({
    address: contracts.vault,
    abi: poolVaultAbi,
    functionName: 'isEvidenceUsed',
    args: [evidence.txid, evidence.index],
  })
  if (isUsed) {
    const used = known.findLast((one) => isSameOutput(one.evidence, evidence))
    if (!used) return 'This Bitcoin output was named before. An output counts once.'
    return `This Bitcoin output was named before, for day ${formatDay(used.day)} ${describe(used)}. Nothing was done.`
  }
  const ofDay = known.filter((one) => one.day === day)
  if (ofDay.length === 0 || more) return null
  return [
    `Day ${formatDay(day)} has funding already:`,
    ...ofDay.map((one) => `  ${describe(one)}`),
    'Nothing was done. If this is another payout for the same day, add --more.',
  ].join('\n')
}

/** The vault counts both byte orders of a transaction id as one. */
const isSameOutput = (one: Evidence, other: Evidence): boolean =>
  one.index === other.index && (one.txid === other.txid || one.txid === reversed(other.txid))

const reversed = (txid: Hex): Hex => `0x${Buffer.from(txid.slice(2), 'hex').reverse().toString('hex')}`

/** Yesterday's figure beside today's, and the plan's limit if the day exceeds it. */
async function describeComparison(
  { db, contracts, operators }: PoolContext,
  known: readonly KnownFunding[],
  { day, amount }: NewFunding,
): Promise<string[]> {
  const coins = (units: bigint) => formatCoins(contracts, 'BTC', units)
  const before = sumOf(known, addDays(day, -1))
  const total = sumOf(known, day) + amount
  const difference = total - before
  const compared =
    difference === 0n
      ? 'the same'
      : `${coins(difference > 0n ? difference : -difference)} ${difference > 0n ? 'more' : 'less'}`
  const plans = createPlans({ decimals: decimalsOf(contracts), operators: null })
  const next = await readNextDay(db, { operators, plans })
  return [
    `Day before: ${formatDay(addDays(day, -1))}  ${coins(before)}`,
    `This day:   ${formatDay(day)}  ${coins(total)}, ${compared}`,
    ...(before > 0n && (total > 2n * before || 2n * total < before)
      ? ['CHECK THE AMOUNT: it is less than half or more than twice the day before.']
      : []),
    ...(next ? describeLimit(next, known, { day, amount }, coins) : []),
  ]
}

/** The close counts all funding that no earlier close has used. Operators can approve only the day that closes next. */
function describeLimit(
  { day: nextDay, funding, planMost }: NextDay,
  known: readonly KnownFunding[],
  { day, amount }: Pick<NewFunding, 'day' | 'amount'>,
  coins: (units: bigint) => string,
): string[] {
  const unposted = known.filter((one) => !one.isPosted && one.day <= day).reduce((sum, one) => sum + one.amount, 0n)
  const total = day === nextDay ? funding + unposted + amount : sumOf(known, day) + amount
  if (total <= planMost) return []
  const when = day === nextDay ? 'For more, two operators run' : 'For more, two operators run, once it closes next'
  return [`The plan shares out ${coins(planMost)} in one day. ${when}: lode day approve ${day}`]
}

/**
 * Asks the Bitcoin node, if one is named. Returns what to say about the output: a false one makes the day wait. As in the
 * pool, all fundings that name the output count. There are earlier ones if the administrator has reinstated it.
 */
async function lookForOutput(
  { contracts }: PoolContext,
  known: readonly KnownFunding[],
  { amount, evidence }: NewFunding,
  { bitcoin }: Options,
): Promise<Result<string, string>> {
  const earlier = known
    .filter((one) => isSameOutput(one.evidence, evidence))
    .reduce((sum, funding) => sum + funding.amount, 0n)
  const before = formatCoins(contracts, 'BTC', earlier)
  const reinstated =
    earlier > 0n ? `. ${before} named it before, and the administrator of the vault has reinstated it` : ''
  if (bitcoin === undefined)
    return ok(`${reinstated}. NOBODY LOOKED FOR IT: name a Bitcoin node with --bitcoin, or compare it yourself`)
  const url = URL.parse(bitcoin)
  if (!url) return refused('--bitcoin must be the address of a Bitcoin node.')
  const answer = await createBitcoinNode(url).readOutput(evidence.txid.slice(2), evidence.index)
  const value = answer.state === 'found' ? answer.value : 0n
  const worth = `${formatAmount(units('BTC', value), SATOSHI_DECIMALS)} BTC`
  switch (judgeOutput(answer, earlier + amount, contracts.tokens.BTC.decimals)) {
    case 'missing':
      return refused('The Bitcoin node knows no such output. Write the transaction id as block explorers show it.')
    case 'unanswered':
      return refused('The Bitcoin node does not answer. Nothing was done.')
    case 'unconfirmed':
      return ok(`, which has fewer than six confirmations: the day waits for it${reinstated}`)
    case 'less':
      return refused(
        `The Bitcoin output is worth ${worth}, which is less than the amount${earlier > 0n ? ` and the ${before} that named it before` : ''}.`,
      )
    case 'found':
      return ok(`, which is worth ${worth}${reinstated}`)
  }
}

/** What the pool has read of the final funding. */
async function readByPool(
  { db, contracts }: PoolContext,
  { day, evidence }: NewFunding,
  block: bigint,
): Promise<{ text: string; funded: string | null }> {
  const funded = await readWhenPosted(db, block, async () => sumOf(await readFundings(db, [day], evidence), day))
  if (funded === null) return { text: NOT_READ_YET, funded: null }
  return {
    text: `The pool has read it: day ${formatDay(day)} has ${formatCoins(contracts, 'BTC', funded)} funded.`,
    funded: formatNumber(contracts, 'BTC', funded),
  }
}

function outputOrRefuse(text: string): Evidence {
  const [, txid, index] = /^(?:0x)?([0-9a-f]{64}):(0|[1-9][0-9]{0,5})$/i.exec(text) ?? []
  if (!txid || !index || /^0+$/.test(txid))
    throw new ExpectedFailure(
      `${text} is not a Bitcoin output. Write the 64 digits of the transaction id, a colon, and the number of the output.`,
    )
  return { txid: `0x${txid.toLowerCase()}`, index: Number(index) }
}
