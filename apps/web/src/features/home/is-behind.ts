const MINUTE_MS = 60_000
/** Beyond the time that a block takes to become final: a node that is away for a while is no reason to worry anybody. */
const PATIENCE_MINUTES = 60

/** Whether the books have not followed the chain for longer than they should. */
export const isBehind = (at: string, blockAt: string, finalityMinutes: number): boolean =>
  Date.parse(at) - Date.parse(blockAt) > (finalityMinutes + PATIENCE_MINUTES) * MINUTE_MS
