import { readFileSync } from 'node:fs'
import { type Address, createPublicClient, getAddress, type Hex, http, isAddress, parseUnits } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { btnTokenAbi } from '../generated/index.ts'
import { openPipeline } from './pipeline.ts'
import { deployPool, type PoolRoles } from './pool.ts'

/**
 * The terms of a new pool: the addresses of USDT and of a wrapped BTC, the seven roles, and the four caps in whole coins.
 * This command deploys the pool on a chain that already has both tokens:
 *
 *     DEPLOYER_KEY=0x… pnpm --filter @lode/contracts run deploy RPC_URL TERMS.json
 *
 * It prints what the server has to know, as lines of its environment. The deployer keeps no right to anything.
 */
export type DeploymentTerms = {
  readonly usdt: string
  readonly btc: string
  readonly roles: Readonly<Record<keyof PoolRoles, string>>
  readonly caps: Readonly<Record<'usdt' | 'btn' | 'btc' | 'burn', string>>
}

const BTN_DECIMALS = 18
const roleNames = [
  'administrator',
  'guardian',
  'secondGuardian',
  'payer',
  'funder',
  'quoteSigner',
  'coldStorage',
] as const

export async function deploy(rpcUrl: string, deployer: Hex, terms: DeploymentTerms): Promise<Record<string, string>> {
  const usdt = parseAddress('usdt', terms.usdt)
  const btc = parseAddress('btc', terms.btc)
  const roles = parseRoles(terms)
  const chain = createPublicClient({ transport: http(rpcUrl) })
  // Read from the chain, because USDT has 6 decimals on one chain and 18 on another. With the wrong number, a cap would
  // be wrong by a factor of 10¹².
  const decimalsOf = (address: Address) =>
    chain.readContract({ address, abi: btnTokenAbi, functionName: 'decimals' }).catch(() => {
      throw new Error(`${address} is no token on this chain`)
    })
  const [usdtDecimals, btcDecimals] = await Promise.all([decimalsOf(usdt), decimalsOf(btc)])
  const cap = (name: keyof DeploymentTerms['caps'], decimals: number) => {
    const units = parseUnits(terms.caps[name] ?? '', decimals)
    if (units <= 0n) throw new Error(`caps.${name} must be more than nothing: nobody could ever be paid`)
    return units
  }
  const caps = {
    usdt: cap('usdt', usdtDecimals),
    btn: cap('btn', BTN_DECIMALS),
    btc: cap('btc', btcDecimals),
    burn: cap('burn', BTN_DECIMALS),
  }

  const pipeline = await openPipeline(rpcUrl, privateKeyToAccount(deployer))
  const { btn, vault } = await deployPool(pipeline, { usdt, btc, roles, caps })
  const firstBlock = await pipeline.settle()
  return {
    CHAIN_ID: String(await chain.getChainId()),
    VAULT_ADDRESS: vault,
    VAULT_FIRST_BLOCK: String(firstBlock),
    USDT_ADDRESS: usdt,
    USDT_DECIMALS: String(usdtDecimals),
    BTN_ADDRESS: btn,
    BTN_DECIMALS: String(BTN_DECIMALS),
    BTC_ADDRESS: btc,
    BTC_DECIMALS: String(btcDecimals),
  }
}

/** Refuses one account in two roles: a thief would need one key less. The vault itself does not check this. */
function parseRoles(terms: DeploymentTerms): PoolRoles {
  const roles = Object.fromEntries(roleNames.map((name) => [name, parseAddress(name, terms.roles[name])]))
  const shared = roleNames.filter((name, position) =>
    roleNames.some((other, place) => place < position && roles[other] === roles[name]),
  )
  if (shared.length > 0) throw new Error(`${shared.join(', ')}: an account that has another role already`)
  return roles as PoolRoles
}

function parseAddress(name: string, text: string | undefined): Address {
  if (text === undefined || !isAddress(text)) throw new Error(`${name} must be an address, with its checksum`)
  return getAddress(text)
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
