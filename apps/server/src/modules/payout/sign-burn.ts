import { randomBytes } from 'node:crypto'
import { toHex } from 'viem'
import { readClock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { faultPoint } from '../../platform/faults/fault-point.ts'
import { readState } from '../custody/index.ts'
import { systemBalances } from '../ledger/index.ts'
import type { Ready } from './look.ts'
import { burnedLately } from './releases.ts'
import { least } from './rules.ts'
import { type SigningContext, signAndStore } from './signing-context.ts'
import { BURN_GAS, burnCall } from './vault.ts'

/**
 * Signs a burn of the burn due. The amount is read again after it is known that no burn is open. A burn that was open
 * when the chain was read may be in the ledger by now, and would otherwise be made twice.
 */
export async function signBurn(context: SigningContext, connection: Database, ready: Ready): Promise<bigint | null> {
  if (ready.burnDue === 0n) return null
  const { metrics, log } = context.signer
  const signed = await connection.transaction().execute(async (inside) => {
    if ((await readState(inside))?.stoppedReason !== null) return null
    const mayBurn = await context.checks.mayBurn(inside, await readClock(inside))
    if (!mayBurn || (await burnedLately(inside))) return null
    const due = (await systemBalances(inside))('burn:due', 'BTN')
    const burned = least(due, ready.burnDue, ready.vault.burnRoom, ready.room.float.BTN)
    if (burned === 0n) return null
    const call = burnCall(burned, toHex(randomBytes(32)))
    return { stored: await signAndStore(context, inside, ready, { call, gas: BURN_GAS, burned }), burned }
  })
  if (signed === null) return null
  const { stored, burned } = signed
  faultPoint('signer:after-store')
  metrics.releases.inc({ kind: 'burn' })
  log.info({ release: Number(stored), amount: String(burned) }, 'signed a burn')
  return stored
}
