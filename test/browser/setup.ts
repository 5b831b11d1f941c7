import { ensureWebBuild } from '@lode/scripts/web-build'
import { publish, startBrowserStack } from './stack.ts'

export default async function setup(): Promise<() => Promise<void>> {
  const { stack, stop } = await startBrowserStack(await ensureWebBuild())
  publish(stack)
  return stop
}
