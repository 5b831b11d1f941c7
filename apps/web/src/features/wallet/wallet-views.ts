export { WalletDetailView } from './WalletDetailView.tsx'
export { WalletView } from './WalletView.tsx'
