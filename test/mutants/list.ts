import { contracts } from './areas/contracts.ts'
import { custody } from './areas/custody.ts'
import { decisions } from './areas/decisions.ts'
import { identity } from './areas/identity.ts'
import { kernel } from './areas/kernel.ts'
import { ledger } from './areas/ledger.ts'
import { orders } from './areas/orders.ts'
import { partner } from './areas/partner.ts'
import { payout } from './areas/payout.ts'
import { pledge } from './areas/pledge.ts'
import { promotion } from './areas/promotion.ts'
import { protection } from './areas/protection.ts'
import { team } from './areas/team.ts'
import { transfer } from './areas/transfer.ts'
import { vault } from './areas/vault.ts'
import { webPayment } from './areas/web-payment.ts'
import type { Mutant } from './mutant.ts'

const areas = {
  kernel,
  ledger,
  custody,
  orders,
  promotion,
  partner,
  pledge,
  transfer,
  payout,
  team,
  protection,
  identity,
  decisions,
  vault,
  contracts,
  'web payment': webPayment,
} satisfies Record<string, readonly Mutant[]>

export const mutants: readonly Mutant[] = Object.values(areas).flat()

const areaByMutant = new Map<Mutant, string>(
  Object.entries(areas).flatMap(([area, ofArea]) => ofArea.map((mutant) => [mutant, area] as const)),
)

export const areaOf = (mutant: Mutant): string => areaByMutant.get(mutant) ?? ''
