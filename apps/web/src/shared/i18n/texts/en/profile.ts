export const profile = {
  level: 'Level',
  activated: 'Activated',
  notActivated: 'Not activated',
  disabled: 'Disabled',
  disabledSince: 'Operators disabled this account on {{moment}}.',
  disabledReason: 'Their reason: {{reason}}',
  inviter: 'Inviter',
  noInviter: 'None (you are the first)',
  lastLogin: 'Last login',
  firstLogin: 'First login',
  memberSince: 'Member since',
  failed: 'Your account could not be loaded',
} as const
