export const help = {
  contactNone: 'This pool has not published a contact address. Anyone who offers you help outside this app is not us.',
  search: 'Search help',
  found: 'Articles found: {{number}}',
  nothing: 'No articles found',
  nothingText: 'Try fewer or different words.',
  unknown: 'Article not found',
  unknownText: 'It may have been renamed or removed.',
  toAll: 'All articles',
  failed: 'Help could not be loaded',
  offlineText: 'Help will load when the network is back.',
  emptyText: 'This pool has not published any articles yet.',
} as const
