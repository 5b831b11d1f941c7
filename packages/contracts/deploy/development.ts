import {
  type Address,
  bytesToHex,
  createPublicClient,
  createTestClient,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  http,
  parseEther,
  parseUnits,
} from 'viem'
import { generatePrivateKey, mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import {
  contractWalletFactoryAbi,
  contractWalletFactoryBytecode,
  devAggregatorAbi,
  devAggregatorBytecode,
  devUsdtAbi,
  devUsdtBytecode,
  devWrappedBtcAbi,
  devWrappedBtcBytecode,
} from '../generated/dev/index.ts'
import { btnTokenAbi, poolVaultAbi } from '../generated/index.ts'
import { reserveKinds } from '../terms.ts'
import { openPipeline } from './pipeline.ts'
import { deployPool, type PoolCaps, vaultCreation } from './pool.ts'

export { roleNames } from './terms-file.ts'

const keyNames = [
  'administrator',
  'guardian',
  'payer',
  'funder',
  'quoteSigner',
  'coldStorage',
  'secondGuardian',
] as const

/** The pool's private keys. */
export type PoolKeys = Readonly<Record<(typeof keyNames)[number], Hex>>

export type DevelopmentContracts = {
  readonly chainId: number
  /** The first block with a transaction of the pool. A watcher starts here. */
  readonly firstBlock: bigint
  readonly vault: Address
  readonly usdt: Address
  readonly btn: Address
  readonly btc: Address
  readonly btcPriceFeed: Address
  readonly btnPriceFeed: Address
  /** For contract wallets at addresses known beforehand (EIP-6492). */
  readonly walletFactory: Address
}

type DevelopmentOptions = {
  readonly rpcUrl: string
  /** By default those of `developmentKeys`. Two deployments to one chain at a time need keys of their own. */
  readonly keys?: PoolKeys
  /** Each gets ether, and `memberBalances` of each token to pay and deposit with. */
  readonly members?: readonly Address[]
}

/** In whole tokens, as a terms file has them. */
const capsInTokens = { usdt: '500000', btn: '50000000', btc: '20', burn: '5000000' } as const

const caps: PoolCaps = {
  usdt: parseUnits(capsInTokens.usdt, 6),
  btn: parseUnits(capsInTokens.btn, 18),
  btc: parseUnits(capsInTokens.btc, 8),
  burn: parseUnits(capsInTokens.burn, 18),
}

/** What a member of the development chain starts with. */
export const memberBalances = {
  usdt: parseUnits('100000', 6),
  btn: parseUnits('1000000', 18),
  btc: parseUnits('10', 8),
}

/** How the issue of BTN is shared over the reserves. The members' part is taken from the liquidity's. */
const reservePercent = { airdrop: 30n, promotion: 20n, liquidity: 25n, mining: 25n } as const

const issuance = parseUnits('1000000000', 18)
const funderBtc = parseUnits('1000', 8)

/**
 * Everything that a development chain needs: the tokens and price feeds that a real one has already, the pool's own two
 * contracts, money for the members, and the reserves filled. Needs anvil, which can give ether to any account.
 */
export async function deployDevelopment({
  rpcUrl,
  keys = developmentKeys(),
  members = [],
}: DevelopmentOptions): Promise<DevelopmentContracts> {
  const chain = createPublicClient({ transport: http(rpcUrl) })
  const chainId = await chain.getChainId()
  const roles = deriveAddresses(keys)
  await giveEther(rpcUrl, [...Object.values(roles), ...members])

  const operator = await openPipeline(rpcUrl, privateKeyToAccount(keys.administrator))
  const usdt = await operator.deploy('DevUsdt', encodeDeployData({ abi: devUsdtAbi, bytecode: devUsdtBytecode }))
  const btc = await operator.deploy(
    'DevWrappedBtc',
    encodeDeployData({ abi: devWrappedBtcAbi, bytecode: devWrappedBtcBytecode }),
  )
  const { btn, vault } = await deployPool(operator, { usdt, btc, roles, caps, btnHolder: roles.funder })
  const priceFeed = (description: string, price: string) =>
    operator.deploy(
      description,
      encodeDeployData({
        abi: devAggregatorAbi,
        bytecode: devAggregatorBytecode,
        args: [description, 8, parseUnits(price, 8)],
      }),
    )
  const btcPriceFeed = await priceFeed('BTC / USDT', '60000')
  const btnPriceFeed = await priceFeed('BTN / USDT', '0.002')
  const walletFactory = await operator.deploy(
    'ContractWalletFactory',
    encodeDeployData({ abi: contractWalletFactoryAbi, bytecode: contractWalletFactoryBytecode }),
  )
  const mint = (to: Address, amount: bigint) =>
    encodeFunctionData({ abi: devWrappedBtcAbi, functionName: 'mint', args: [to, amount] })
  await operator.call('BTC for the funder', btc, mint(roles.funder, funderBtc))
  for (const member of members) {
    await operator.call('USDT for a member', usdt, mint(member, memberBalances.usdt))
    await operator.call('BTC for a member', btc, mint(member, memberBalances.btc))
  }
  const firstBlock = await operator.settle()

  const funder = await openPipeline(rpcUrl, privateKeyToAccount(keys.funder))
  const onBtn = (functionName: 'transfer' | 'approve', to: Address, amount: bigint) =>
    funder.call(`BTN ${functionName}`, btn, encodeFunctionData({ abi: btnTokenAbi, functionName, args: [to, amount] }))
  const given = memberBalances.btn * BigInt(members.length)
  for (const member of members) await onBtn('transfer', member, memberBalances.btn)
  await onBtn('approve', vault, issuance - given)
  for (const [kind, name] of reserveKinds.entries()) {
    const amount = (issuance * reservePercent[name]) / 100n - (name === 'liquidity' ? given : 0n)
    await funder.call(
      `${name} reserve`,
      vault,
      encodeFunctionData({ abi: poolVaultAbi, functionName: 'fundReserve', args: [kind, amount] }),
    )
  }
  await funder.settle()

  return { chainId, firstBlock, vault, usdt, btn, btc, btcPriceFeed, btnPriceFeed, walletFactory }
}

type NextVaultOptions = {
  readonly keys?: PoolKeys
  /** By default the pool's present vault. */
  readonly predecessor?: Address
}

/** The creation of a vault that follows the present one, and the terms file by which anybody can compare it. */
export function nextDevelopmentVault(
  { usdt, btn, btc, vault }: Pick<DevelopmentContracts, 'usdt' | 'btn' | 'btc' | 'vault'>,
  { keys = developmentKeys(), predecessor = vault }: NextVaultOptions = {},
): { readonly creation: Hex; readonly terms: Readonly<Record<string, unknown>> } {
  const roles = deriveAddresses(keys)
  return {
    creation: vaultCreation(btn, { usdt, btc, roles, caps, predecessor: { vault: predecessor, btn } }),
    terms: { ...developmentTerms({ usdt, btc }, keys), btnHolder: roles.administrator, predecessor },
  }
}

/** The terms file of the development vault, for commands that compare a vault with its terms. */
export function developmentTerms(
  { usdt, btc }: Pick<DevelopmentContracts, 'usdt' | 'btc'>,
  keys: PoolKeys = developmentKeys(),
): Readonly<Record<string, unknown>> {
  const roles = deriveAddresses(keys)
  return { usdt, btc, roles, caps: capsInTokens, btnHolder: roles.funder, acceptances: {} }
}

/** Publicly known keys: accounts 10 and up of anvil's mnemonic. Accounts 0 to 9 are for members. */
export function developmentKeys(): PoolKeys {
  return buildKeys((position) => {
    const account = mnemonicToAccount('test test test test test test test test test test test junk', {
      addressIndex: 10 + position,
    })
    const { privateKey } = account.getHdKey()
    if (!privateKey) throw new Error('A key derived from words has a private part')
    return bytesToHex(privateKey)
  })
}

/** For a test that shares its chain with others. */
export const randomKeys = (): PoolKeys => buildKeys(generatePrivateKey)

export function deriveAddresses(keys: PoolKeys): Record<keyof PoolKeys, Address> {
  return buildKeys((_, name) => privateKeyToAccount(keys[name]).address)
}

function buildKeys(make: (position: number, name: keyof PoolKeys) => Hex): Record<keyof PoolKeys, Hex> {
  const entries = keyNames.map((name, position) => [name, make(position, name)] as const)
  return Object.fromEntries(entries) as Record<keyof PoolKeys, Hex>
}

async function giveEther(rpcUrl: string, accounts: readonly Address[]): Promise<void> {
  const anvil = createTestClient({ mode: 'anvil', transport: http(rpcUrl) })
  const chain = createPublicClient({ transport: http(rpcUrl) })
  for (const address of accounts) {
    if ((await chain.getBalance({ address })) < parseEther('1')) {
      await anvil.setBalance({ address, value: parseEther('1000') })
    }
  }
}

if (import.meta.main) {
  const [rpcUrl, ...members] = process.argv.slice(2) as [string, ...Address[]]
  const contracts = await deployDevelopment({ rpcUrl, members })
  console.log(JSON.stringify({ ...contracts, firstBlock: Number(contracts.firstBlock) }, null, 2))
}
