const MINUTE_MS = 60_000
/** Tolerance beyond the time to finality. A node that is down for a while is no reason for a warning. */
const TOLERANCE_MINUTES = 60

/** Whether the ledger is behind the chain for longer than expected. */
export const isBehind = (at: string, blockAt: string, finalityMinutes: number): boolean =>
  Date.parse(at) - Date.parse(blockAt) > (finalityMinutes + TOLERANCE_MINUTES) * MINUTE_MS
