import { poolVaultAbi } from '@lode/contracts'
import { assets } from '@lode/kernel'
import { erc20Abi, type Hex, isAddressEqual, zeroAddress } from 'viem'
import { type ChainNode, NodeContradiction } from '../../platform/chain/node.ts'
import { allVaultsOf, type PoolContracts } from '../../platform/config/pool-contracts.ts'

/** Returns an error text if the node is on another chain; null if it is on ours. */
export async function describeForeignChain(
  node: ChainNode,
  /** If the genesis hash is unknown, only the chain id is compared. */
  expected: { readonly chainId: number; readonly genesisHash: Hex | null },
): Promise<string | null> {
  const chainId = await node.chainId()
  if (chainId !== expected.chainId) return `the node ${node.name} is of chain ${chainId}, not of ${expected.chainId}`
  if (expected.genesisHash === null) return null
  const genesis = (await node.block(0n))?.hash
  // The node has just started, or has pruned old blocks. So its chain is still unknown.
  if (!genesis) throw new NodeContradiction(`${node.name} has no first block`)
  if (genesis !== expected.genesisHash)
    return `the chain of ${node.name} begins with ${genesis}, not with ${expected.genesisHash}`
  return null
}

/** Returns an error text if the configured vaults, tokens or decimals differ from those on the chain; null if they agree. */
export async function describeWrongContracts(node: ChainNode, pool: PoolContracts): Promise<string | null> {
  const names = { USDT: 'usdt', BTN: 'btn', BTC: 'btc' } as const
  for (const asset of assets) {
    const { address, decimals } = pool.tokens[asset]
    const vaultToken = await node.read({ address: pool.vault, abi: poolVaultAbi, functionName: names[asset] })
    if (!isAddressEqual(vaultToken, address))
      return `${asset}_ADDRESS is ${address}, but the vault's ${asset} is ${vaultToken}`
    const found = await node.read({ address, abi: erc20Abi, functionName: 'decimals' })
    if (found !== decimals) return `${asset}_DECIMALS is ${decimals}, but the token has ${found}`
  }
  return describeWrongPredecessors(node, pool)
}

/** Each vault names the one before it, for ever. */
async function describeWrongPredecessors(node: ChainNode, pool: PoolContracts): Promise<string | null> {
  const vaults = allVaultsOf(pool)
  for (const [index, address] of vaults.entries()) {
    const predecessor = await node.read({ address, abi: poolVaultAbi, functionName: 'predecessor' })
    const configured = vaults[index - 1] ?? zeroAddress
    if (!isAddressEqual(predecessor, configured))
      return `FORMER_VAULTS has ${configured} before ${address}, but the predecessor of that vault is ${predecessor}`
  }
  return null
}
