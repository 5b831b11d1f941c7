import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { ensureWebBuild } from '@lode/scripts/web-build'
import { giveCoins } from '../browser/chain.ts'
import { type BrowserStack, startBrowserStack } from '../browser/stack.ts'
import { createStackTemplate } from '../browser/stack-template.ts'
import { MemberWallet } from '../browser/wallet.ts'
import { checks, smokeChecks } from './checks.ts'
import type { Engine } from './engine.ts'
import { engines } from './engine-list.ts'

/**
 * `pnpm engines [--smoke] [NAME…]`: opens the production build, as the server sends it, in each engine of the list and
 * runs the checks until one fails; with --smoke only the first ones, in three engines at once. Screenshots are stored in artifacts/engines. Exits
 * with 1 if an engine cannot be started, a check fails or the page has an uncaught error.
 */
const pictures = resolve(import.meta.dirname, '../../artifacts/engines')

/** An engine mostly waits: for the server, for blocks, for its own start. */
const SMOKE_AT_ONCE = 3

const isSmoke = process.argv.includes('--smoke')
const wanted = process.argv.slice(2).filter((argument) => argument !== '--smoke')
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
    const left = engines.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
    const runOneByOne = async () => {
      for (let engine = left.shift(); engine; engine = left.shift())
        if (!(await runChecks(engine, stack))) failed.push(engine.name)
    }
    await Promise.all(Array.from({ length: isSmoke ? SMOKE_AT_ONCE : 1 }, runOneByOne))
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
  const say = (text: string) => console.log(`${engine.name}: ${text}`)
  const seconds = () => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`
  const wallet = new MemberWallet(stack.chain)
  await giveCoins(stack, wallet.address, { USDT: '300' })
  const started = await engine.start(wallet).catch((error: Error) => error)
  if (started instanceof Error) {
    say(`✗ cannot be started: ${started.message}`)
    return false
  }
  const { version, page, close } = started
  try {
    say(`${version}, started after ${seconds()}`)
    for (const check of isSmoke ? smokeChecks : checks) {
      const problems: string[] = []
      await check.run(page, stack).catch((error: Error) => problems.push(error.message))
      problems.push(...page.errors.map((error) => `uncaught in the page: ${error}`))
      if (problems.length > 0 || !isSmoke) await page.screenshot(join(pictures, `${engine.name}-${check.name}.png`))
      say(`${problems.length === 0 ? '✓' : '✗'} ${check.name}`)
      for (const problem of problems) say(`    ${problem}`)
      if (problems.length > 0) return false
    }
    say(`✓ all, ${seconds()}`)
    return true
  } finally {
    await close()
  }
}
