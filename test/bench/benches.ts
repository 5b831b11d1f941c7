import type { Aim } from './aims.ts'
import { benchLedger } from './ledger.ts'

export const benches: Readonly<Record<string, () => Promise<Aim[]>>> = { ledger: benchLedger }
