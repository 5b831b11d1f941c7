/** Replaces WalletConnect's modal window in the build. The app never asks for that window. */
export function createAppKit(): never {
  throw new Error('WalletConnect’s own window is not part of this app')
}
