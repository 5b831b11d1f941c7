export const home = {
  account: 'Your account',
  exitMode: 'This sign-in is only for taking your assets out. Log in again for anything else.',
  invite: 'Invite',
  inviteText: 'Whoever registers with your code becomes your invitee for good.',
  inviteCode: 'Invitation code',
  inviteLink: 'Invitation link',
  copyCode: 'Copy the invitation code',
  copyLink: 'Copy invitation link',
  offline: 'You are offline',
  offlineText: 'Your account will be loaded as soon as the network is back.',
} as const
