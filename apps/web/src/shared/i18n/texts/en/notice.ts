export const notice = {
  bell: 'Notices',
  bellUnread: 'Notices, {{unread}} unread',
  none: 'No notices yet',
  unread: 'Unread:',
  new: 'New',
  unreadCount: '{{unread}} unread',
  allRead: 'All read',
  readAll: 'Mark all as read',
  failed: 'Notices could not be loaded',
  offlineText: 'Notices will be loaded as soon as the network is back.',
  emptyText: 'What the pool has to tell its members is published here, and nowhere else.',
  plan: {
    title: 'From {{date}} it becomes harder to take assets out',
    takenBackTitle: 'Version {{version}} of the plan was taken back',
    coming:
      'Version {{version}} of the plan starts on {{moment}}. Until then the present terms hold, and you can take your assets out under them. This becomes harder:',
    started: 'Version {{version}} of the plan started on {{moment}}. This became harder with it:',
    takenBack:
      'A later version started first, so version {{version}} never came into force. It would have changed this:',
  },
} as const
