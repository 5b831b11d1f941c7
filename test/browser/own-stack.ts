import { startNodeProxy } from './node-proxy.ts'
import { type BrowserStack, readPublishedStack, startBrowserStack } from './stack.ts'
import { test as base } from './test.ts'

type NodeProxy = Awaited<ReturnType<typeof startNodeProxy>>
type OwnStack = { readonly stack: BrowserStack; readonly nodeProxy: NodeProxy }

type Fixtures = {
  readonly owned: OwnStack
  /** The name of a test file that moves the clock or publishes a plan. It gets a stack that no other file uses. */
  readonly onlyFor: string
  /** Further variables of the server of this file's stack. */
  readonly serverVariables: Readonly<Record<string, string>>
}

/** A worker has one stack at a time: asking for another name stops the previous stack. */
type Stacks = { readonly stackFor: (name: string, variables: Fixtures['serverVariables']) => Promise<OwnStack> }

/**
 * A stack that no other test uses at the same time: for tests that control blocks and finality, cut off the node, or
 * reorganize the chain. The worker and its browser stay while stacks change, because they cost the most.
 */
export const test = base.extend<Fixtures, Stacks>({
  onlyFor: ['', { option: true }],
  serverVariables: [{}, { option: true }],
  stackFor: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from its pattern
    async ({}, use) => {
      let running: { name: string; owned: OwnStack; stop(): Promise<void> } | undefined
      await use(async (name, variables) => {
        if (running?.name === name) return running.owned
        await running?.stop()
        running = undefined
        running = { name, ...(await startOwnStack(variables)) }
        return running.owned
      })
      await running?.stop()
    },
    { scope: 'worker' },
  ],
  owned: [
    async ({ stackFor, onlyFor, serverVariables }, use) => use(await stackFor(onlyFor, serverVariables)),
    { timeout: 180_000 },
  ],
  stack: ({ owned }, use) => use(owned.stack),
})

async function startOwnStack(
  variables: Fixtures['serverVariables'],
): Promise<{ owned: OwnStack; stop(): Promise<void> }> {
  let nodeProxy: NodeProxy | undefined
  const published = readPublishedStack()
  const { webRoot, template } = published
  if (template === null) return { owned: ofCluster(published), stop: async () => {} }
  const { stack, stop } = await startBrowserStack(webRoot, template, {
    proxyNode: async (rpcUrl) => {
      nodeProxy = await startNodeProxy(rpcUrl)
      return nodeProxy.rpcUrl
    },
    environment: { CHAIN_EXPLORER_URL: 'https://explorer.example', ...variables },
  })
  if (!nodeProxy) throw new Error('The stack has no node')
  const runningProxy = nodeProxy
  return {
    owned: { stack, nodeProxy: nodeProxy },
    stop: async () => {
      await stop()
      await runningProxy.close()
    },
  }
}

/** There is one cluster for all tests of a run. Nothing is between its processes and its chain node. */
const ofCluster = (stack: BrowserStack): OwnStack => ({
  stack,
  get nodeProxy(): NodeProxy {
    throw new Error('This test needs a proxy before the node, which a cluster has not')
  },
})

export { expect } from './test.ts'
