import { makeFinal } from '../browser/chain.ts'
import type { BrowserStack } from '../browser/stack.ts'
import { FUND_PASSWORD } from '../browser/transfer.ts'
import type { EnginePage } from './engine.ts'
import { fill, press, waitForHeading, waitForHome, waitForPage, waitForText, waitForWord } from './page-actions.ts'

type Check = {
  readonly name: string
  run(page: EnginePage, stack: BrowserStack): Promise<void>
}

const WALLET_BUTTON = 'Continue with Plain Wallet'

/** Every page of a member that opens by its address alone. */
const memberPages = [
  '/home',
  '/wallet',
  '/wallet/detail?symbol=USDT',
  '/wallet/statement',
  '/promotion',
  '/promotion/reward',
  '/pledge',
  '/pledge/detail',
  '/teams',
  '/teams/maps',
  '/setting',
  '/setting/transfer',
  '/setting/subscribe',
  '/setting/dao',
  '/setting/notice',
  '/setting/help',
  '/share',
]

const signIn: Check = {
  name: 'sign-in',
  async run(page, { origin }) {
    await page.run(() => localStorage.clear(), null)
    await page.open(`${origin}/login`)
    await waitForHeading(page)
    await press(page, WALLET_BUTTON)
    await waitForHome(page)
  },
}

/** What CI checks in every engine: the app starts, speaks with a wallet and the server, and stores the session. */
export const smokeChecks: readonly Check[] = [
  {
    name: 'registration',
    async run(page, { origin, rootCode }) {
      await page.open(`${origin}/regist?invite=${rootCode}`)
      await waitForHeading(page)
      await press(page, WALLET_BUTTON)
      await press(page, 'Confirm and sign')
      await press(page, 'Choose a fund password')
      await fill(page, 'Fund password', FUND_PASSWORD)
      await press(page, 'Choose a fund password')
      await waitForHome(page)
    },
  },
  {
    name: 'deposit',
    async run(page, stack) {
      await page.open(`${stack.origin}/wallet/detail?symbol=USDT`)
      await press(page, 'Deposit')
      await waitForText(page, 'In your wallet:')
      await fill(page, 'Amount', '150')
      await press(page, 'Deposit 150')
      // Another engine may have made the block final already.
      await waitForWord(page, 'In a block', 'Confirming', 'Credited')
      await makeFinal(stack)
      await waitForWord(page, 'Credited')
      await press(page, 'View in asset log')
      await waitForText(page, 'Transfer in')
    },
  },
]

/** The member's life, in this order: a later check depends on the earlier ones. */
export const checks: readonly Check[] = [
  ...smokeChecks,
  {
    name: 'promotion',
    async run(page, stack) {
      await page.open(`${stack.origin}/promotion`)
      await press(page, 'Promote to L1')
      await fill(page, 'From your balance', '40')
      await waitForText(page, 'What happens next')
      await fill(page, 'Fund password', FUND_PASSWORD)
      await press(page, 'Order and pay 60')
      await waitForWord(page, 'In a block', 'Confirming')
      await makeFinal(stack)
      await waitForText(page, 'You are now L1')
      await press(page, 'Done')
    },
  },
  {
    name: 'pledge',
    async run(page, { origin }) {
      await page.open(`${origin}/pledge`)
      await fill(page, 'Quantity', '12000')
      await press(page, 'Preview')
      await fill(page, 'Fund password', FUND_PASSWORD)
      await press(page, 'Pay ')
      await waitForText(page, 'Pledged')
    },
  },
  {
    name: 'transfer',
    async run(page, stack) {
      await page.open(`${stack.origin}/setting/transfer?symbol=USDT`)
      await waitForText(page, 'Available:')
      await fill(page, 'Amount that arrives', '25')
      await press(page, 'Transfer 25')
      await fill(page, 'Fund password', FUND_PASSWORD)
      await press(page, 'Transfer 25')
      // The names of all steps are on the page from the beginning. This text appears with the block.
      await waitForText(page, 'usually final in about a minute')
      await makeFinal(stack)
      await waitForText(page, 'arrived in full')
    },
  },
  signIn,
  ...memberPages.map((path) => ({
    name: `page${path.replace(/\?.*/, '').replaceAll('/', '-')}`,
    async run(page: EnginePage, { origin }: BrowserStack) {
      await page.open(`${origin}${path}`)
      await waitForPage(page, new URL(path, origin).pathname)
    },
  })),
]
