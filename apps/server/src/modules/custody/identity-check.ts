import { poolVaultAbi } from '@lode/contracts'
import { assets } from '@lode/kernel'
import { erc20Abi, type Hex, isAddressEqual } from 'viem'
import { type ChainNode, NodeContradiction } from '../../platform/chain/node.ts'
import type { PoolContracts } from '../../platform/config/pool-contracts.ts'

/** The first reason why this node is not of the chain that we know, in words, or null. */
export async function foreignChain(
  node: ChainNode,
  /** Without a genesis hash, the chain's id has to do. */
  known: { readonly chainId: number; readonly genesisHash: Hex | null },
): Promise<string | null> {
  const chainId = await node.chainId()
  if (chainId !== known.chainId) return `the node ${node.name} is of chain ${chainId}, not of ${known.chainId}`
  if (known.genesisHash === null) return null
  const genesis = (await node.block(0n))?.hash
  // As one answers that has just been started, or has thrown old blocks away. It says nothing about the chain.
  if (!genesis) throw new NodeContradiction(`${node.name} has no first block`)
  if (genesis !== known.genesisHash)
    return `the chain of ${node.name} begins with ${genesis}, not with ${known.genesisHash}`
  return null
}

/** Whether the configured tokens are the vault's own, with the decimals that they say of themselves. */
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
