export const setting = {
  profile: 'Profile',
  address: 'Wallet address',
  transfer: 'Transfer out',
  transferText: 'To your output address, and the records',
  appearance: 'Appearance',
  theme: 'Theme',
  themeSystem: 'System',
  themePaper: 'Light',
  themeShaft: 'Dark',
  logout: 'Log out',
  logoutTitle: 'Log out of this browser?',
  logoutText: 'Your language and theme stay. To come back, sign in with your wallet.',
} as const
