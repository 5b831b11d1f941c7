import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Section, summarize } from './ci-summary.ts'
import { repositoryRoot } from './repository-files.ts'

/**
 * The nightly checks: everything of `.ci/run`, then the slow checks. Prints the results with date and commit, to be
 * archived.
 */
const folder = join(repositoryRoot, 'artifacts/deep')
const report = (name: string) => join(folder, `${name}.json`)

type Part = { name: string; command: readonly string[]; report?: string; env?: Readonly<Record<string, string>> }

const parts: readonly Part[] = [
  { name: 'all of .ci/run', command: ['.ci/run'] },
  { name: 'all integration tests on PostgreSQL 15', command: ['pnpm', 'test:pg15'] },
  { name: 'pictures of every screen', command: ['pnpm', 'shots'], report: report('shots') },
  { name: 'accessibility, every variant of every screen', command: ['pnpm', 'a11y'], report: report('a11y') },
  { name: 'Lighthouse, as on a phone', command: ['pnpm', 'lighthouse'] },
  { name: "a member's life in six browser engines", command: ['pnpm', 'engines'] },
  // Repeated, because a test that passes only sometimes has found a bug or is broken.
  {
    name: 'browser tests, three times over',
    command: ['pnpm', 'e2e', '--repeat-each=3'],
    report: report('repeated'),
  },
  {
    name: "every copy, save, share and print, in a wallet's browser",
    command: ['pnpm', 'e2e', 'handovers'],
    report: report('handovers'),
    env: { HANDOVERS: 'all' },
  },
  {
    name: 'payments whose answer was lost, every state and every loss',
    command: ['pnpm', 'e2e', 'lost-answer'],
    report: report('lost-answers'),
    env: { LOST_ANSWERS: 'all' },
  },
  {
    name: 'the ledger: a thousand edits found, twenty crashes survived, 300 random histories',
    command: ['pnpm', 'exec', 'vitest', 'run', '--project', 'integration', 'ledger'],
    env: { LEDGER_EDITS: '1000', LEDGER_CRASHES: '20', LEDGER_RUNS: '300' },
  },
  {
    name: 'payouts: killed two hundred times',
    command: ['pnpm', 'exec', 'vitest', 'run', '--project', 'integration', 'payout-crash'],
    env: { PAYOUT_CRASHES: '200' },
  },
  {
    name: 'a database restored to twenty moments of a busy hour',
    command: ['pnpm', 'exec', 'vitest', 'run', '--project', 'integration', 'payout/restore'],
    env: { RESTORE_MOMENTS: '20' },
  },
  {
    name: 'a thousand transfers or guesses of a fund password at once, 10,000 tries to get dividends without funding',
    command: [
      'pnpm',
      'exec',
      'vitest',
      'run',
      '--project',
      'integration',
      'transfer/concurrent-orders',
      'protection/crowd',
      'ponzi',
    ],
    env: { CROWD_GUESSES: '1000', PONZI_SEQUENCES: '10000' },
  },
  { name: 'the simulator, 20 seeds of 200 steps', command: ['pnpm', 'sim', '--seeds', '20', '--steps', '200'] },
  { name: 'the simulator, every kind of stop', command: ['pnpm', 'sim', '--stops'] },
  {
    name: 'the simulator, three moves to another vault',
    command: ['pnpm', 'sim', '--migrate', '--seeds', '3', '--steps', '20'],
  },
  {
    name: 'the simulator on broken builds',
    command: ['pnpm', 'exec', 'vitest', 'run', '--project', 'sim'],
  },
  { name: 'mutants, all of them', command: ['pnpm', 'mutants'] },
  { name: 'the thief, 10,000 sequences a role', command: ['pnpm', 'thief', '--sequences', '10000'] },
  {
    name: 'the thief on pools without one of their protections',
    command: ['pnpm', 'thief', '--broken', '--sequences', '300', '--seed', '1'],
  },
  { name: 'the simulator on the cluster, five seeds', command: ['pnpm', 'sim', '--cluster', '--seeds', '5'] },
  {
    name: 'the cluster: up within a minute, ended without a trace, and alarms that ring',
    command: ['pnpm', 'exec', 'vitest', 'run', '--project', 'cluster'],
  },
  { name: 'the cluster: every fault, again and again', command: ['pnpm', 'faults'] },
  {
    name: "the cluster: a member's life in it",
    command: ['pnpm', 'e2e', 'member-journey'],
    report: report('cluster-life'),
    env: { LODE_STACK: 'cluster' },
  },
  { name: 'the demo, all of it', command: ['pnpm', 'exec', 'vitest', 'run', '--project', 'demo'] },
  { name: 'pictures of the demo', command: ['pnpm', 'shots:demo'], report: report('shots-demo') },
  { name: 'bench ledger', command: ['pnpm', 'bench', 'ledger'] },
  { name: 'bench long-list', command: ['pnpm', 'bench', 'long-list'] },
  {
    name: 'bench placement, a quick look',
    command: ['pnpm', 'bench', 'placement'],
    env: { BENCH_ROUNDS: '200', BENCH_LARGE: '20000' },
  },
  {
    name: 'bench promotion, a quick look',
    command: ['pnpm', 'bench', 'promotion'],
    env: { BENCH_ROUNDS: '2', BENCH_LARGE: '60000' },
  },
  {
    name: 'bench day-close, a quick look',
    command: ['pnpm', 'bench', 'day-close'],
    env: { BENCH_ROUNDS: '20', BENCH_LARGE: '20000' },
  },
  {
    name: 'bench growth, a quick look',
    command: ['pnpm', 'bench', 'growth', '--must-hold', ': (pages|rows)$'],
    env: { BENCH_SIZES: '10000,200000', BENCH_ROUNDS: '3' },
  },
  {
    name: 'bench audit, a quick look',
    command: ['pnpm', 'bench', 'audit'],
    env: { BENCH_SIZES: '400000,800000', BENCH_NEW: '40000', BENCH_ROUNDS: '1' },
  },
  {
    name: 'bench paid-out, a quick look',
    command: ['pnpm', 'bench', 'paid-out'],
    env: { BENCH_ROUNDS: '1', BENCH_SECONDS: '3' },
  },
  {
    name: 'bench settlement, a quick look',
    command: ['pnpm', 'bench', 'settlement'],
    env: { BENCH_LARGE: '30000', BENCH_BLOCKS: '3' },
  },
  {
    name: 'bench history, a quick look',
    command: ['pnpm', 'bench', 'history'],
    env: { BENCH_ROWS: '100,5000', BENCH_ROUNDS: '1' },
  },
  {
    name: 'bench payout-queue, a quick look',
    command: ['pnpm', 'bench', 'payout-queue'],
    env: { BENCH_LARGE: '20000', BENCH_ROUNDS: '2' },
  },
  { name: 'bench requests', command: ['pnpm', 'bench', 'requests'] },
  {
    name: 'bench compare, this checkout with itself',
    command: ['pnpm', 'bench', 'compare', '.'],
    env: { BENCH_PAIRS: '3' },
  },
  { name: 'contracts, thousands of runs', command: ['pnpm', '--filter', '@lode/contracts', 'test:deep'] },
  { name: 'proofs about the contracts', command: ['pnpm', '--filter', '@lode/contracts', 'run', 'prove'] },
  { name: 'coverage of the contracts', command: ['pnpm', '--filter', '@lode/contracts', 'run', 'coverage'] },
]

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const sections = parts.map(({ name, command: [program = '', ...args], report, env }): Section => {
  console.log(`\n==== ${name} ====`)
  const began = performance.now()
  const { status } = spawnSync(program, args, {
    cwd: repositoryRoot,
    env: { ...process.env, CI: 'true', ...env, ...(report ? { PLAYWRIGHT_JSON: report } : {}) },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  return { name, status: status ?? 1, seconds: Math.round((performance.now() - began) / 1000), report: report ?? '-' }
})

const commit = execFileSync('git', ['describe', '--always', '--dirty'], {
  cwd: repositoryRoot,
  encoding: 'utf8',
}).trim()
const { lines, passed, failed } = summarize(sections)
console.log(`\n==== deep, ${new Date().toISOString()}, commit ${commit} ====\n${lines.join('\n')}\n`)
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed > 0 ? 1 : 0)
