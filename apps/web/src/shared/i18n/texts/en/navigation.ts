export const navigation = {
  label: 'Main sections',
  home: 'Home',
  wallet: 'Wallet',
  promotion: 'Promote',
  pledge: 'Pledge',
  teams: 'Team',
  more: 'Notices and settings',
  openSetting: 'Open setting',
  /** A part of a page that could not be loaded. */
  partFailed: 'This could not be loaded. Check your connection, then reload the page.',
} as const
