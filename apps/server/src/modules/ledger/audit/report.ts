import type { AuditReport } from './audit.ts'
import type { Finding } from './findings.ts'

/** What a comparison with the chain found. */
type ChainReport = {
  readonly findings: readonly Finding[]
  readonly notCompared: readonly string[]
  readonly summary: string
}

/**
 * Returns the report as text for one screen. `otherFindings` are the errors that the modules' checks found; `chain` is
 * null if the auditor named no node.
 */
export function formatReport(
  report: AuditReport,
  otherFindings: readonly string[] = [],
  chain: ChainReport | null = null,
): string {
  const { seals } = report
  const findings = [...report.findings, ...(chain?.findings ?? [])]
  const notCompared = chain?.notCompared ?? []
  const lines = [
    `transactions  ${formatCount(report.transactions)}   postings  ${formatCount(report.postings)}   accounts  ${formatCount(report.accounts)}   log lines  ${formatCount(report.lines)}`,
    `seals         ${formatCount(seals.seals)}, over ${formatCount(seals.sealed)} transactions; ${describeUnsealed(report)}`,
    `newest seal   ${seals.newest ? `${seals.newest.hash} (number ${seals.newest.number})` : 'none yet'}`,
  ]
  if (seals.givenFound !== null)
    lines.push(`seal given    ${seals.givenFound ? 'is in the chain' : 'is NOT in the chain'}`)
  if (chain) lines.push(`chain         ${chain.summary}`)
  lines.push('')
  if (findings.length + otherFindings.length === 0) lines.push(describeSuccess(chain))
  for (const { wrong, count: times, examples } of findings)
    lines.push(`WRONG  ${wrong}: ${formatCount(times)}${examples.length > 0 ? ` (${examples.join('; ')})` : ''}`)
  lines.push(...otherFindings.map((finding) => `WRONG  ${finding}`))
  lines.push(...notCompared.map((text) => `NOT COMPARED  ${text}`))
  return lines.join('\n')
}

function describeSuccess(chain: ChainReport | null): string {
  if (chain && chain.notCompared.length > 0) return 'The audit is not complete. What it compared is right.'
  const agreement = chain ? ', and the chain agrees with it' : ''
  return `Nothing is wrong: replaying the ledger gives the stored balances${agreement}.`
}

function describeUnsealed({ seals }: AuditReport): string {
  if (seals.unsealed === 0n) return 'all are sealed'
  return `${formatCount(seals.unsealed)} not sealed yet, the oldest of ${seals.oldestUnsealed?.toISOString() ?? 'no time'}`
}

const formatCount = (value: bigint): string => value.toLocaleString('en')
