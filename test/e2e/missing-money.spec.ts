import { developmentKeys } from '@lode/contracts/dev/deploy'
import type { Page } from '@playwright/test'
import {
  createWalletClient,
  encodeAbiParameters,
  erc20Abi,
  getAddress,
  http,
  keccak256,
  numberToHex,
  pad,
  parseUnits,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { expectInEveryLanguage } from '../browser/appearance.ts'
import { callNode, giveCoins, LONG_TIMEOUT, makeFinal, readBalance } from '../browser/chain.ts'
import { moveClock } from '../browser/clock.ts'
import { operatorsOf } from '../browser/operators.ts'
import { expect, test } from '../browser/own-stack.ts'
import type { BrowserStack } from '../browser/stack.ts'
import { makeTransfer, registerDepositor, transferPage } from '../browser/transfer.ts'

// Uses its own stack, because what is missing is missing for every member of the pool.
test.use({ onlyFor: 'missing-money', serverVariables: { CHAIN_BELIEVED_AFTER_MS: '500' } })
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))

const DAY_SECONDS = 86_400
/** Where DevUsdt stores its balances. */
const USDT_BALANCES_SLOT = 1n

/** Lowers the vault's balance without a log, as a token whose owner takes money would. */
async function takeFromVault(stack: BrowserStack, amount: bigint): Promise<void> {
  const { vault, usdt } = stack.contracts
  const held = await readBalance(stack, 'USDT', vault)
  const key = encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [vault, USDT_BALANCES_SLOT])
  const value = pad(numberToHex(held - amount), { size: 32 })
  await callNode(stack, 'anvil_setStorageAt', [usdt, keccak256(key), value])
  expect(await readBalance(stack, 'USDT', vault)).toBe(held - amount)
  await makeFinal(stack)
}

async function replaceByFunder(stack: BrowserStack, amount: string): Promise<void> {
  const account = privateKeyToAccount(developmentKeys().funder)
  await giveCoins(stack, account.address, { USDT: amount })
  const chain = { ...foundry, id: stack.chain.chainId }
  const client = createWalletClient({ account, chain, transport: http(stack.chain.rpcUrl) })
  const args = [stack.contracts.vault, parseUnits(amount, 6)] as const
  await client.writeContract({ address: stack.contracts.usdt, abi: erc20Abi, functionName: 'transfer', args })
  await makeFinal(stack)
}

const MISSING_ON_HOME = { en: '30.00 USDT is missing', zh_tw: '缺少 30.00 USDT', zh_cn: '缺少 30.00 USDT' }

async function expectMissingOnScreens(page: Page): Promise<void> {
  await page.goto('/home')
  await expectInEveryLanguage(page, MISSING_ON_HOME)
  await page.goto('/setting/dao?show=payments')
  await expect(page.getByText('30.00 USDT is missing: it left without a payout')).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'the token took it' })).toContainText('30.00')
}

test('what left the vault is missing on every screen; its payouts wait until a funder replaces it, and others go on', async ({
  page,
  stack,
  register,
  enter,
}) => {
  const operators = operatorsOf(stack)
  const decideBoth = async (...args: string[]) => {
    for (const name of ['ada', 'bo'] as const) await operators.decide(name, ...args)
  }
  const supplier = getAddress(privateKeyToAddress(generatePrivateKey()))
  await decideBoth('treasury', 'address', supplier, 'a supplier')
  await moveClock(stack, 3 * DAY_SECONDS)
  const member = await registerDepositor(stack, register, { USDT: '100', BTC: '0.01' })

  await takeFromVault(stack, parseUnits('30', 6))
  let command: string[] = []
  await expect(async () => {
    await makeFinal(stack)
    const listed = await operators.run('correct', 'list')
    command = /lode (correct write-off USDT 30 \S+) WHY/.exec(listed)?.[1]?.split(' ') ?? []
    expect(command).not.toEqual([])
  }).toPass(LONG_TIMEOUT)
  await decideBoth(...command, 'the token took it')
  await expect(async () => {
    expect(await operators.run('correct', 'list')).toContain('Missing:\n  30 USDT')
  }).toPass(LONG_TIMEOUT)

  const paying = operators.decide('ada', 'treasury', 'pay', 'pool:mining', '1', supplier, 'power')
  await expect(paying).rejects.toMatchObject({ stderr: expect.stringContaining('USDT is missing') })
  await enter(member)
  await expectMissingOnScreens(page)
  const id = await makeTransfer(page, 'USDT', '25')
  await expect(transferPage(page).step('Queued')).toContainText('Some of this currency is missing', LONG_TIMEOUT)
  await makeTransfer(page, 'BTC', '0.001')
  await expect(transferPage(page).state('Confirming')).toBeVisible(LONG_TIMEOUT)

  await replaceByFunder(stack, '30')
  await page.goto(`/setting/transfer?id=${id}`)
  await expect(async () => {
    await makeFinal(stack)
    const { state } = transferPage(page)
    await expect(state('Confirming').or(state('Arrived'))).toBeVisible()
  }).toPass(LONG_TIMEOUT)
  // The server computes the pool's figures only now and then.
  await expect(async () => {
    await page.goto('/home')
    await expect(page.getByText('matches the chain').first()).toBeVisible()
    await expect(page.getByText('is missing')).toHaveCount(0)
  }).toPass({ timeout: 90_000 })
})
