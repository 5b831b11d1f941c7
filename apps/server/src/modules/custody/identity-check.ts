import { poolVaultAbi } from '@lode/contracts'
import { assets } from '@lode/kernel'
import { erc20Abi, type Hex, isAddressEqual } from 'viem'
import { type ChainNode, NodeContradiction } from '../../platform/chain/node.ts'
import type { PoolContracts } from '../../platform/config/pool-contracts.ts'

/** Why this node is not on our chain, in words; null if it is. */
export async function foreignChain(
  node: ChainNode,
  /** If the genesis hash is unknown, only the chain id is compared. */
  known: { readonly chainId: number; readonly genesisHash: Hex | null },
): Promise<string | null> {
  const chainId = await node.chainId()
  if (chainId !== known.chainId) return `the node ${node.name} is of chain ${chainId}, not of ${known.chainId}`
  if (known.genesisHash === null) return null
  const genesis = (await node.block(0n))?.hash
  // The node has just started, or has pruned old blocks. This says nothing about its chain.
  if (!genesis) throw new NodeContradiction(`${node.name} has no first block`)
  if (genesis !== known.genesisHash)
    return `the chain of ${node.name} begins with ${genesis}, not with ${known.genesisHash}`
  return null
}

/** Why the configured tokens differ from the vault's, or their decimals from the contracts'; null if all agree. */
export async function wrongContracts(node: ChainNode, pool: PoolContracts): Promise<string | null> {
  const names = { USDT: 'usdt', BTN: 'btn', BTC: 'btc' } as const
  for (const asset of assets) {
    const { address, decimals } = pool.tokens[asset]
    const ofVault = await node.read({ address: pool.vault, abi: poolVaultAbi, functionName: names[asset] })
    if (!isAddressEqual(ofVault, address))
      return `${asset}_ADDRESS is ${address}, but the vault's ${asset} is ${ofVault}`
    const found = await node.read({ address, abi: erc20Abi, functionName: 'decimals' })
    if (found !== decimals) return `${asset}_DECIMALS is ${decimals}, but the token has ${found}`
  }
  return null
}
