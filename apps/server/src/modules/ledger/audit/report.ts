import type { AuditReport } from './audit.ts'

/** Returns the report as text for one screen. `otherFindings` are the errors that the modules' checks found. */
export function formatReport(report: AuditReport, otherFindings: readonly string[] = []): string {
  const { seals, findings } = report
  const lines = [
    `transactions  ${formatCount(report.transactions)}   postings  ${formatCount(report.postings)}   accounts  ${formatCount(report.accounts)}   log lines  ${formatCount(report.lines)}`,
    `seals         ${formatCount(seals.seals)}, over ${formatCount(seals.sealed)} transactions; ${describeUnsealed(report)}`,
    `newest seal   ${seals.newest ? `${seals.newest.hash} (number ${seals.newest.number})` : 'none yet'}`,
  ]
  if (seals.givenFound !== null)
    lines.push(`seal given    ${seals.givenFound ? 'is in the chain' : 'is NOT in the chain'}`)
  lines.push('')
  if (findings.length + otherFindings.length === 0)
    lines.push('Nothing is wrong: replaying the ledger gives the stored balances.')
  for (const { wrong, count: times, examples } of findings)
    lines.push(`WRONG  ${wrong}: ${formatCount(times)}${examples.length > 0 ? ` (${examples.join('; ')})` : ''}`)
  lines.push(...otherFindings.map((finding) => `WRONG  ${finding}`))
  return lines.join('\n')
}

function describeUnsealed({ seals }: AuditReport): string {
  if (seals.unsealed === 0n) return 'all are sealed'
  return `${formatCount(seals.unsealed)} not sealed yet, the oldest of ${seals.oldestUnsealed?.toISOString() ?? 'no time'}`
}

const formatCount = (value: bigint): string => value.toLocaleString('en')
