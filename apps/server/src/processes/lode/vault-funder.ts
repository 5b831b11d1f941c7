import { poolVaultAbi } from '@lode/contracts'
import { reserveKinds } from '@lode/contracts/terms'
import { type Asset, ok, type Result, refused } from '@lode/kernel'
import type { Command } from 'commander'
import { encodeEventTopics, encodeFunctionData, erc20Abi, type Hex, pad, toEventSelector } from 'viem'
import { interpretLogs } from '../../modules/custody/index.ts'
import { readSystemBalances } from '../../modules/ledger/index.ts'
import { type ChainLog, type ChainNode, sortLogs } from '../../platform/chain/node.ts'
import { formatCoins, formatNumber, type PoolContracts } from '../../platform/config/pool-contracts.ts'
import { ExpectedFailure } from '../start-up.ts'
import { amountOrRefuse, assetOrRefuse } from './amounts.ts'
import type { Caller, CallOptions, PlannedCall } from './call-plan.ts'
import { addCallOptions, makeCalls, NOT_READ_YET, readWhenPosted } from './chain-call.ts'
import { openFunder } from './open-funder.ts'
import { askNodes } from './open-nodes.ts'
import { checkBalance, planApproval, readRecentLogs, searchAllNodes } from './spend-tokens.ts'
import type { Answer } from './terminal.ts'
import { readFunders } from './vault-roles.ts'
import { type PoolContext, withPool } from './with-database.ts'

type Options = CallOptions & { readonly more?: boolean }
type ReserveKind = (typeof reserveKinds)[number]

/** What a funder brings to the vault besides a day's production. */
export function addFunderCommands(vault: Command): void {
  addCallOptions(
    vault
      .command('reserve')
      .argument('<kind>', reserveKinds.join(', '))
      .argument('<amount>', 'of BTN, in whole coins')
      .option('--more', 'the same was sent in the last 50,000 blocks (a week on Ethereum), and this comes on top of it')
      .description('a funder puts BTN into a reserve of the pool'),
  ).action((kind: string, amount: string, options: Options) =>
    withPool((context) =>
      fundReserve(context, kindOrRefuse(kind), amountOrRefuse(context.contracts, 'BTN', amount), options),
    ),
  )
  addCallOptions(
    vault
      .command('loss')
      .argument('<symbol>', 'USDT, BTN or BTC')
      .argument('<amount>', 'in whole coins')
      .option('--more', 'the same was sent in the last 50,000 blocks (a week on Ethereum), and this comes on top of it')
      .description('a funder replaces money that is missing, by a plain transfer to the vault'),
  ).action((symbol: string, amount: string, options: Options) =>
    withPool((context) => {
      const asset = assetOrRefuse(symbol)
      return replaceLoss(context, asset, amountOrRefuse(context.contracts, asset, amount), options)
    }),
  )
}

function kindOrRefuse(text: string): ReserveKind {
  const kind = reserveKinds.find((one) => one === text)
  if (!kind) throw new ExpectedFailure(`${text} is not a reserve. Use one of: ${reserveKinds.join(', ')}.`)
  return kind
}

async function fundReserve(
  context: PoolContext,
  kind: ReserveKind,
  amount: bigint,
  options: Options,
): Promise<Result<Answer, string>> {
  const { contracts } = context
  const account = `reserve:${kind}` as const
  const readReserve = async () => (await readSystemBalances(context.db))(account, 'BTN')
  const topics = encodeEventTopics({
    abi: poolVaultAbi,
    eventName: 'ReserveFunded',
    args: { kind: reserveKinds.indexOf(kind) },
  }) as Hex[]
  return bring(context, options, {
    asset: 'BTN',
    amount,
    title: `Put ${formatCoins(contracts, 'BTN', amount)} into the reserve ${kind}`,
    findPayments: (caller, posted) =>
      searchAllNodes(caller, (node) => readRecentLogs(node, { address: contracts.vault, topics }, posted)),
    check: async () => ok([`The reserve has ${formatCoins(contracts, 'BTN', await readReserve())}.`]),
    planCalls: async (caller) => [
      ...(await planApproval(caller, 'BTN', amount)),
      {
        name: 'fundReserve',
        purpose: `which moves the BTN to the vault for the reserve ${kind}`,
        to: contracts.vault,
        data: encodeFunctionData({
          abi: poolVaultAbi,
          functionName: 'fundReserve',
          args: [reserveKinds.indexOf(kind), amount],
        }),
      },
    ],
    readResult: async () => {
      const reserve = await readReserve()
      return {
        text: `The pool has read it: the reserve ${kind} has ${formatCoins(contracts, 'BTN', reserve)}.`,
        data: { reserve: formatNumber(contracts, 'BTN', reserve) },
      }
    },
  })
}

