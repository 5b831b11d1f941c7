import { readFileSync } from 'node:fs'
import {
  type Address,
  domainSeparator,
  getAddress,
  getContractAddress,
  type Hex,
  isAddressEqual,
  keccak256,
  type PublicClient,
  stringToHex,
  zeroHash,
} from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { poolVaultAbi } from '../generated/index.ts'
import { quoteDomain } from '../terms.ts'
import { type PoolRoles, vaultCreation } from './pool.ts'
import { connect, type DeploymentTerms, type ParsedTerms, parseTerms } from './terms-file.ts'

/**
 * Compares a vault on the chain with the terms that it was deployed by, and returns each difference in words:
 *
 *     pnpm --filter @lode/contracts run verify RPC_URL TERMS.json VAULT_ADDRESS VAULT_FIRST_BLOCK
 *
 * Anybody can run it. It compares the code, who holds each role, the quote key, the cold address and the caps. The delays
 * are constants of the code.
 */
export async function verify(
  rpcUrl: string,
  terms: DeploymentTerms,
  { address, firstBlock }: { address: Address; firstBlock: bigint },
): Promise<string[]> {
  const chain = connect(rpcUrl)
  const parsed = await parseTerms(chain, terms)
  return [
    ...(await compareCode(chain, address, parsed)),
    ...(await compareRoles(chain, { address, firstBlock }, parsed.roles)),
    ...(await compareSettings(chain, address, parsed)),
  ]
}

/**
 * The code that this repository's vault has at that address. A node makes the vault in a call, without a transaction: that
 * fills in the immutables. Two of them follow from the vault's own address and are replaced.
 */
async function compareCode(chain: PublicClient, address: Address, terms: ParsedTerms): Promise<string[]> {
  const btn = await chain.readContract({ address, abi: poolVaultAbi, functionName: 'btn' }).catch(() => null)
  if (btn === null) return [`${address} is not a vault`]
  const account = privateKeyToAddress(generatePrivateKey())
  const trialCall = { account, data: vaultCreation(btn, terms) }
  // A node refuses terms that no vault can have; then the codes differ.
  const { data = '0x' } = await chain.call(trialCall).catch(() => ({ data: undefined }))
  const chainId = await chain.getChainId()
  const trial = getContractAddress({ from: account, nonce: 0n })
  const separatorOf = (vault: Address) => domainSeparator({ domain: quoteDomain(chainId, vault) })
  const wanted = data
    .replaceAll(trial.slice(2).toLowerCase(), address.slice(2).toLowerCase())
    .replaceAll(separatorOf(trial).slice(2), separatorOf(address).slice(2))
  return (await chain.getCode({ address })) === wanted
    ? []
    : ['the code is not the one of this repository with these terms']
}

const holders: readonly { role: Hex; name: string; of: readonly (keyof PoolRoles)[] }[] = [
  { role: zeroHash, name: 'administrator', of: ['administrator'] },
  { role: keccak256(stringToHex('GUARDIAN')), name: 'guardian', of: ['guardian', 'secondGuardian'] },
  { role: keccak256(stringToHex('PAYER')), name: 'payer', of: ['payer'] },
  { role: keccak256(stringToHex('FUNDER')), name: 'funder', of: ['funder'] },
]

/** Every account that ever got a role is looked at, so that a holder whom the terms do not name is found too. */
async function compareRoles(
  chain: PublicClient,
  { address, firstBlock }: { address: Address; firstBlock: bigint },
  roles: PoolRoles,
): Promise<string[]> {
  const vault = { address, abi: poolVaultAbi } as const
  const granted = await readGrants(chain, { address, firstBlock })
  const differences: string[] = []
  for (const { role, name, of } of holders) {
    const wanted = of.map((key) => roles[key])
    const known = granted.filter((grant) => grant.role === role).map(({ account }) => account)
    for (const account of new Set([...wanted, ...known].map((one) => getAddress(one)))) {
      const isWanted = wanted.some((one) => isAddressEqual(one, account))
      const has = await chain.readContract({ ...vault, functionName: 'hasRole', args: [role, account] })
      if (has !== isWanted) differences.push(`${account} is ${has ? 'a' : 'no'} ${name}`)
    }
  }
  return differences
}

/** The most blocks that are searched with one request. Providers refuse more than 1,000 to 10,000. */
const MAX_RANGE = 10_000n

/** Every grant of a role since the first block. If the node refuses a range of blocks, the range is halved. */
async function readGrants(
  chain: PublicClient,
  { address, firstBlock }: { address: Address; firstBlock: bigint },
): Promise<{ role: Hex; account: Address }[]> {
  const grants: { role: Hex; account: Address }[] = []
  const latest = await chain.getBlockNumber()
  let range = MAX_RANGE
  for (let from = firstBlock; from <= latest; ) {
    const to = from + range > latest ? latest : from + range - 1n
    try {
      const search = { address, abi: poolVaultAbi, eventName: 'RoleGranted', fromBlock: from, toBlock: to } as const
      for (const { args } of await chain.getContractEvents({ ...search, strict: true })) grants.push(args)
      from = to + 1n
    } catch (error) {
      if (to === from) throw error
      range = (to - from + 1n) / 2n
    }
  }
  return grants
}

async function compareSettings(chain: PublicClient, address: Address, terms: ParsedTerms): Promise<string[]> {
  const vault = { address, abi: poolVaultAbi } as const
  const btn = await chain.readContract({ ...vault, functionName: 'btn' })
  const capOf = async (token: Address) =>
    (await chain.readContract({ ...vault, functionName: 'payoutCap', args: [token] }))[0]
  const [burnCap] = await chain.readContract({ ...vault, functionName: 'burnCap' })
  const { roles, caps } = terms
  const pairs: readonly [string, unknown, unknown][] = [
    ['the quote key', await chain.readContract({ ...vault, functionName: 'quoteSigner' }), roles.quoteSigner],
    ['the cold address', await chain.readContract({ ...vault, functionName: 'coldStorage' }), roles.coldStorage],
    ['the cap of USDT', await capOf(terms.usdt), caps.usdt],
    ['the cap of BTN', await capOf(btn), caps.btn],
    ['the cap of BTC', await capOf(terms.btc), caps.btc],
    ['the cap of burns', burnCap, caps.burn],
  ]
  return pairs.filter(([, is, wanted]) => is !== wanted).map(([what, is, wanted]) => `${what} is ${is}, not ${wanted}`)
}

if (import.meta.main) {
  const [rpcUrl, file, vault, firstBlock] = process.argv.slice(2)
  if (!rpcUrl || !file || !vault || !firstBlock) {
    console.error('pnpm --filter @lode/contracts run verify RPC_URL TERMS.json VAULT_ADDRESS VAULT_FIRST_BLOCK')
    process.exit(1)
  }
  const terms = JSON.parse(readFileSync(file, 'utf8')) as DeploymentTerms
  const differences = await verify(rpcUrl, terms, { address: getAddress(vault), firstBlock: BigInt(firstBlock) })
  for (const difference of differences) console.error(difference)
  if (differences.length === 0) console.log('the vault is as its terms say')
  process.exit(differences.length > 0 ? 1 : 0)
}
