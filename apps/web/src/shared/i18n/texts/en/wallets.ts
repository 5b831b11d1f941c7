export const wallets = {
  pairing: {
    title: 'Connect by WalletConnect',
    desktop: 'Scan this code with your wallet app, and accept the connection there.',
    phone: 'Choose your wallet app, accept the connection there, then come back to this page.',
    qrLabel: 'QR code that connects your wallet',
    loading: 'Preparing the connection',
    waiting: 'Waiting for your wallet',
    copy: 'Copy the connection link',
    showCode: 'My wallet is on another device',
    unreachable:
      'WalletConnect does not answer. Check your internet connection and try again, or choose another wallet.',
  },

  accountChanged: {
    title: 'Your wallet switched accounts',
    text: 'You stay signed in, but you can’t pay until the two match.',
    session: 'Signed in as',
    wallet: 'In your wallet',
    switchBack: 'Switch back',
    signInAsThis: 'Sign in with this one',
    waiting: 'Choose {{account}} in your wallet. This closes by itself.',
    banner: 'Wallet on another account',
  },

  disconnected: {
    title: 'Your wallet has disconnected',
    text: 'You stay signed in, but you can’t pay until your wallet is connected again.',
    reconnect: 'Connect again',
    banner: 'Wallet disconnected',
  },
} as const
