export {
  type Chain,
  connect,
  currentAccount,
  currentChainId,
  signMessage,
  switchChain,
  watchWallet,
} from './connection.ts'
export type { Brand, Wallet } from './discovery.ts'
export type { WalletProblem } from './errors.ts'
export { rememberedWallet, rememberWallet } from './remembered.ts'
export { WalletWatch } from './WalletWatch.tsx'
export { type WalletsSeen, watchWallets } from './watch-wallets.ts'
