import { expect, it } from 'vitest'
import type { AuditReport } from './audit.ts'
import { reportText } from './report.ts'

const sound: AuditReport = {
  findings: [],
  transactions: 5_000_000n,
  postings: 10_000_000n,
  accounts: 200_064n,
  lines: 5_000_000n,
  seals: { seals: 0n, newest: null, sealed: 0n, unsealed: 0n, oldestUnsealed: null, givenFound: null },
}

it('says that nothing is wrong where nothing is', () => {
  expect(reportText(sound)).toMatch(/10,000,000[\s\S]*Nothing is wrong/)
})

it('says what is wrong, how often and where to begin', () => {
  const findings = [
    { wrong: 'a balance is not the sum of its postings', count: 1_234n, examples: ['account 5 at version 6'] },
  ]
  const text = reportText({ ...sound, findings })
  expect(text).toMatch(/WRONG {2}a balance is not the sum of its postings: 1,234 \(account 5 at version 6\)/)
  expect(text).not.toMatch(/Nothing is wrong/)
})

it('says what is wrong outside of the ledger', () => {
  const text = reportText(sound, ['member 5 has no place'])
  expect(text).toMatch(/^WRONG {2}member 5 has no place$/m)
  expect(text).not.toMatch(/Nothing is wrong/)
})

it('says what is not sealed yet, and whether the seal asked for is there', () => {
  const seals = { ...sound.seals, unsealed: 3n, oldestUnsealed: new Date(0), givenFound: false }
  expect(reportText({ ...sound, seals })).toMatch(
    /3 not sealed yet, the oldest of 1970-01-01[\s\S]*is NOT in the chain/,
  )
})
