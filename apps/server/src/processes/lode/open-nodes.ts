import type { Hex } from 'viem'
import { describeForeignChain, describeWrongContracts } from '../../modules/custody/index.ts'
import { type ChainNode, createNode, failureText, isNodeFailure } from '../../platform/chain/node.ts'
import type { OperatorConfig } from '../../platform/config/config.ts'
import { readNodes } from '../../platform/config/node-address.ts'
import { ExpectedFailure } from '../start-up.ts'

/**
 * Connects to the nodes that an operator named, and refuses them if one is not on the pool's chain. Without a genesis
 * hash, the chain id and the contracts are compared.
 */
export async function openNodes(
  urls: string,
  { chainId, contracts }: Pick<OperatorConfig, 'chainId' | 'contracts'>,
  genesisHash: Hex | null,
): Promise<ChainNode[]> {
  const addresses = readNodes(urls)
  if (!addresses.ok) throw new ExpectedFailure(`--chain ${addresses.error}`)
  const nodes = addresses.value.map(createNode)
  for (const node of nodes)
    await askNodes(async () => {
      const wrong =
        (await describeForeignChain(node, { chainId, genesisHash })) ?? (await describeWrongContracts(node, contracts))
      if (wrong) throw new ExpectedFailure(`Nothing was compared: ${wrong}.`)
    }, `the node ${node.name}`)
  return nodes
}

/** A failure of the nodes is printed without a stack trace. */
export async function askNodes<T>(ask: () => Promise<T>, who = 'the nodes'): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (!isNodeFailure(error)) throw error
    throw new ExpectedFailure(`Nothing was changed, because ${who} failed: ${failureText(error)}`)
  }
}
