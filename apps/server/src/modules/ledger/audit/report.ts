import type { AuditReport } from './audit.ts'
import { RUNS_PER_ROUND } from './checkpoint.ts'
import type { Finding } from './findings.ts'

/** What a comparison with the chain found. */
type ChainReport = {
  readonly findings: readonly Finding[]
  readonly notCompared: readonly string[]
  readonly summary: string
}

/** Returns the report as text for one screen. `chain` is null if the auditor named no node. */
export function formatReport(report: AuditReport, chain: ChainReport | null = null): string {
  const { seals, otherFindings, incremental } = report
  const findings = [...report.findings, ...(chain?.findings ?? [])]
  const notCompared = chain?.notCompared ?? []
  const lines = [
    ...(incremental
      ? [
          `incremental   what is new since seal ${incremental.sinceSeal}, and part ${incremental.run} of ${RUNS_PER_ROUND} of the older history`,
        ]
      : []),
    `transactions  ${formatCount(report.transactions)}   postings  ${formatCount(report.postings)}   accounts  ${formatCount(report.accounts)}   log lines  ${formatCount(report.lines)}`,
    `seals         ${formatCount(seals.seals)}, ${incremental ? 'the new ones ' : ''}over ${formatCount(seals.sealed)} transactions; ${describeUnsealed(report)}`,
    `newest seal   ${seals.newest ? `${seals.newest.hash} (number ${seals.newest.number})` : 'none yet'}`,
  ]
  if (seals.givenFound !== null)
    lines.push(`seal given    ${seals.givenFound ? 'is in the chain' : 'is NOT in the chain'}`)
  if (chain) lines.push(`chain         ${chain.summary}`)
  lines.push('')
  if (findings.length + otherFindings.length === 0) lines.push(describeSuccess(report, chain))
  for (const { wrong, count: times, examples } of findings)
    lines.push(`WRONG  ${wrong}: ${formatCount(times)}${examples.length > 0 ? ` (${examples.join('; ')})` : ''}`)
  lines.push(...otherFindings.map((finding) => `WRONG  ${finding}`))
  lines.push(...notCompared.map((text) => `NOT COMPARED  ${text}`))
  return lines.join('\n')
}

function describeSuccess({ incremental }: AuditReport, chain: ChainReport | null): string {
  if (chain && chain.notCompared.length > 0) return 'The audit is not complete. What it compared is right.'
  const agreement = chain ? ', and the chain agrees with it' : ''
  if (incremental) return `Nothing is wrong in what was read${agreement}.`
  return `Nothing is wrong: replaying the ledger gives the stored balances${agreement}.`
}

function describeUnsealed({ seals }: AuditReport): string {
  if (seals.unsealed === 0n) return 'all are sealed'
  return `${formatCount(seals.unsealed)} not sealed yet, the oldest of ${seals.oldestUnsealed?.toISOString() ?? 'no time'}`
}

const formatCount = (value: bigint): string => value.toLocaleString('en')
