export { TransferView } from './TransferView.tsx'
