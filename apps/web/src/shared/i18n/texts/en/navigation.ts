export const navigation = {
  label: 'Main sections',
  home: 'Home',
  wallet: 'Wallet',
  promotion: 'Promote',
  pledge: 'Pledge',
  teams: 'Team',
  more: 'Notices and settings',
  openSetting: 'Open setting',
} as const
