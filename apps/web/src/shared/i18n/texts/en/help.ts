export const help = {
  contact: 'Contact the pool',
  btnSource: 'Where to get BTN',
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
