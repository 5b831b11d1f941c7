import { readPublishedStack, startBrowserStack } from '../browser/stack.ts'
import { test as base } from '../browser/test.ts'
import type { WalletAccount } from '../browser/wallet.ts'
import { startRelay } from './relay.ts'
import { PROJECT_ID, startRemoteWallet } from './remote-wallet.ts'

type Relay = Awaited<ReturnType<typeof startRelay>>
export type RemoteWallet = Awaited<ReturnType<typeof startRemoteWallet>>

type Fixtures = {
  readonly relay: Relay
  /** Starts a wallet on another device. */
  readonly takeWallet: (account: WalletAccount) => Promise<RemoteWallet>
}

/** A stack that offers WalletConnect, over a relay inside the test. */
export const test = base.extend<
  Fixtures,
  { offering: { stack: Awaited<ReturnType<typeof startBrowserStack>>['stack']; relay: Relay } }
>({
  offering: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from its pattern
    async ({}, use) => {
      const relay = await startRelay()
      const { webRoot, template } = readPublishedStack()
      if (template === null) throw new Error('A cluster offers no WalletConnect')
      const environment = { WALLETCONNECT_PROJECT_ID: PROJECT_ID, WALLETCONNECT_RELAY_URL: relay.url }
      const { stack, stop } = await startBrowserStack(webRoot, template, { environment })
      await use({ stack, relay })
      await stop()
      await relay.close()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  stack: ({ offering }, use) => use(offering.stack),
  relay: ({ offering }, use) => use(offering.relay),
  takeWallet: async ({ stack, relay }, use) => {
    const taken: RemoteWallet[] = []
    await use(async (account) => {
      const remote = await startRemoteWallet(stack, relay.url, account)
      taken.push(remote)
      return remote
    })
    for (const remote of taken) await remote.close()
  },
})

export { expect } from '../browser/test.ts'
