export const home = {
  account: 'Your account',
  invite: 'Invite',
  inviteText: 'Whoever registers with your code becomes your invitee for good.',
  inviteCode: 'Invitation code',
  inviteLink: 'Invitation link',
  copyCode: 'Copy the invitation code',
  copyLink: 'Copy invitation link',
  offlineText: 'Your account will be loaded as soon as the network is back.',
} as const
