export const profile = {
  level: 'Level',
  activated: 'Activated',
  notActivated: 'Not activated',
  inviter: 'Inviter',
  noInviter: 'None (you are the first)',
  lastLogin: 'Last login',
  firstLogin: 'First login',
  memberSince: 'Member since',
  failed: 'Your account could not be loaded',
} as const
