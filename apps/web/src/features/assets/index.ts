export { refreshInterval } from './refresh-interval.ts'
export { useAssets, type WalletAsset, type WalletAssets } from './use-assets.ts'
