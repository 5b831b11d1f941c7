import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureWebBuild } from '@lode/scripts/web-build'
import { startClusterStack } from './cluster-stack.ts'
import { publishStack, startBrowserStack } from './stack.ts'
import { createStackTemplate } from './stack-template.ts'

/**
 * Slow polling, because tests on this stack wait only for refusals. Tests that follow a payment closely use their own
 * stack.
 */
const SLOW_POLLING = { CHAIN_POLL_MS: '500', SIGNER_POLL_MS: '1000' }

/** `LODE_STACK=cluster` runs the tests on the whole cluster of `pnpm cluster`. */
export default async function setup(): Promise<() => Promise<void>> {
  if (process.env.LODE_STACK === 'cluster') {
    const { stack, stop } = await startClusterStack()
    publishStack(stack)
    return stop
  }
  // A copy, so that a build during the run does not remove files that the tests use.
  const webRoot = await mkdtemp(join(tmpdir(), 'lode-web-'))
  await cp(await ensureWebBuild(), webRoot, { recursive: true })
  const { template, stop: removeTemplate } = await createStackTemplate()
  const { stack, stop } = await startBrowserStack(webRoot, template, { environment: SLOW_POLLING })
  publishStack(stack)
  return async () => {
    await stop()
    await removeTemplate()
    await rm(webRoot, { recursive: true, force: true })
  }
}
