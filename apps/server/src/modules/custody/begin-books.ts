import { assets } from '@lode/kernel'
import type { Turn } from '../../platform/chain/follow.ts'
import { type Block, type ChainNode, NodeContradiction } from '../../platform/chain/node.ts'
import { vaultBalances } from './balance-check.ts'
import { CannotGoOn } from './posting.ts'
import { beginState, learnPosted } from './state.ts'
import type { WatcherContext } from './watcher-context.ts'

/** Begins the ledger once the block before the pool's first block is final. Until then there is nothing to post. */
export async function beginBooks({ db, chain, log }: WatcherContext, node: ChainNode, finalized: Block): Promise<Turn> {
  const pool = chain.contracts
  const number = pool.firstBlock > 0n ? pool.firstBlock - 1n : 0n
  if (finalized.number < number) return 'wait'
  const [genesis, before] = await node.blocks([0n, number])
  if (!genesis || !before) throw new NodeContradiction('a block was asked for and not given')
  // Tokens can be sent to the vault's address before the vault exists. Nothing is stored yet at this point, so the
  // operator only has to set an earlier first block. Then these tokens are posted like any others.
  const heldBefore = await vaultBalances(node, pool, before)
  const heldAssets = assets.filter((asset) => heldBefore && heldBefore[asset] > 0n)
  if (heldAssets.length > 0)
    throw new CannotGoOn(
      `the vault held ${heldAssets.join(', ')} before block ${pool.firstBlock}: VAULT_FIRST_BLOCK must be earlier than the first Transfer to it`,
    )
  if (!heldBefore)
    log.warn(
      { node: node.name, block: Number(number) },
      'the node does not keep the state of the block before the first: whether the vault held something then is not known',
    )
  await beginState(db, { chainId: chain.id, vault: pool.vault, genesisHash: genesis.hash, before })
  log.info({ block: Number(number) }, 'the books of this chain begin')
  return 'again'
}

/** After a rewind: stores the hash and time that the chain has for the posted block. */
export async function readRewoundBlock({ db, log }: WatcherContext, node: ChainNode, number: bigint): Promise<Turn> {
  const [block] = await node.blocks([number])
  if (!block) throw new NodeContradiction('a block was asked for and not given')
  await learnPosted(db, block)
  log.warn({ block: Number(number) }, 'the posted block was set back: the chain is read again from there')
  return 'again'
}
