import { type BrowserContext, test as base } from '@playwright/test'
import { giveCoins } from './chain.ts'
import {
  backdateLastActivity,
  disableAccount,
  type Member,
  registerMember,
  storeSession,
  storeWallet,
} from './member.ts'
import { moneyRequests } from './money-requests.ts'
import type { ScreenFixtures } from './screens.ts'
import { type BrowserStack, readPublishedStack } from './stack.ts'
import { registerMemberWithBalance } from './transfer.ts'
import { installWallets, MemberWallet } from './wallet.ts'

type WalletOptions = ConstructorParameters<typeof MemberWallet>[1]

/** Collects the text of every element that matches the selector, as soon as it is in a page. */
async function collectTexts(context: BrowserContext, binding: string, selector: string): Promise<string[]> {
  const said: string[] = []
  await context.exposeBinding(binding, (_source, text: string) => void said.push(text))
  await context.addInitScript(
    ([binding, selector]) => {
      const told = new WeakSet<Element>()
      new MutationObserver(() => {
        for (const element of document.querySelectorAll(selector)) {
          if (told.has(element) || !element.textContent) continue
          told.add(element)
          const tell = window[binding as keyof Window] as (text: string) => void
          tell(element.textContent)
        }
      }).observe(document, { childList: true, subtree: true, characterData: true })
    },
    [binding, selector] as const,
  )
  return said
}

type Fixtures = {
  stack: BrowserStack
  /** Puts this wallet into the browser. Without options, a plain wallet with a new account. */
  giveWallet: (options?: WalletOptions) => Promise<MemberWallet>
  giveWallets: (options: readonly WalletOptions[]) => Promise<MemberWallet[]>
  /** Signs a registered member in, in this browser. */
  enter: (member: Member) => Promise<void>
  /** The same for a new member, with the wallet of its sign-in and coins in it. */
  enterWith: (coins: Parameters<typeof giveCoins>[2]) => Promise<{ member: Member; wallet: MemberWallet }>
  /** The same, with a fund password and a balance that exists only in the ledger. */
  enterHolding: (coins?: Parameters<typeof registerMemberWithBalance>[2]) => Promise<Member>
  register: (options?: Parameters<typeof registerMember>[1]) => Promise<Member>
  disable: (member: Member, why?: string) => Promise<void>
  leaveIdle: (member: Member, minutes: number) => Promise<void>
  /** Everything that opens a screen. */
  tools: ScreenFixtures
  /** The texts of all toasts. A toast lasts two seconds, and a busy machine may look for it too late. */
  toasts: string[]
  /** The same for the messages at the top of a view. A message lasts three seconds. */
  messages: string[]
  /** Page errors that the test provokes on purpose. All others fail the test. */
  expectedErrors: RegExp[]
  watchForErrors: undefined
}

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from its pattern
  stack: ({}, use) => use(readPublishedStack()),
  baseURL: ({ stack }, use) => use(stack.origin),
  context: async ({ context }, use) => {
    await use(context)
    // The page may ask for something while the test ends. Then the end would fail a handler that waits for the answer,
    // and Playwright counts that as an error outside of every test.
    for (const routed of [context, ...context.pages()]) await routed.unrouteAll({ behavior: 'ignoreErrors' })
  },

  giveWallets: async ({ context, stack }, use) => {
    const given: MemberWallet[] = []
    await use(async (options) => {
      const wallets = options.map((option) => new MemberWallet(stack.chain, option))
      given.push(...wallets)
      await installWallets(context, wallets)
      return wallets
    })
    // In every test, a wallet is asked only for exact amounts for the vault.
    for (const wallet of given) moneyRequests(stack, wallet)
  },
  giveWallet: ({ giveWallets }, use) =>
    use(async (options) => {
      const [wallet] = await giveWallets([options])
      if (!wallet) throw new Error('There is no wallet')
      return wallet
    }),
  register: ({ stack }, use) => use((options) => registerMember(stack, options)),
  enter: ({ page }, use) => use((member) => storeSession(page, member)),
  enterHolding: ({ stack, register, enter }, use) =>
    use(async (coins) => {
      const member = await registerMemberWithBalance(stack, register, coins)
      await enter(member)
      return member
    }),
  enterWith: ({ page, stack, register, enter, giveWallet }, use) =>
    use(async (coins) => {
      const member = await register()
      const wallet = await giveWallet({ account: member.account })
      await giveCoins(stack, wallet.address, coins)
      await enter(member)
      await storeWallet(page, wallet)
      return { member, wallet }
    }),
  disable: ({ stack }, use) => use((member, why) => disableAccount(stack, member, why)),
  leaveIdle: ({ stack }, use) => use((member, minutes) => backdateLastActivity(stack, member, minutes)),

  tools: ({ page, context, stack, giveWallet, giveWallets, register, enter, enterWith, disable }, use) =>
    use({ page, context, stack, giveWallet, giveWallets, register, enter, enterWith, disable }),

  toasts: async ({ context }, use) =>
    use(await collectTexts(context, 'tellToast', '[role=region][aria-live] [data-type] h2')),
  messages: async ({ context }, use) => use(await collectTexts(context, 'tellMessage', '[role=status] > p[data-tone]')),

  // biome-ignore lint/correctness/noEmptyPattern: as above
  expectedErrors: ({}, use) => use([]),
  watchForErrors: [
    async ({ context, expectedErrors }, use) => {
      const errors: string[] = []
      await context.exposeBinding('tellViolation', (_source, violation: string) => void errors.push(violation))
      await context.addInitScript(() => {
        document.addEventListener('securitypolicyviolation', (event) => {
          const { effectiveDirective, blockedURI, sourceFile, lineNumber } = event
          const tell = window.tellViolation as (violation: string) => void
          tell(`security policy: ${effectiveDirective} ${blockedURI} at ${sourceFile}:${lineNumber}`)
        })
      })
      // A file that cannot be parsed has an error with an empty stack.
      context.on('weberror', (error) => errors.push(`uncaught: ${error.error().stack || error.error().message}`))
      await use(undefined)
      const surprising = errors.filter((error) => !expectedErrors.some((expected) => expected.test(error)))
      expect(surprising, 'errors in the page').toEqual([])
    },
    { auto: true },
  ],
})

export const expect = test.expect
