import { poolVaultAbi } from '@lode/contracts'
import { announcedCalls, exampleAddress, exampleTxid } from '@lode/contracts/dev/announced-calls'
import { developmentKeys } from '@lode/contracts/dev/deploy'
import { type AnnouncementKind, announcementKinds } from '@lode/wire'
import type { Locator, Page } from '@playwright/test'
import { createWalletClient, encodeFunctionData, type Hex, http, keccak256 } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { makeFinal } from '../browser/chain.ts'
import { expect, test } from '../browser/own-stack.ts'
import type { BrowserStack } from '../browser/stack.ts'

// Uses its own stack, because every member of the pool sees an announcement.
test.use({ onlyFor: 'vault-announcements' })
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))

/** The title of each kind, and words from its text and its arguments. */
const shownTexts: Readonly<Record<AnnouncementKind, readonly [title: string, ...words: string[]]>> = {
  setColdStorage: ['Change the cold address', 'It would be replaced', exampleAddress],
  moveToCold: ['Move money to cold storage', 'would leave the vault', '1,234.5 USDT', exampleAddress],
  moveTo: ['Move to another vault', 'takes and pays nothing any more', 'BTN', exampleAddress],
  rescue: ['Return a foreign token', 'came to the vault by mistake', '77', exampleAddress],
  setPayoutCap: ['Change a payout cap', 'in any 24 hours', '21.5 BTC'],
  setBurnCap: ['Change the burn cap', 'can be burned', '6,000,000 BTN'],
  setPayoutGas: ['Change the gas of a payout', 'No money moves', '200,000'],
  grantAdministrator: ['Hand over the administration', 'the only administrator', exampleAddress],
  grantGuardian: ['Name a guardian', 'could pause the vault', exampleAddress],
  grantPayer: ['Name a payer', 'up to the caps', exampleAddress],
  grantFunder: ['Name a funder', 'cannot take anything out', exampleAddress],
  revokeGuardian: ['Dismiss a guardian', 'could no longer pause', exampleAddress],
  reinstateEvidence: ['Allow a Bitcoin output again', 'could be named once more', exampleTxid],
  other: ['Unknown call', 'has no effect', '0x0badcafe'],
}

/** Sends calls to the vault, one after the other, and makes them final. */
async function callVault(
  stack: BrowserStack,
  from: 'administrator' | 'guardian',
  calls: readonly Hex[],
): Promise<void> {
  const client = createWalletClient({
    account: privateKeyToAccount(developmentKeys()[from]),
    transport: http(stack.chain.rpcUrl),
  })
  for (const data of calls)
    await client.sendTransaction({ to: stack.contracts.vault, data, chain: null, gas: 200_000n })
  await makeFinal(stack)
}

const announceData = (call: Hex): Hex =>
  encodeFunctionData({ abi: poolVaultAbi, functionName: 'announce', args: [call] })

const card = (page: Page, title: string): Locator =>
  page.locator('main:visible section').filter({ has: page.getByRole('heading', { name: title, exact: true }) })

test('each kind of announcement raises the alarm, is named on /home and is explained on /setting/dao', async ({
  page,
  stack,
  register,
  enter,
}) => {
  const calls = announcedCalls(stack.contracts)
  await callVault(
    stack,
    'administrator',
    announcementKinds.map((kind) => announceData(calls[kind])),
  )
  const withdraw = { abi: poolVaultAbi, functionName: 'withdrawAnnouncement', args: [keccak256(calls.other)] } as const
  await callVault(stack, 'guardian', [encodeFunctionData(withdraw)])

  const openKinds = announcementKinds.filter((kind) => kind !== 'other')
  await expect(async () => {
    const metrics = await (await fetch(`${stack.workerUrl}/metrics`)).text()
    const raised = metrics.matchAll(/^lode_vault_announcements_open\{.*kind="(\w+)".*\} 1$/gm)
    expect(Array.from(raised, ([, kind]) => String(kind)).sort()).toEqual([...openKinds].sort())
  }).toPass({ timeout: 20_000 })

  await enter(await register())
  await page.goto('/home')
  await page.getByRole('link', { name: `The vault’s administrator announced ${openKinds.length} changes` }).click()
  await expect(page).toHaveURL('/setting/dao?show=vault')
  for (const kind of announcementKinds) {
    const [title, ...words] = shownTexts[kind]
    for (const part of words) await expect.soft(card(page, title), kind).toContainText(part)
    const times = kind === 'other' ? ['Withdrawn', 'Ended'] : ['Announced', 'Can happen from']
    for (const part of times) await expect.soft(card(page, title), kind).toContainText(part)
  }
  await expect(page.getByRole('heading', { name: 'Earlier announcements' })).toBeVisible()
})
