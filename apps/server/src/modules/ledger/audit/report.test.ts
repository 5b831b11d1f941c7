import { expect, it } from 'vitest'
import type { AuditReport } from './audit.ts'
import { formatReport } from './report.ts'

const correctReport: AuditReport = {
  findings: [],
  otherFindings: [],
  incremental: null,
  checkpoint: null,
  transactions: 5_000_000n,
  postings: 10_000_000n,
  accounts: 200_064n,
  lines: 5_000_000n,
  seals: { seals: 0n, newest: null, sealed: 0n, unsealed: 0n, oldestUnsealed: null, givenFound: null },
}

it('the report says that nothing is wrong if there are no findings', () => {
  expect(formatReport(correctReport)).toMatch(/10,000,000[\s\S]*Nothing is wrong/)
})

it('the report names each finding with its count and an example', () => {
  const findings = [
    { wrong: 'a balance is not the sum of its postings', count: 1_234n, examples: ['account 5 at version 6'] },
  ]
  const text = formatReport({ ...correctReport, findings })
  expect(text).toMatch(/WRONG {2}a balance is not the sum of its postings: 1,234 \(account 5 at version 6\)/)
  expect(text).not.toMatch(/Nothing is wrong/)
})

it('the report includes findings from outside the ledger', () => {
  const text = formatReport({ ...correctReport, otherFindings: ['member 5 has no place'] })
  expect(text).toMatch(/^WRONG {2}member 5 has no place$/m)
  expect(text).not.toMatch(/Nothing is wrong/)
})

it('the report says what is not sealed yet and whether the given seal exists', () => {
  const seals = { ...correctReport.seals, unsealed: 3n, oldestUnsealed: new Date(0), givenFound: false }
  expect(formatReport({ ...correctReport, seals })).toMatch(
    /3 not sealed yet, the oldest of 1970-01-01[\s\S]*is NOT in the chain/,
  )
})

it('an incremental audit says what it read, and nothing about the rest', () => {
  const text = formatReport({ ...correctReport, incremental: { sinceSeal: 120n, run: 5, millisecondsForNew: 1 } })
  expect(text).toMatch(/^incremental {3}what is new since seal 120, and part 5 of 30 of the older history$/m)
  expect(text).toMatch(/^Nothing is wrong in what was read\.$/m)
  expect(text).not.toMatch(/replaying the ledger/)
})

it('the report says what the chain shows, and does not call an incomplete audit right', () => {
  const chain = { findings: [], notCompared: [], summary: '12 movements in blocks 1 to 9' }
  expect(formatReport(correctReport, chain)).toMatch(/^chain +12 movements[\s\S]*Nothing is wrong.*the chain agrees/m)

  const incomplete = formatReport(correctReport, { ...chain, notCompared: ['the balances'] })
  expect(incomplete).toMatch(/^The audit is not complete\. .*\nNOT COMPARED {2}the balances$/m)
  expect(incomplete).not.toMatch(/Nothing is wrong/)

  const findings = [{ wrong: 'a log is not in the ledger', count: 1n, examples: ['log 3'] }]
  const wrong = formatReport(correctReport, { ...chain, findings, notCompared: ['the balances'] })
  expect(wrong).toMatch(/^WRONG {2}a log is not in the ledger: 1 \(log 3\)\nNOT COMPARED {2}the balances$/m)
})
