import { openGate } from './node-gate.ts'
import { type BrowserStack, publishedStack, startBrowserStack } from './stack.ts'
import { test as base } from './test.ts'

type Gate = Awaited<ReturnType<typeof openGate>>

type Owned = {
  readonly owned: { readonly stack: BrowserStack; readonly gate: Gate }
  /** A file that moves the clock or publishes a plan names itself here, and has a stack that no other file is ever at. */
  readonly onlyFor: string
}

/**
 * A stack that no other test is at while this one is, started once a worker: for tests that decide when there is a block and when
 * it is final, cut the node off, or turn the chain back. Files that use it say `test.describe.configure({ mode: 'default' })`, so
 * that one worker runs them through.
 */
export const test = base.extend<object, Owned>({
  onlyFor: ['', { option: true, scope: 'worker' }],
  owned: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from its pattern
    async ({}, use) => {
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
      await use({ stack, gate })
      await stop()
      await gate.close()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  stack: [({ owned }, use) => use(owned.stack), { scope: 'worker' }],
})

export { expect } from './test.ts'
