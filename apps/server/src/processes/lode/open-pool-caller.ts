import { ok, type Result, refused } from '@lode/kernel'
import { type ChainState, readChainState } from '../../modules/custody/index.ts'
import type { Caller, CallOptions } from './call-plan.ts'
import { type OpeningContext, openCaller } from './chain-call.ts'
import type { PoolContext } from './with-database.ts'

type OpenedCaller = { readonly caller: Caller; readonly state: ChainState }

/**
 * Opens the account that makes the calls, and reads how far the pool has read the chain. The search for an earlier call
 * needs that block: a node that lacks it is behind, and shows too little.
 */
export async function openPoolCaller(
  { db, pool, contracts, finality }: PoolContext,
  options: CallOptions,
  opening: Pick<OpeningContext, 'role' | 'findHolder'>,
): Promise<Result<OpenedCaller, string>> {
  const state = await readChainState(db)
  if (!state) return refused('The worker has not read the chain yet. Start it first, so that the pool sees the money.')
  const config = { chainId: pool.chainId, contracts, finality }
  const caller = await openCaller(options, { ...opening, config, genesisHash: state.genesisHash })
  return caller.ok ? ok({ caller: caller.value, state }) : caller
}
