import {
  type Address,
  createPublicClient,
  getAddress,
  type Hex,
  http,
  isAddress,
  type PublicClient,
  parseUnits,
} from 'viem'
import { btnTokenAbi, poolVaultAbi } from '../generated/index.ts'
import type { PoolRoles, PoolTerms } from './pool.ts'

/** The file with the terms of a new pool. `deploy` makes the pool by it, `verify` compares the pool with it later. */
export type DeploymentTerms = {
  readonly usdt: string
  readonly btc: string
  readonly roles: Readonly<Record<keyof PoolRoles, string>>
  /** In whole coins. */
  readonly caps: Readonly<Record<'usdt' | 'btn' | 'btc' | 'burn', string>>
  /** The contract wallet that gets the whole issue of BTN. */
  readonly btnHolder: string
  /** The vault that the new one follows, if there is one. */
  readonly predecessor?: string
  /** The signature of each role's account under `acceptanceText`. */
  readonly acceptances: Readonly<Record<keyof PoolRoles, string>>
}

/** What `parseTerms` makes of the file, with the decimals that it read from the chain. */
export type ParsedTerms = PoolTerms & { readonly usdtDecimals: number; readonly btcDecimals: number }

export const BTN_DECIMALS = 18

export const roleNames = [
  'administrator',
  'guardian',
  'secondGuardian',
  'payer',
  'funder',
  'quoteSigner',
  'coldStorage',
] as const satisfies readonly (keyof PoolRoles)[]

/** Which vault an account accepts a role in. Its address is not known before the deployment. */
type AcceptedVault = {
  readonly deployer: Address
  readonly chainId: number
  /** With its checksum. */
  readonly predecessor: Address | undefined
}

/**
 * The text that the account of a role signs before the deployment, so that no role goes to a mistyped address. It names
 * the predecessor, so that a signature for the first vault does not count for the next one.
 */
export const acceptanceText = (role: keyof PoolRoles, { deployer, chainId, predecessor }: AcceptedVault) =>
  `I accept the role "${role}" in the Lode vault that ${deployer} deploys on chain ${chainId}. ` +
  `Predecessor: ${predecessor ?? 'none'}.`

export const connect = (rpcUrl: string): PublicClient => createPublicClient({ transport: http(rpcUrl) })

export async function parseTerms(chain: PublicClient, terms: DeploymentTerms): Promise<ParsedTerms> {
  const usdt = parseAddress('usdt', terms.usdt)
  const btc = parseAddress('btc', terms.btc)
  const roles = parseRoles(terms)
  // Read from the chain, because USDT has 6 decimals on one chain and 18 on another. With the wrong number, a cap would
  // be wrong by a factor of 10¹².
  const [usdtDecimals, btcDecimals] = await Promise.all([decimalsOf(chain, usdt), decimalsOf(chain, btc)])
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
  const btnHolder = parseAddress('btnHolder', terms.btnHolder)
  return {
    usdt,
    btc,
    roles,
    caps,
    btnHolder,
    usdtDecimals,
    btcDecimals,
    predecessor: await findPredecessor(chain, terms),
  }
}

async function findPredecessor(
  chain: PublicClient,
  terms: DeploymentTerms,
): Promise<{ vault: Address; btn: Address } | undefined> {
  if (terms.predecessor === undefined) return undefined
  const vault = parseAddress('predecessor', terms.predecessor)
  return { vault, btn: await chain.readContract({ address: vault, abi: poolVaultAbi, functionName: 'btn' }) }
}

function decimalsOf(chain: PublicClient, address: Address): Promise<number> {
  return chain.readContract({ address, abi: btnTokenAbi, functionName: 'decimals' }).catch(() => {
    throw new Error(`${address} is no token on this chain`)
  })
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

/** Checks everything that the chain can tell before anything is sent. */
export async function checkBeforeDeployment(
  chain: PublicClient,
  deployer: Address,
  { roles, btnHolder, predecessor }: ParsedTerms,
  acceptances: DeploymentTerms['acceptances'],
): Promise<void> {
  await requireOpcodes(chain)
  await requireContract(chain, 'administrator', roles.administrator)
  await requireContract(chain, 'btnHolder', btnHolder)
  const chainId = await chain.getChainId()
  for (const role of roleNames) {
    const message = acceptanceText(role, { deployer, chainId, predecessor: predecessor?.vault })
    const signature = acceptances[role] as Hex
    const isAccepted = await chain.verifyMessage({ address: roles[role], message, signature }).catch(() => false)
    if (!isAccepted) throw new Error(`acceptances.${role} must be the signature of ${roles[role]} under: ${message}`)
  }
}

/** The code of a plain account that its key delegated to a contract (EIP-7702). A contract's code never starts so. */
const DELEGATION_PREFIX = '0xef0100'

/** A plain account has one key, so one thief of it gets the role. A contract can require several people. */
async function requireContract(chain: PublicClient, name: string, address: Address): Promise<void> {
  const code = await chain.getCode({ address })
  const isDelegated = code?.toLowerCase().startsWith(DELEGATION_PREFIX)
  if (code && !isDelegated) return
  const fault = isDelegated ? 'is a delegated account (EIP-7702), which has one key' : 'has no code'
  throw new Error(`${name} must be a contract wallet of several people, and ${address} ${fault}`)
}

/** Stores 1 with TSTORE, reads it with TLOAD, copies it with MCOPY and returns it. */
const OPCODE_PROBE = '0x60015f5d5f5c5f5260205f60205e60206020f3'

async function requireOpcodes(chain: PublicClient): Promise<void> {
  const answer = await chain.call({ data: OPCODE_PROBE }).catch(() => ({ data: undefined }))
  if (answer.data === undefined || BigInt(answer.data) !== 1n)
    throw new Error('the chain lacks opcodes that the vault needs: PUSH0, MCOPY, TLOAD and TSTORE (Cancun)')
}
