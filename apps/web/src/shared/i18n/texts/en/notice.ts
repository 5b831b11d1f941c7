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
  offlineText: 'Notices will load when the network is back.',
  emptyText: 'The pool publishes its messages to members here and nowhere else.',
  plan: {
    title: 'From {{date}}: stricter terms for taking assets out',
    takenBackTitle: 'Plan version {{version}} was withdrawn',
    coming:
      'Plan version {{version}} starts on {{moment}}. Until then the current terms apply, and you can take your assets out under them. This gets harder:',
    started: 'Plan version {{version}} started on {{moment}}. This got harder:',
    takenBack: 'A later version started first, so version {{version}} never took effect. It would have changed this:',
  },
} as const
