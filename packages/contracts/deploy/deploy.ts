import { readFileSync } from 'node:fs'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { openPipeline } from './pipeline.ts'
import { deployPool } from './pool.ts'
import { BTN_DECIMALS, checkBeforeDeployment, connect, type DeploymentTerms, parseTerms } from './terms-file.ts'

/**
 * Deploys a pool on a chain that already has USDT and a wrapped BTC. The terms are described at `DeploymentTerms`.
 *
 *     DEPLOYER_KEY=0x… pnpm --filter @lode/contracts run deploy RPC_URL TERMS.json
 *
 * It prints what the server has to know, as lines of its environment. The deployer keeps no right to anything.
 */
export async function deploy(rpcUrl: string, deployer: Hex, terms: DeploymentTerms): Promise<Record<string, string>> {
  const chain = connect(rpcUrl)
  const account = privateKeyToAccount(deployer)
  const parsed = await parseTerms(chain, terms)
  await checkBeforeDeployment(chain, account.address, parsed, terms.acceptances)

  const pipeline = await openPipeline(rpcUrl, account)
  const { btn, vault } = await deployPool(pipeline, parsed)
  const firstBlock = await pipeline.settle()
  return {
    CHAIN_ID: String(await chain.getChainId()),
    VAULT_ADDRESS: vault,
    VAULT_FIRST_BLOCK: String(firstBlock),
    USDT_ADDRESS: parsed.usdt,
    USDT_DECIMALS: String(parsed.usdtDecimals),
    BTN_ADDRESS: btn,
    BTN_DECIMALS: String(BTN_DECIMALS),
    BTC_ADDRESS: parsed.btc,
    BTC_DECIMALS: String(parsed.btcDecimals),
  }
}

if (import.meta.main) {
  const [rpcUrl, file] = process.argv.slice(2)
  const { DEPLOYER_KEY } = process.env
  if (!rpcUrl || !file || !DEPLOYER_KEY) {
    console.error('DEPLOYER_KEY=0x… pnpm --filter @lode/contracts run deploy RPC_URL TERMS.json')
    process.exit(1)
  }
  try {
    const terms = JSON.parse(readFileSync(file, 'utf8')) as DeploymentTerms
    const lines = await deploy(rpcUrl, DEPLOYER_KEY as Hex, terms)
    for (const [name, value] of Object.entries(lines)) console.log(`${name}=${value}`)
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    process.exit(1)
  }
}
