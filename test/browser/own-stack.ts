import { openGate } from './node-gate.ts'
import { type BrowserStack, publishedStack, startBrowserStack } from './stack.ts'
import { test as base } from './test.ts'

type Gate = Awaited<ReturnType<typeof openGate>>
type Owned = { readonly stack: BrowserStack; readonly gate: Gate }

type Fixtures = {
  readonly owned: Owned
  /** The name of a test file that moves the clock or publishes a plan. It gets a stack that no other file uses. */
  readonly onlyFor: string
}

/** A worker has one stack at a time: asking for another name stops the previous stack. */
type Stacks = { readonly stackFor: (name: string) => Promise<Owned> }

/**
 * A stack that no other test uses at the same time: for tests that control blocks and finality, cut off the node, or
 * reorganize the chain. The worker and its browser stay while stacks change, because they cost the most.
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
