import { lazyComponent } from '../../shared/parts/index.ts'

/** Mounted beside the views, so that it stays when the page behind it changes. */
export const DepositSheet = lazyComponent(async () => (await import('./DepositSheet.tsx')).DepositSheet)

export { openDeposit, openPayment, useDepositSheet } from './deposit-sheet-state.ts'
export { ReportedDeposits } from './ReportedDeposits.tsx'
