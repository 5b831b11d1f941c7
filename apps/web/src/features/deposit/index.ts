export { openDeposit, openPayment, useDepositSheet } from './deposit-sheet-state.ts'
export { DepositSheet } from './lazy-deposit-sheet.ts'
export { ReportedDeposits } from './ReportedDeposits.tsx'
