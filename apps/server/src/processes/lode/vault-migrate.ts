import { verify } from '@lode/contracts/verify'
import { type Result, refused } from '@lode/kernel'
import type { Command } from 'commander'
import type { Address } from 'viem'
import { proposeMigration, readChainState } from '../../modules/custody/index.ts'
import { findNodeErrors, readNodes } from '../../platform/config/node-address.ts'
import { ExpectedFailure } from '../start-up.ts'
import { addSigningOptions, decide, type SigningOptions, wakeWorker } from './decide.ts'
import { askNodes, openNodes } from './open-nodes.ts'
import { readTextFile } from './terminal.ts'
import { addressOrRefuse, operatorConfig, type PoolContext, withPool } from './with-database.ts'

type MigrateOptions = SigningOptions & { readonly chain: string; readonly terms: string; readonly since: string }

export function addMigrateCommand(vault: Command): void {
  addSigningOptions(
    vault
      .command('migrate')
      .argument('<address>', 'the next vault, to which the present one has moved')
      .argument('[note]', 'why; the second operator need not say it again')
      .requiredOption('--chain <urls>', 'nodes of two providers, as in CHAIN_RPC_URL')
      .requiredOption('--terms <file>', 'the terms by which the next vault was deployed')
      .requiredOption('--since <block>', 'the block in which the next vault was deployed')
      .description('let the ledger, the worker and the signer follow the next vault; two operators sign'),
  ).action((address: string, note: string | undefined, options: MigrateOptions) =>
    withPool((context) => migrate(context, { to: addressOrRefuse(address), note }, options)),
  )
}

async function migrate(
  context: PoolContext,
  { to, note }: { readonly to: Address; readonly note: string | undefined },
  options: MigrateOptions,
): Promise<Result<string, string>> {
  if (!/^[1-9][0-9]{0,17}$/.test(options.since)) return refused(`${options.since} is not the number of a block.`)
  const config = operatorConfig()
  const state = await readChainState(context.db)
  if (!state) return refused('The worker has not read the chain yet: the ledger has no vault to move from.')
  const nodeErrors = config.profile === 'production' ? findNodeErrors(options.chain) : []
  if (nodeErrors.length > 0) return refused(`--chain ${nodeErrors.join(', and ')}`)
  const nodes = await openNodes(options.chain, config, state.genesisHash)
  const proposal = await askNodes(() =>
    proposeMigration(nodes, config, state, { to, since: BigInt(options.since), note }),
  )
  if (!proposal.ok) return proposal
  const differences = await compareWithTerms(options, to)
  if (differences.length > 0) return refused(`${to} is not as its terms say:\n  ${differences.join('\n  ')}`)
  return decide(context, proposal.value, options, {
    onSigned: wakeWorker,
    done:
      'The worker carries it out within a minute: lode decision list. Then set in every process ' +
      `VAULT_ADDRESS=${to} and FORMER_VAULTS=${[...state.formerVaults, state.vault].join(',')}, and restart it.`,
  })
}

/** Compares code, predecessor, roles, quote key, cold address and caps of the next vault at every node. */
async function compareWithTerms({ chain, terms: file, since }: MigrateOptions, address: Address): Promise<string[]> {
  const addresses = readNodes(chain)
  if (!addresses.ok) return [addresses.error]
  const text = readTextFile(file)
  const differences: string[] = []
  for (const { origin, url } of addresses.value)
    try {
      const terms = JSON.parse(text) as Parameters<typeof verify>[1]
      const found = await verify(url, terms, { address, firstBlock: BigInt(since) })
      differences.push(...found.map((difference) => `${origin}: ${difference}`))
    } catch (error) {
      throw new ExpectedFailure(`Nothing was compared: ${error instanceof Error ? error.message : String(error)}`)
    }
  return differences
}
