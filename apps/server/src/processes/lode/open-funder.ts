import { ok, type Result, refused } from '@lode/kernel'
import { type ChainState, readChainState } from '../../modules/custody/index.ts'
import type { Caller, CallOptions } from './call-plan.ts'
import { openCaller } from './chain-call.ts'
import { findOnlyFunder } from './vault-roles.ts'
import type { PoolContext } from './with-database.ts'

type OpenedFunder = { readonly caller: Caller; readonly state: ChainState }

/** Opens the account of the funder, and reads how far the pool has read the chain. */
export async function openFunder(
  { db, pool, contracts, finality }: PoolContext,
  options: CallOptions,
): Promise<Result<OpenedFunder, string>> {
  const state = await readChainState(db)
  if (!state) return refused('The worker has not read the chain yet. Start it first, so that the pool sees the money.')
  const caller = await openCaller(options, {
    config: { chainId: pool.chainId, contracts, finality },
    genesisHash: state.genesisHash,
    role: 'funder',
    findHolder: (node) => findOnlyFunder(db, node, contracts.vault),
  })
  return caller.ok ? ok({ caller: caller.value, state }) : caller
}
