import { poolVaultAbi } from '@lode/contracts'
import { type Asset, ok, type Result, refused } from '@lode/kernel'
import type { Command } from 'commander'
import { type Address, encodeEventTopics, encodeFunctionData, erc20Abi, type Hex, keccak256, slice } from 'viem'
import { formatUtc } from '../../modules/operators/index.ts'
import type { ChainLog } from '../../platform/chain/node.ts'
import { formatCoins, formatNumber } from '../../platform/config/pool-contracts.ts'
import { amountOrRefuse, assetOrRefuse } from './amounts.ts'
import type { Caller, CallOptions, PlannedCall } from './call-plan.ts'
import { addCallOptions, makeCalls } from './chain-call.ts'
import { askNodes } from './open-nodes.ts'
import { openPoolCaller } from './open-pool-caller.ts'
import { readRecentLogs, searchAllNodes } from './spend-tokens.ts'
import type { Answer } from './terminal.ts'
import { type PoolContext, withPool } from './with-database.ts'

/** The vault moves money to cold storage only after a notice of two days. So the command runs twice. */
export function addColdCommand(vault: Command): void {
  addCallOptions(
    vault
      .command('cold')
      .argument('<symbol>', 'USDT, BTN or BTC')
      .argument('<amount>', 'in whole coins')
      .option(
        '--more',
        'the same amount was moved in the last 50,000 blocks (a week on Ethereum), and this comes on top of it',
      )
      .description(
        'the administrator moves money to the cold address: the first run announces it, the run two days later moves it',
      ),
  ).action((symbol: string, amount: string, options: Options) =>
    withPool((context) => {
      const asset = assetOrRefuse(symbol)
      return moveToCold(context, { asset, amount: amountOrRefuse(context.contracts, asset, amount) }, options)
    }),
  )
}

type Options = CallOptions & { readonly more?: boolean }
type Move = { readonly asset: Asset; readonly amount: bigint }

async function moveToCold(context: PoolContext, move: Move, options: Options): Promise<Result<Answer, string>> {
  const { contracts } = context
  const vault = { address: contracts.vault, abi: poolVaultAbi } as const
  const opened = await openPoolCaller(context, options, {
    role: 'administrator',
    findHolder: (node) => node.read({ ...vault, functionName: 'administrator' }),
  })
  if (!opened.ok) return opened
  const { caller, state } = opened.value
  const { held, cold } = await askNodes(() => readHoldings(caller, move))
  const coins = (amount: bigint) => formatCoins(contracts, move.asset, amount)
  if (held < move.amount) return refused(`The vault holds ${coins(held)}, which is less than ${coins(move.amount)}.`)
  const data = encodeFunctionData({
    ...vault,
    functionName: 'moveToCold',
    args: [contracts.tokens[move.asset].address, move.amount, cold],
  })
  const step = await askNodes(() => findStep(caller, data))
  if (!step.ok) return step
  const isAnnouncing = step.value.name === 'announce'
  // Also with --more, because the search refuses a node that is behind the pool.
  const earlier = await askNodes(() => findEarlierMove(caller, move, state.postedNumber))
  if (earlier && isAnnouncing && !options.more)
    return refused(
      `${coins(move.amount)} was moved to cold storage in block ${earlier.blockNumber}: transaction ${earlier.tx}. Nothing was done. To move the same amount once more, add --more.`,
    )
  const outcome = await makeCalls(
    caller,
    {
      title: `${isAnnouncing ? 'Announce the move of' : 'Move'} ${coins(move.amount)} to the cold address ${cold}`,
      facts: [
        `The vault holds ${coins(held)}, and ${coins(held - move.amount)} after the move. Payouts need what stays.`,
        ...(isAnnouncing
          ? ['Members see the announcement, and a guardian can withdraw it. Run the command again after two days.']
          : []),
      ],
      calls: [step.value],
      // A second announcement is refused while the first one lasts.
      isDoneOnce: isAnnouncing,
    },
    options,
  )
  if (!outcome.ok) return outcome
  return ok({
    text: outcome.value.lines.join('\n'),
    data: {
      step: step.value.name,
      symbol: move.asset,
      amount: formatNumber(contracts, move.asset, move.amount),
      coldStorage: cold,
      callHash: keccak256(data),
      ...outcome.value.data,
    },
  })
}

async function readHoldings({ node, config: { contracts } }: Caller, { asset }: Move) {
  const { address } = contracts.tokens[asset]
  const held = await node.read({ address, abi: erc20Abi, functionName: 'balanceOf', args: [contracts.vault] })
  const cold: Address = await node.read({ address: contracts.vault, abi: poolVaultAbi, functionName: 'coldStorage' })
  return { held, cold }
}

/** The same move, if it was made lately: a second start after the move must not begin another one. */
async function findEarlierMove(caller: Caller, { asset, amount }: Move, posted: bigint): Promise<ChainLog | undefined> {
  const { vault, tokens } = caller.config.contracts
  const topics = encodeEventTopics({
    abi: poolVaultAbi,
    eventName: 'MovedToCold',
    args: { token: tokens[asset].address },
  }) as Hex[]
  const moves = await searchAllNodes(caller, (node) => readRecentLogs(node, { address: vault, topics }, posted))
  // The data begins with the amount that left the vault.
  return moves.findLast(({ data }) => BigInt(slice(data, 0, 32)) === amount)
}

/** Announces the call, or makes it if its notice has passed. Refused while the notice runs. */
async function findStep({ node, config: { contracts } }: Caller, data: Hex): Promise<Result<PlannedCall, string>> {
  const vault = { address: contracts.vault, abi: poolVaultAbi } as const
  const callHash = keccak256(data)
  const notBefore = await node.read({ ...vault, functionName: 'announcedFor', args: [callHash] })
  const life = await node.read({ ...vault, functionName: 'NOTICE_LIFE' })
  const now = Math.floor(((await node.block('latest'))?.time ?? new Date()).getTime() / 1_000)
  const time = (seconds: number) => formatUtc(new Date(seconds * 1_000))
  if (notBefore > now)
    return refused(
      `This move is announced already (${callHash}). It is possible from ${time(notBefore)} to ${time(notBefore + life)}: run the command again then.`,
    )
  if (notBefore !== 0 && now <= notBefore + life)
    return ok({ name: 'moveToCold', purpose: 'which moves the money now', to: contracts.vault, data })
  return ok({
    name: 'announce',
    purpose: `which begins the notice of two days for ${callHash}`,
    to: contracts.vault,
    data: encodeFunctionData({ ...vault, functionName: 'announce', args: [data] }),
  })
}
