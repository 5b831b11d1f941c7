export {
  connect,
  currentAccount,
  currentChainId,
  type PoolChain,
  signMessage,
  switchChain,
  watchWallet,
} from './connection.ts'
export { detectDevice, installLinks, listPageLinks } from './device.ts'
export type { Brand, Wallet } from './discovery.ts'
export { findWallet } from './find-wallet.ts'
export { loadLastWalletId, saveLastWalletId } from './last-wallet-id.ts'
export { WalletSiteLink } from './WalletSiteLink.tsx'
export { WalletWatch } from './WalletWatch.tsx'
export type { WalletProblem } from './wallet-problem.ts'
export { isWalletConnectOffered, walletConnectWallet } from './walletconnect/wallet.ts'
export { type WalletChoice, watchWalletChoice } from './watch-wallet-choice.ts'
export { type DetectedWallets, watchWallets } from './watch-wallets.ts'
