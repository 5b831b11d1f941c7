import { minNotNegative } from '@lode/kernel'
import { sql } from 'kysely'
import { type Hex, numberToHex } from 'viem'
import { readClock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { faultPoint } from '../../platform/faults/fault-point.ts'
import { readAssetStops, readChainState } from '../custody/index.ts'
import { readSystemBalances } from '../ledger/index.ts'
import type { SigningInputs } from './preflight.ts'
import { hasRecentBurn } from './releases.ts'
import { type SigningContext, signAndStore } from './signing-context.ts'
import { BURN_GAS, encodeBurn } from './vault.ts'

/**
 * Signs a burn of the balance of `burn:due`. The balance is read again after the check that no burn is open: a burn
 * that was open at the preflight may be in the ledger by now, and its amount would otherwise be burned twice.
 */
export async function signBurn(
  context: SigningContext,
  connection: Database,
  signingInputs: SigningInputs,
): Promise<bigint | null> {
  if (signingInputs.burnDue === 0n) return null
  const { metrics, log } = context.signer
  const signed = await connection.transaction().execute(async (trx) => {
    if ((await readChainState(trx))?.stoppedReason !== null || (await readAssetStops(trx)).has('BTN')) return null
    if ((await context.checks.findClockProblem(trx)) !== null) return null
    const mayBurn = await context.checks.mayBurn(trx, await readClock(trx))
    if (!mayBurn || (await hasRecentBurn(trx))) return null
    const due = (await readSystemBalances(trx))('burn:due', 'BTN')
    const burned = minNotNegative(
      due,
      signingInputs.burnDue,
      signingInputs.vault.burnRoom,
      signingInputs.room.float.BTN,
    )
    if (burned === 0n) return null
    const call = encodeBurn(burned, await nextBurnId(trx))
    return { stored: await signAndStore(context, trx, signingInputs, { call, gas: BURN_GAS, burned }), burned }
  })
  if (signed === null) return null
  const { stored, burned } = signed
  faultPoint('signer:after-store')
  metrics.releases.inc({ kind: 'burn' })
  log.info({ release: Number(stored), amount: String(burned) }, 'signed a burn')
  return stored
}

/**
 * The id of the next burn: how many burns are final, plus one. The vault burns for each id once. If the database forgets
 * a burn that it signed, for example in a failover, the next one gets the same id, and the vault refuses it.
 */
async function nextBurnId(trx: Database): Promise<Hex> {
  const { rows } = await sql<{ burns: bigint }>`select count(*) as burns from lode.chain_burn`.execute(trx)
  return numberToHex((rows[0]?.burns ?? 0n) + 1n, { size: 32 })
}
