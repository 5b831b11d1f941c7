export { BalanceGlance } from './BalanceGlance.tsx'
export { WalletDetailView } from './WalletDetailView.tsx'
export { WalletView } from './WalletView.tsx'
