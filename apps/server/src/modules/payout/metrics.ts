import { Counter, Gauge, type Registry } from 'prom-client'

export type PayerMetrics = ReturnType<typeof createPayerMetrics>

/** Metrics of the signer. */
export function createPayerMetrics(registry: Registry) {
  const registers = [registry]
  return {
    stopped: new Gauge({
      name: 'lode_payer_stopped',
      help: '1 while nothing is paid out; /readyz of the signer says why',
      registers,
    }),
    journalProblem: new Gauge({
      name: 'lode_signer_journal_problem',
      help: "1 while nothing is signed or sent because of the signer's journal: the database lacks a release of it, or it cannot be written",
      registers,
    }),
    operatorsPinned: new Gauge({
      name: 'lode_signer_operators_pinned',
      help: '1 while approvals and resumes are obeyed: the operator chain verifies and has the link in OPERATORS_CEREMONY',
      registers,
    }),
    paused: new Gauge({
      name: 'lode_payouts_paused',
      help: '1 while the operators have paused payouts',
      registers,
    }),
    open: new Gauge({
      name: 'lode_payouts_open',
      help: 'Payouts that have not ended: due, later (held, or waiting for their time), check-failed, queued (for cap, float or chain), signed, broadcast',
      labelNames: ['state'],
      registers,
    }),
    oldestSeconds: new Gauge({
      name: 'lode_payout_oldest_due_seconds',
      help: 'Age in seconds of the oldest payout that is due or queued, and not signed',
      registers,
    }),
    releases: new Counter({
      name: 'lode_releases_signed_total',
      help: 'Signed releases by kind, and versions of them with a higher fee',
      labelNames: ['kind'],
      registers,
    }),
    stuck: new Gauge({
      name: 'lode_release_stuck',
      help: '1 while a release is stuck: it waits for a block in spite of a higher fee, or its fee cannot be raised or paid',
      registers,
    }),
    gasLeft: new Gauge({
      name: 'lode_payer_full_releases_left',
      help: "How many releases of 100 payouts the payer's own currency is enough for, at the present price",
      registers,
    }),
  }
}

/** What this signer knew of the queue is stale once another signer is at work. */
export function forgetQueue({ journalProblem, paused, open, oldestSeconds, stuck, gasLeft }: PayerMetrics): void {
  open.reset()
  for (const gauge of [journalProblem, paused, oldestSeconds, stuck, gasLeft]) gauge.set(0)
}

export type SettlementMetrics = ReturnType<typeof createSettlementMetrics>

/** Metrics of the worker. */
export function createSettlementMetrics(registry: Registry) {
  const registers = [registry]
  return {
    stepsBack: new Counter({
      name: 'lode_payout_steps_back_total',
      help: 'Payouts that were signed and not paid, by reason: cap, balance, token, whole (the release failed), or revoked (its payer lost the role)',
      labelNames: ['reason'],
      registers,
    }),
    restoredPayers: new Gauge({
      name: 'lode_revoked_payer_restored',
      help: 'Payers that have their role again although their releases were given up: old transactions could be paid',
      registers,
    }),
    contradictions: new Gauge({
      name: 'lode_payout_contradiction',
      help: '1 while the vault says that it paid a payout for which there is no log: an operator must look',
      registers,
    }),
  }
}
