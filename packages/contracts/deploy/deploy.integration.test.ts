import {
  concat,
  createPublicClient,
  createTestClient,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  http,
  parseEther,
} from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import {
  contractWalletAbi,
  contractWalletBytecode,
  devUsdtAbi,
  devUsdtBytecode,
  devWrappedBtcAbi,
  devWrappedBtcBytecode,
} from '../generated/dev/index.ts'
import { btnTokenAbi, poolVaultAbi } from '../generated/index.ts'
import { deploy } from './deploy.ts'
import { deriveAddresses, randomKeys } from './development.ts'
import { openPipeline } from './pipeline.ts'
import { acceptanceText, type DeploymentTerms, roleNames } from './terms-file.ts'
import { verify } from './verify.ts'

const { rpcUrl } = inject('stack')
const chain = createPublicClient({ transport: http(rpcUrl) })
const deployerKey = generatePrivateKey()
const keys = randomKeys()
/** The administrator and the holder of BTN are contract wallets, which the administrator's key owns. */
const owner: PrivateKeyAccount = privateKeyToAccount(keys.administrator)
const roles = deriveAddresses(keys)
/** A plain account whose owner delegated it to a contract wallet (EIP-7702). Its one key can take that back. */
const delegated = privateKeyToAccount(generatePrivateKey()).address
let terms: DeploymentTerms
let chainId: number

beforeAll(async () => {
  const account = privateKeyToAccount(deployerKey)
  const anvil = createTestClient({ mode: 'anvil', transport: http(rpcUrl) })
  for (const { address } of [account, owner]) await anvil.setBalance({ address, value: parseEther('10') })
  const pipeline = await openPipeline(rpcUrl, account)
  const usdt = await pipeline.deploy('USDT', encodeDeployData({ abi: devUsdtAbi, bytecode: devUsdtBytecode }))
  const btc = await pipeline.deploy('BTC', encodeDeployData({ abi: devWrappedBtcAbi, bytecode: devWrappedBtcBytecode }))
  const wallet = encodeDeployData({ abi: contractWalletAbi, bytecode: contractWalletBytecode, args: [owner.address] })
  roles.administrator = await pipeline.deploy('administrator', wallet)
  const btnHolder = await pipeline.deploy('holder of BTN', wallet)
  await pipeline.settle()
  await anvil.setCode({ address: delegated, bytecode: concat(['0xef0100', btnHolder]) })
  chainId = await chain.getChainId()
  const acceptances = await signAcceptances()
  terms = {
    usdt,
    btc,
    roles,
    btnHolder,
    acceptances,
    caps: { usdt: '500000', btn: '50000000', btc: '20', burn: '5000000' },
  }
})

/** The signatures of all accounts for a vault that follows the given one, or none. */
async function signAcceptances(predecessor?: Hex): Promise<DeploymentTerms['acceptances']> {
  const deployer = privateKeyToAccount(deployerKey).address
  const signatures = roleNames.map(async (role) => {
    const message = acceptanceText(role, { deployer, chainId, predecessor })
    return [role, await privateKeyToAccount(keys[role]).signMessage({ message })] as const
  })
  return Object.fromEntries(await Promise.all(signatures)) as DeploymentTerms['acceptances']
}

describe('a deployment to a chain that already has USDT and BTC', () => {
  test('leaves the deployer no rights and no tokens, and returns the server’s settings', async () => {
    const told = await deploy(rpcUrl, deployerKey, terms)
    expect(told).toMatchObject({ USDT_DECIMALS: '6', BTC_DECIMALS: '8', BTN_DECIMALS: '18' })

    const vault = { address: told.VAULT_ADDRESS as Hex, abi: poolVaultAbi } as const
    expect(await chain.readContract({ ...vault, functionName: 'administrator' })).toBe(roles.administrator)
    expect(await chain.readContract({ ...vault, functionName: 'quoteSigner' })).toBe(roles.quoteSigner)
    const btn = { address: told.BTN_ADDRESS as Hex, abi: btnTokenAbi } as const
    const holders = [terms.btnHolder as Hex, roles.funder, privateKeyToAccount(deployerKey).address] as const
    const balances = await Promise.all(
      holders.map((holder) => chain.readContract({ ...btn, functionName: 'balanceOf', args: [holder] })),
    )
    expect(balances).toEqual([1_000_000_000n * 10n ** 18n, 0n, 0n])
    const before = { ...btn, blockNumber: BigInt(told.VAULT_FIRST_BLOCK ?? 0) - 1n }
    await expect(chain.readContract({ ...before, functionName: 'totalSupply' })).rejects.toThrow()
  })

  test.each<[string, () => Partial<DeploymentTerms>, string]>([
    ['a key in two places', () => ({ roles: { ...roles, guardian: roles.payer } }), 'another role already'],
    ['a token that is not there', () => ({ usdt: roles.guardian }), 'no token on this chain'],
    ['a cap of nothing', () => ({ caps: { ...terms.caps, usdt: '0' } }), 'nobody could ever be paid'],
    [
      'an address with a typing error',
      () => ({ btc: '0xAb5801a7D398351b8bE11C439e05C5B3259aeC9b'.replace('A', 'a') }),
      'address',
    ],
    ['an administrator without code', () => ({ roles: { ...roles, administrator: owner.address } }), 'has no code'],
    ['a holder of BTN without code', () => ({ btnHolder: owner.address }), 'has no code'],
    [
      'an administrator that is a delegated account',
      () => ({ roles: { ...roles, administrator: delegated } }),
      'is a delegated account',
    ],
    ['a holder of BTN that is a delegated account', () => ({ btnHolder: delegated }), 'has one key'],
    [
      'a role that its account did not accept',
      () => ({ acceptances: { ...terms.acceptances, payer: terms.acceptances.funder } }),
      'acceptances.payer must be the signature',
    ],
  ])('refuses %s before anything is sent', async (_what, change, why) => {
    const { address } = privateKeyToAccount(deployerKey)
    const before = await chain.getTransactionCount({ address, blockTag: 'pending' })
    await expect(deploy(rpcUrl, deployerKey, { ...terms, ...change() })).rejects.toThrow(why)
    expect(await chain.getTransactionCount({ address, blockTag: 'pending' })).toBe(before)
  })
})

