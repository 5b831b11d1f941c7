import { assets } from '@lode/kernel'
import type { AgreedChain } from '../../platform/chain/agreed-chain.ts'
import { NodeContradiction } from '../../platform/chain/node.ts'
import type { TurnResult } from '../../platform/chain/poll-nodes.ts'
import { readVaultBalances } from './balance-check.ts'
import { insertChainState, storePostedHash } from './chain-state.ts'
import { WatcherMustStop } from './post-blocks.ts'
import type { WatcherContext } from './watcher-context.ts'

/** Stores the first chain state, once the block before the pool's first block is final. Before that it only waits. */
export async function beginLedger({ db, chain, log }: WatcherContext, agreed: AgreedChain): Promise<TurnResult> {
  const pool = chain.contracts
  const number = pool.firstBlock > 0n ? pool.firstBlock - 1n : 0n
  if (agreed.finalized.number < number) return 'wait'
  const [genesis, before] = await agreed.blocks([0n, number])
  if (!genesis || !before) throw new NodeContradiction('the node did not return a block that was requested')
  // Tokens can be sent to the vault's address before the vault exists. Nothing is stored yet, so it is enough to set an
  // earlier VAULT_FIRST_BLOCK and restart. Then these tokens are posted like any others.
  const heldBefore = await readVaultBalances(agreed, pool, before)
  const heldAssets = assets.filter((asset) => heldBefore && heldBefore[asset] > 0n)
  if (heldAssets.length > 0)
    throw new WatcherMustStop(
      `the vault held ${heldAssets.join(', ')} before block ${pool.firstBlock}: VAULT_FIRST_BLOCK must be earlier than the first Transfer to it`,
    )
  if (!heldBefore)
    log.warn(
      { node: agreed.name, block: Number(number) },
      'the node has pruned the block before VAULT_FIRST_BLOCK: whether the vault was empty then is not checked',
    )
  await insertChainState(db, { chainId: chain.id, pool, genesisHash: genesis.hash, before })
  log.info({ block: Number(number) }, 'the ledger of this chain begins')
  return 'again'
}

/** After a rewind: reads the hash and time of the posted block from the chain and stores them. */
export async function readRewoundBlock(
  { db, log }: WatcherContext,
  agreed: AgreedChain,
  number: bigint,
): Promise<TurnResult> {
  const [block] = await agreed.blocks([number])
  if (!block) throw new NodeContradiction('the node did not return a block that was requested')
  await storePostedHash(db, block)
  log.warn({ block: Number(number) }, 'the posted block was set back: the chain is read again from there')
  return 'again'
}
