export const home = {
  account: 'Your account',
  shortcuts: {
    label: 'Shortcuts',
    transfer: 'Transfer',
    invite: 'Invite',
    help: 'Help',
  },
  offlineText: 'Your account will be loaded as soon as the network is back.',
} as const
