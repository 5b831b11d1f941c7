export const shell = {
  titles: {
    login: 'Log in',
    regist: 'Register',
    home: 'Home',
    wallet: 'Wallet',
    walletDetail: 'Asset detail',
    teams: 'Team',
    net: 'My net',
    setting: 'Setting',
    transfer: 'Transfer out',
    forbidden: 'Access denied',
    notFound: 'Page not found',
    failed: 'Something went wrong',
  },
  tabs: {
    label: 'Main sections',
    home: 'Home',
    wallet: 'Wallet',
    teams: 'Team',
  },
  openSetting: 'Open setting',
  offline: 'You are offline. What you see may be out of date.',
  forbidden: {
    title: 'This page is closed to you',
    text: 'Your account may not open it. Nothing was changed.',
  },
  notFound: {
    title: 'No vein here',
    text: 'There is no page at this address. It may have moved, or the link may be incomplete.',
  },
  failed: {
    title: 'This page has failed',
    text: 'The fault is on our side. Your assets are untouched. Please try again.',
  },
  toHome: 'Back to home',
  toLogin: 'Go to log in',
} as const