describe('a deployed vault', () => {
  test('is compared with its terms: code, roles, keys and caps', async () => {
    const told = await deploy(rpcUrl, deployerKey, terms)
    const address = told.VAULT_ADDRESS as Hex
    const vault = { address, firstBlock: BigInt(told.VAULT_FIRST_BLOCK ?? 0) }
    expect(await verify(rpcUrl, terms, vault)).toEqual([])

    const swapped = { ...roles, payer: roles.funder, funder: roles.payer }
    expect(await verify(rpcUrl, { ...terms, roles: swapped }, vault)).toEqual([
      `${roles.funder} is no payer`,
      `${roles.payer} is a payer`,
      `${roles.payer} is no funder`,
      `${roles.funder} is a funder`,
    ])
    const caps = { ...terms.caps, usdt: '500001' }
    expect(await verify(rpcUrl, { ...terms, caps }, vault)).toEqual([
      'the cap of USDT is 500000000000, not 500001000000',
    ])
    expect(await verify(rpcUrl, { ...terms, btc: told.BTN_ADDRESS ?? '' }, vault)).toContain(
      'the code is not the one of this repository with these terms',
    )

    const data = encodeFunctionData({ abi: poolVaultAbi, functionName: 'setQuoteSigner', args: [owner.address] })
    const pipeline = await openPipeline(rpcUrl, owner)
    const execute = { abi: contractWalletAbi, functionName: 'execute', args: [address, 0n, data] } as const
    await pipeline.call('another quote key', roles.administrator, encodeFunctionData(execute))
    await pipeline.settle()
    expect(await verify(rpcUrl, terms, vault)).toEqual([`the quote key is ${owner.address}, not ${roles.quoteSigner}`])
  })

  test('can follow another one, with the same BTN', async () => {
    const first = await deploy(rpcUrl, deployerKey, terms)
    const predecessor = first.VAULT_ADDRESS as Hex
    const acceptances = await signAcceptances(predecessor)
    const next = await deploy(rpcUrl, deployerKey, { ...terms, predecessor, acceptances })
    expect(next.BTN_ADDRESS).toBe(first.BTN_ADDRESS)
    const vault = { address: next.VAULT_ADDRESS as Hex, firstBlock: BigInt(next.VAULT_FIRST_BLOCK ?? 0) }
    expect(await verify(rpcUrl, { ...terms, predecessor }, vault)).toEqual([])
    expect(await verify(rpcUrl, terms, vault)).toEqual(['the code is not the one of this repository with these terms'])
  })

  test('needs acceptances of its own: those for another predecessor, or for none, are refused', async () => {
    const first = await deploy(rpcUrl, deployerKey, terms)
    const another = await deploy(rpcUrl, deployerKey, terms)
    const predecessor = another.VAULT_ADDRESS as Hex
    for (const acceptances of [terms.acceptances, await signAcceptances(first.VAULT_ADDRESS as Hex)])
      await expect(deploy(rpcUrl, deployerKey, { ...terms, predecessor, acceptances })).rejects.toThrow(
        `acceptances.administrator must be the signature of ${roles.administrator}`,
      )
    const acceptances = await signAcceptances(predecessor)
    await expect(deploy(rpcUrl, deployerKey, { ...terms, acceptances })).rejects.toThrow('Predecessor: none.')
  })
})
