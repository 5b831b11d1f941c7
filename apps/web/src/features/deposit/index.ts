import { lazyPart } from '../../shared/parts/index.ts'

/** Mounted beside the views, so that it stays when the page behind it changes. */
export const DepositSheet = lazyPart(async () => (await import('./DepositSheet.tsx')).DepositSheet)

export { openDeposit, openPayment, useDepositSheet } from './sheet.ts'
