import { openGate } from './node-gate.ts'
import { type BrowserStack, publishedStack, startBrowserStack } from './stack.ts'
import { test as base } from './test.ts'

type Gate = Awaited<ReturnType<typeof openGate>>
type Owned = { readonly stack: BrowserStack; readonly gate: Gate }

type Fixtures = {
  readonly owned: Owned
  /** A file that moves the clock or publishes a plan names itself here, and has a stack that no other file is ever at. */
  readonly onlyFor: string
}

/** A worker is at one stack of its own at a time: the next name ends the one before. */
type Stacks = { readonly stackFor: (name: string) => Promise<Owned> }

/**
 * A stack that no other test is at while this one is: for tests that decide when there is a block and when it is final, cut the
 * node off, or turn the chain back. The worker and its browser stay while stacks come and go, which is most of what one costs.
 */
export const test = base.extend<Fixtures, Stacks>({
  onlyFor: ['', { option: true }],
  stackFor: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from its pattern
    async ({}, use) => {
      let running: { name: string; owned: Owned; stop(): Promise<void> } | undefined
      await use(async (name) => {
        if (running?.name === name) return running.owned
        await running?.stop()
        running = undefined
        running = { name, ...(await startOwned()) }
        return running.owned
      })
      await running?.stop()
    },
    { scope: 'worker' },
  ],
  owned: [async ({ stackFor, onlyFor }, use) => use(await stackFor(onlyFor)), { timeout: 60_000 }],
  stack: ({ owned }, use) => use(owned.stack),
})

async function startOwned(): Promise<{ owned: Owned; stop(): Promise<void> }> {
  let gate: Gate | undefined
  const { webRoot, ground } = publishedStack()
  const { stack, stop } = await startBrowserStack(webRoot, ground, {
    nodeAt: async (rpcUrl) => {
      gate = await openGate(rpcUrl)
      return gate.rpcUrl
    },
    also: { CHAIN_EXPLORER_URL: 'https://explorer.example' },
  })
  if (!gate) throw new Error('The stack has no node')
  const opened = gate
  return {
    owned: { stack, gate },
    stop: async () => {
      await stop()
      await opened.close()
    },
  }
}

export { expect } from './test.ts'
