export type AlertRule = {
  readonly name: string
  readonly for: string
  readonly urgency: string
  readonly summary: string
  readonly runbook: string
}

/** Reads `ops/alerts.yaml`, in which each field of a rule has a line of its own. */
export const readAlertRules = (yaml: string): AlertRule[] =>
  yaml
    .split(/^ +- alert: /m)
    .slice(1)
    .map((text) => {
      const field = (pattern: RegExp): string => pattern.exec(text)?.[1] ?? ''
      return {
        name: field(/^(\w+)/),
        for: field(/^ +for: (\S+)$/m),
        urgency: field(/^ +labels: \{ urgency: (\w+) \}$/m),
        summary: field(/^ +summary: "?(.+?)"?$/m),
        runbook: field(/^ +runbook: (\S+)$/m),
      }
    })
