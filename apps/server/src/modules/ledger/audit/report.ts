import type { AuditReport } from './audit.ts'

/** The audit's report as text for one screen. `besides` lists errors found outside the ledger. */
export function reportText(report: AuditReport, besides: readonly string[] = []): string {
  const { seals, findings } = report
  const lines = [
    `transactions  ${count(report.transactions)}   postings  ${count(report.postings)}   accounts  ${count(report.accounts)}   log lines  ${count(report.lines)}`,
    `seals         ${count(seals.seals)}, over ${count(seals.sealed)} transactions; ${unsealedText(report)}`,
    `newest seal   ${seals.newest ? `${seals.newest.hash} (number ${seals.newest.number})` : 'none yet'}`,
  ]
  if (seals.givenFound !== null)
    lines.push(`seal given    ${seals.givenFound ? 'is in the chain' : 'is NOT in the chain'}`)
  lines.push('')
  if (findings.length + besides.length === 0) lines.push('Nothing is wrong: the books replay to the balances shown.')
  for (const { wrong, count: times, examples } of findings)
    lines.push(`WRONG  ${wrong}: ${count(times)}${examples.length > 0 ? ` (${examples.join('; ')})` : ''}`)
  lines.push(...besides.map((finding) => `WRONG  ${finding}`))
  return lines.join('\n')
}

function unsealedText({ seals }: AuditReport): string {
  if (seals.unsealed === 0n) return 'all are sealed'
  return `${count(seals.unsealed)} not sealed yet, the oldest of ${seals.oldestUnsealed?.toISOString() ?? 'no time'}`
}

const count = (value: bigint): string => value.toLocaleString('en')