async function replaceLoss(
  context: PoolContext,
  asset: Asset,
  amount: bigint,
  options: Options,
): Promise<Result<Answer, string>> {
  const { db, contracts } = context
  const token = contracts.tokens[asset].address
  const coins = (units: bigint) => formatCoins(contracts, asset, units)
  const readMissing = async () => -(await readSystemBalances(db))('pool:loss', asset)
  return bring(context, options, {
    asset,
    amount,
    title: `Replace ${coins(amount)} that is missing`,
    // Every funder counts: two of them may replace the same loss.
    async findPayments(caller, posted) {
      const funders = [caller.address, ...(await readFunders(db))].map((funder) => pad(funder))
      const filter = { address: token, topics: [TRANSFER_TOPIC, funders, pad(contracts.vault)] }
      return searchAllNodes(caller, async (node) =>
        keepPlainTransfers(node, contracts, await readRecentLogs(node, filter, posted)),
      )
    },
    async check(unposted) {
      const missing = await readMissing()
      if (missing <= 0n)
        return refused(
          `No ${asset} is missing: a plain transfer would not be used. If ${asset} is stopped, two operators write off first what left: lode correct list. Nothing was done.`,
        )
      const sent = unposted > 0n ? `, and ${coins(unposted)} was sent that the pool has not read yet` : ''
      if (amount > missing - unposted)
        return refused(
          `${coins(missing)} is missing${sent}. Send no more: the rest would wait until operators return it.`,
        )
      return ok([`${coins(missing)} is missing${sent}. After this ${coins(missing - unposted - amount)} is missing.`])
    },
    planCalls: async () => [
      {
        name: 'transfer',
        purpose: 'a plain transfer of the funder to the vault',
        to: token,
        data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [contracts.vault, amount] }),
      },
    ],
    readResult: async () => {
      const left = await readMissing()
      return {
        text: `The pool has read it: ${left > 0n ? `${coins(left)} is still missing` : `no ${asset} is missing any more`}.`,
        data: { missing: formatNumber(contracts, asset, left) },
      }
    },
  })
}

const TRANSFER_TOPIC = toEventSelector('Transfer(address,address,uint256)')

/** Leaves out the transfers that an event of the vault explains, such as a day's funding: they replace no loss. */
async function keepPlainTransfers(
  node: ChainNode,
  contracts: PoolContracts,
  transfers: readonly ChainLog[],
): Promise<ChainLog[]> {
  const blocks = new Map(transfers.map(({ blockNumber, blockHash }) => [blockHash, blockNumber]))
  const events: ChainLog[] = []
  for (const [hash, number] of blocks)
    events.push(...(await node.logsInBlock({ address: contracts.vault }, { number, hash })))
  const { movements } = interpretLogs(sortLogs([...transfers, ...events]), contracts, new Set())
  return movements.filter((one) => one.kind === 'deposit' && one.transferIndex === undefined).map(({ log }) => log)
}

type Bringing = {
  readonly asset: Asset
  readonly amount: bigint
  readonly title: string
  /** The logs of the same kind of payment. Their data is the amount. `posted` is the pool's newest block. */
  readonly findPayments: (caller: Caller, posted: bigint) => Promise<ChainLog[]>
  /** Returns what to show, or why it cannot be done. `unposted` is what was paid and the ledger does not have yet. */
  readonly check: (unposted: bigint) => Promise<Result<readonly string[], string>>
  readonly planCalls: (caller: Caller) => Promise<PlannedCall[]>
  readonly readResult: () => Promise<{ text: string; data: object }>
}

/** Brings money of a funder to the vault. */
async function bring(context: PoolContext, options: Options, bringing: Bringing): Promise<Result<Answer, string>> {
  const { db, contracts } = context
  const { asset, amount, title } = bringing
  const opened = await openFunder(context, options)
  if (!opened.ok) return opened
  const { caller, state } = opened.value
  const { postedNumber } = state
  const earlier = await askNodes(() => bringing.findPayments(caller, postedNumber))
  // The ledger is read after the logs: what the pool posts in between is counted twice, which refuses too much.
  const facts = await bringing.check(sumOfUnposted(earlier, postedNumber))
  if (!facts.ok) return facts
  const repeated = options.more ? null : describeRepeated(earlier, amount, postedNumber)
  if (repeated) return refused(repeated)
  const held = await askNodes(() => checkBalance(caller, asset, amount))
  if (!held.ok) return held
  const funder = `Funder: ${caller.address}, who holds ${formatCoins(contracts, asset, held.value)}`
  const calls = await askNodes(() => bringing.planCalls(caller))
  const outcome = await makeCalls(caller, { title, facts: [...facts.value, funder], calls, isDoneOnce: false }, options)
  if (!outcome.ok) return outcome
  const { lines, data, finalBlock } = outcome.value
  const result = finalBlock === null ? null : await readWhenPosted(db, finalBlock, bringing.readResult)
  const unread = finalBlock === null ? [] : [NOT_READ_YET]
  return ok({
    text: [...lines, ...(result ? [result.text] : unread)].join('\n'),
    data: { symbol: asset, amount: formatNumber(contracts, asset, amount), ...data, ...result?.data },
  })
}

const sumOfUnposted = (logs: readonly ChainLog[], posted: bigint): bigint =>
  logs.reduce((sum, { blockNumber, data }) => (blockNumber > posted ? sum + BigInt(data) : sum), 0n)

/** A payment that the pool has not read yet, or an earlier one of the same amount: this may be a second start. */
function describeRepeated(earlier: readonly ChainLog[], amount: bigint, posted: bigint): string | null {
  const unposted = earlier.findLast(({ blockNumber }) => blockNumber > posted)
  const same = unposted ?? earlier.findLast(({ data }) => BigInt(data) === amount)
  if (!same) return null
  const what = unposted ? 'The same was sent a moment ago' : 'The same amount was sent before'
  return `${what}: transaction ${same.tx} in block ${same.blockNumber}, which the pool has ${unposted ? 'not read yet' : 'read'}. Nothing was done. If this comes on top of it, add --more.`
}
