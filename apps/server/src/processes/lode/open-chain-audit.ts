import { describeForeignChain, describeWrongContracts, readChainState } from '../../modules/custody/index.ts'
import { auditChain, type ChainAuditReport } from '../../modules/payout/index.ts'
import { type ChainNode, createNode, failureText, isNodeFailure } from '../../platform/chain/node.ts'
import { nodeAt } from '../../platform/config/node-address.ts'
import type { Database } from '../../platform/db/database.ts'
import { ExpectedFailure } from '../start-up.ts'
import { checkPool, operatorConfig } from './with-database.ts'

/**
 * Connects to the auditor's node and refuses it if it is not on the pool's chain. Returns the function that compares.
 * No text names the URL, because it may contain a paid key or a password.
 */
export async function openChainAudit(db: Database, url: string): Promise<() => Promise<ChainAuditReport>> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new ExpectedFailure('--chain needs the address of a node: a URL that begins with http:// or https://')
  const config = operatorConfig()
  const { chainId, contracts } = config
  await checkPool(db, config)
  const state = await readChainState(db)
  if (!state) throw new ExpectedFailure('The worker has not read the chain yet: there is nothing to compare.')
  const node = createNode(nodeAt(url))
  await askNode(node, async () => {
    const wrong =
      (await describeForeignChain(node, { chainId, genesisHash: state.genesisHash })) ??
      (await describeWrongContracts(node, contracts))
    if (wrong) throw new ExpectedFailure(`Nothing was compared: ${wrong}.`)
  })
  return () => askNode(node, () => auditChain(db, node, config))
}

async function askNode<T>(node: ChainNode, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (!isNodeFailure(error)) throw error
    throw new ExpectedFailure(`The audit is not complete, because ${node.name} failed: ${failureText(error)}`)
  }
}
