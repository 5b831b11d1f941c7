import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { ensureWebBuild } from '@lode/scripts/web-build'
import { registerMember } from '../browser/member.ts'
import { type BrowserStack, startBrowserStack } from '../browser/stack.ts'
import { createStackTemplate } from '../browser/stack-template.ts'
import { MemberWallet } from '../browser/wallet.ts'
import { checks } from './checks.ts'
import type { Engine } from './engine.ts'
import { engines } from './engine-list.ts'

/**
 * `pnpm engines [NAME…]`: opens the production build, as the server sends it, in each engine of the list and runs the
 * checks until one fails. Screenshots are stored in artifacts/engines. Exits with 1 if a check fails or the page has an
 * uncaught error.
 */
const pictures = resolve(import.meta.dirname, '../../artifacts/engines')

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !engines.some((engine) => engine.name === name))
if (unknown.length > 0) {
  console.error(`There is no engine ${unknown.join(', ')}; there are ${engines.map(({ name }) => name).join(', ')}`)
  process.exit(1)
}

const failed: string[] = []
await mkdir(pictures, { recursive: true })
const { template, stop: removeTemplate } = await createStackTemplate()
try {
  const { stack, stop } = await startBrowserStack(await ensureWebBuild(), template)
  try {
    for (const engine of engines.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
      if (!(await runChecks(engine, stack))) failed.push(engine.name)
    }
  } finally {
    await stop()
  }
} finally {
  await removeTemplate()
}
console.log(failed.length === 0 ? '\nevery engine passed' : `\nfailed: ${failed.join(', ')}`)
process.exit(failed.length === 0 ? 0 : 1)

async function runChecks(engine: Engine, stack: BrowserStack): Promise<boolean> {
  const startedAt = performance.now()
  const { account } = await registerMember(stack)
  const { version, page, close } = await engine.start(new MemberWallet(stack.chain, { account }))
  const seconds = () => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`
  try {
    console.log(`\n${engine.name} (${version}), started after ${seconds()}`)
    for (const check of checks) {
      const problems: string[] = []
      await check.run(page, stack).catch((error: Error) => problems.push(error.message))
      problems.push(...page.errors.map((error) => `uncaught in the page: ${error}`))
      await page.screenshot(join(pictures, `${engine.name}-${check.name}.png`))
      console.log(`${problems.length === 0 ? '✓' : '✗'} ${check.name}`)
      for (const problem of problems) console.log(`    ${problem}`)
      if (problems.length > 0) return false
    }
    console.log(`  ${seconds()}`)
    return true
  } finally {
    await close()
  }
}
