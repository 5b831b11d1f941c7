// Proves properties of the models in `proofs/` for any sequence of calls, with solc's SMTChecker and z3. A proof that
// cannot fail proves nothing, so each planted bug below must be found.
//
//   node tools/prove.ts        needs the program z3 (in Debian the package z3)

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageRoot } from './forge.ts'

type Bug = readonly [what: string, find: string, replacement: string]
type Message = { readonly severity: string; readonly errorCode: string; readonly formattedMessage: string }

const require = createRequire(import.meta.url)
const solc = require('solc')
const { smtCallback } = require('solc/smtchecker')

/** The slowest query takes 14 seconds on a machine with two busy cores. */
const TIMEOUT_SECONDS = 120
const PROVED = '9576'
const REFUTED = 'Assertion violation happens here'

const models: Readonly<Record<string, readonly Bug[]>> = {
  Pause: [
    ['no cool-down', 'clock >= notBefore', 'clock >= pausedUntil'],
    ['a pause of eight days', 'pausedUntil = clock + 7 days', 'pausedUntil = clock + 8 days'],
  ],
  Notice: [
    ['a notice before the predecessor has moved', 'require(hasPredecessorMoved);', ''],
    ['a call without notice', 'require(clock >= notBefore);', ''],
    ['a notice without end', 'require(clock <= notBefore + 7 days);', ''],
    ['a notice that is used twice', 'notBefore = 0;\n        assert', 'assert'],
    ['a withdrawal that does not count', 'notBefore = 0;\n        isVoid', 'isVoid'],
    [
      'a withdrawal of all that does not count',
      'require(notBefore > allWithdrawnAt + 2 days);',
      'require(notBefore > 0);',
    ],
  ],
  Payouts: [
    ['an id that stays unspent', 'isSpent = true;', ''],
    ['a payout that the balance does not know', 'balance -= amount;\n        paidOut', 'paidOut'],
    ['a move that the balance does not know', 'balance -= amount;\n        moved', 'moved'],
    ['a payout while paused', 'require(!isPaused);\n        if', 'if'],
  ],
}

if (spawnSync('z3', ['--version']).status !== 0) {
  console.error('z3 is not installed, so nothing was proved')
  process.exit(1)
}
const folder = mkdtempSync(join(tmpdir(), 'lode-proofs-'))
let failures = 0
for (const [name, bugs] of Object.entries(models)) {
  const source = readFileSync(join(packageRoot, 'proofs', `${name}.sol`), 'utf8')
  const { proved } = check(name, source)
  const assertions = source.match(/\bassert\(/g)?.length ?? 0
  report(`${name}: ${proved} of ${assertions} assertions are proved`, assertions > 0 && proved === assertions)
  for (const [what, find, replacement] of bugs) {
    if (!source.includes(find)) throw new Error(`${name} has no “${find}”`)
    report(`${name} with ${what} is refuted`, check(name, source.replace(find, replacement)).refuted > 0)
  }
}
rmSync(folder, { recursive: true })
process.exit(failures > 0 ? 1 : 0)

function report(what: string, isSo: boolean): void {
  console.log(`${isSo ? 'yes' : 'NO '}  ${what}`)
  if (!isSo) failures += 1
}

function check(name: string, content: string): { proved: number; refuted: number } {
  const file = `${name}.sol`
  const modelChecker = {
    engine: 'chc',
    targets: ['assert'],
    contracts: { [file]: [name] },
    solvers: ['smtlib2'],
    showProvedSafe: true,
    showUnproved: true,
  }
  const input = { language: 'Solidity', sources: { [file]: { content } }, settings: { modelChecker } }
  const output = solc.compile(JSON.stringify(input), { smtSolver: smtCallback(solve, { name: 'z3' }) })
  const messages: readonly Message[] = JSON.parse(output).errors ?? []
  const errors = messages.filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'))
  return {
    proved: messages.filter(({ errorCode }) => errorCode === PROVED).length,
    refuted: messages.filter(({ formattedMessage }) => formattedMessage.includes(REFUTED)).length,
  }
}

/** Solc's own runner of z3 gives up after ten seconds. */
function solve(query: string): string {
  const file = join(folder, 'query.smt2')
  writeFileSync(file, query)
  const options = ['rewriter.pull_cheap_ite=true', 'fp.spacer.q3.use_qgen=true', 'fp.spacer.mbqi=false']
  const args = ['-smt2', ...options, 'fp.spacer.ground_pobs=false', `-T:${TIMEOUT_SECONDS}`, file]
  return spawnSync('z3', args, { encoding: 'utf8', maxBuffer: 1 << 28 }).stdout
}
