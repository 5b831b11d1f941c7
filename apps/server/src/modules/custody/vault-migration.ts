import { poolVaultAbi } from '@lode/contracts'
import { assets, ok, type Result, refused } from '@lode/kernel'
import { type Address, isAddressEqual } from 'viem'
import { type AgreedChain, agreeOnChain } from '../../platform/chain/agreed-chain.ts'
import { type ChainNode, otherNodes } from '../../platform/chain/node.ts'
import type { OperatorConfig } from '../../platform/config/config.ts'
import { allVaultsOf } from '../../platform/config/pool-contracts.ts'
import { type Proposal, SIGNATURES_NEEDED } from '../operators/index.ts'
import { readBalancesOf } from './balance-check.ts'
import type { ChainState } from './chain-state.ts'

const WEEK_HOURS = 7 * 24

type Migration = {
  readonly to: Address
  /** The next vault held none of the three tokens before this block. */
  readonly since: bigint
  readonly note: string | undefined
}

/**
 * Proposes to follow the next vault. Refuses if the nodes do not agree, in a final block, that the present vault has moved
 * there. The caller compares the code and the roles of the next vault with its terms.
 */
export async function proposeMigration(
  nodes: readonly ChainNode[],
  { contracts, finality }: Pick<OperatorConfig, 'contracts' | 'finality'>,
  state: ChainState,
  { to, since, note }: Migration,
): Promise<Result<Proposal<'migrate-vault'>, string>> {
  const [node] = nodes
  if (!node) throw new Error('no node is given')
  const { finalized: own } = await node.head(finality)
  const chain = await agreeOnChain(node, otherNodes({ nodes: () => nodes }, node), { own, finality })
  const problem =
    (await describeWrongMove(chain, state, to)) ?? (await describeEarlierMoney(chain, contracts, { to, since }))
  if (problem) return refused(problem)
  return ok({
    verb: 'migrate-vault',
    subject: 'chain:vault',
    terms: { from: state.vault, to, since: String(since), ...(note === undefined ? {} : { note }) },
    needed: SIGNATURES_NEEDED,
    validHours: WEEK_HOURS,
  })
}

/** Describes why this vault is not the next one, at the last final block; null if it is. */
async function describeWrongMove(chain: AgreedChain, state: ChainState, to: Address): Promise<string | null> {
  if (allVaultsOf(state).some((vault) => isAddressEqual(vault, to))) return `The ledger belongs to vault ${to} already.`
  const at = { abi: poolVaultAbi, blockNumber: chain.finalized.number } as const
  if (!(await chain.hasCode(to, chain.finalized.number))) return `${to} has no code at block ${chain.finalized.number}.`
  const successor = await chain.read({ ...at, address: state.vault, functionName: 'successor' })
  if (!isAddressEqual(successor, to))
    return BigInt(successor) === 0n
      ? `The vault ${state.vault} has not moved, as of the final block ${chain.finalized.number}.`
      : `The vault ${state.vault} has moved to ${successor}, not to ${to}.`
  const predecessor = await chain.read({ ...at, address: to, functionName: 'predecessor' })
  return isAddressEqual(predecessor, state.vault) ? null : `The predecessor of ${to} is ${predecessor}.`
}

/** What the next vault held before the block from which its logs are read would be in no book. */
async function describeEarlierMoney(
  chain: AgreedChain,
  contracts: OperatorConfig['contracts'],
  { to, since }: Pick<Migration, 'to' | 'since'>,
): Promise<string | null> {
  if (since < 1n || since > chain.finalized.number) return `Block ${since} is not a final block after the first one.`
  const before = { number: since - 1n }
  if (await chain.hasCode(to, before.number)) return `${to} existed before block ${since}: name an earlier block.`
  const held = await readBalancesOf(chain, contracts, to, before)
  if (!held) return `The nodes have no state of block ${before.number} any more: name nodes that keep it.`
  const found = assets.filter((asset) => held[asset] > 0n)
  return found.length === 0 ? null : `${to} held ${found.join(', ')} before block ${since}: name an earlier block.`
}
