import { createPublicClient, createTestClient, encodeDeployData, type Hex, http, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { devUsdtAbi, devUsdtBytecode, devWrappedBtcAbi, devWrappedBtcBytecode } from '../generated/dev/index.ts'
import { btnTokenAbi, poolVaultAbi } from '../generated/index.ts'
import { type DeploymentTerms, deploy } from './deploy.ts'
import { deriveAddresses, randomKeys } from './development.ts'
import { openPipeline } from './pipeline.ts'

const { rpcUrl } = inject('stack')
const chain = createPublicClient({ transport: http(rpcUrl) })
const deployer = generatePrivateKey()
const roles = deriveAddresses(randomKeys())
let terms: DeploymentTerms

beforeAll(async () => {
  const account = privateKeyToAccount(deployer)
  const anvil = createTestClient({ mode: 'anvil', transport: http(rpcUrl) })
  await anvil.setBalance({ address: account.address, value: parseEther('10') })
  const tokens = await openPipeline(rpcUrl, account)
  const usdt = await tokens.deploy('USDT', encodeDeployData({ abi: devUsdtAbi, bytecode: devUsdtBytecode }))
  const btc = await tokens.deploy('BTC', encodeDeployData({ abi: devWrappedBtcAbi, bytecode: devWrappedBtcBytecode }))
  await tokens.settle()
  terms = { usdt, btc, roles, caps: { usdt: '500000', btn: '50000000', btc: '20', burn: '5000000' } }
})

describe('a deployment to a chain that already has USDT and BTC', () => {
  test('leaves the deployer no rights and no tokens, and returns the server’s settings', async () => {
    const told = await deploy(rpcUrl, deployer, terms)
    expect(told).toMatchObject({ USDT_DECIMALS: '6', BTC_DECIMALS: '8', BTN_DECIMALS: '18' })

    const vault = { address: told.VAULT_ADDRESS as Hex, abi: poolVaultAbi } as const
    expect(await chain.readContract({ ...vault, functionName: 'administrator' })).toBe(roles.administrator)
    expect(await chain.readContract({ ...vault, functionName: 'quoteSigner' })).toBe(roles.quoteSigner)
    const btn = { address: told.BTN_ADDRESS as Hex, abi: btnTokenAbi } as const
    const holders = [roles.funder, privateKeyToAccount(deployer).address] as const
    const [whole, none] = await Promise.all(
      holders.map((holder) => chain.readContract({ ...btn, functionName: 'balanceOf', args: [holder] })),
    )
    expect([whole, none]).toEqual([1_000_000_000n * 10n ** 18n, 0n])
    const before = { ...btn, blockNumber: BigInt(told.VAULT_FIRST_BLOCK ?? 0) - 1n }
    await expect(chain.readContract({ ...before, functionName: 'totalSupply' })).rejects.toThrow()
  })

  test.each([
    ['a key in two places', { roles: { ...roles, guardian: roles.payer } }, 'another role already'],
    ['a token that is not there', { usdt: roles.guardian }, 'no token on this chain'],
    ['a cap of nothing', { caps: { usdt: '0', btn: '1', btc: '1', burn: '1' } }, 'nobody could ever be paid'],
    [
      'an address with a typing error',
      { btc: '0xAb5801a7D398351b8bE11C439e05C5B3259aeC9b'.replace('A', 'a') },
      'address',
    ],
  ])('refuses %s before anything is sent', async (_what, change, why) => {
    const { address } = privateKeyToAccount(deployer)
    const before = await chain.getTransactionCount({ address, blockTag: 'pending' })
    await expect(deploy(rpcUrl, deployer, { ...terms, ...change })).rejects.toThrow(why)
    expect(await chain.getTransactionCount({ address, blockTag: 'pending' })).toBe(before)
  })
})
