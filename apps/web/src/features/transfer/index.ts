export { ProgressRow } from './ProgressRow.tsx'
export { TransferView } from './TransferView.tsx'
