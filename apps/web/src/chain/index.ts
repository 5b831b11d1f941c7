export {
  connect,
  currentAccount,
  currentChainId,
  type PoolChain,
  signMessage,
  switchChain,
  watchWallet,
} from './connection.ts'
export type { Brand, Wallet } from './discovery.ts'
export { loadLastWalletId, saveLastWalletId } from './last-wallet-id.ts'
export { WalletWatch } from './WalletWatch.tsx'
export type { WalletProblem } from './wallet-problem.ts'
export { type DetectedWallets, watchWallets } from './watch-wallets.ts'
