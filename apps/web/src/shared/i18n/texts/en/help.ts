export const help = {
  search: 'Search the help',
  found: 'Articles found: {{number}}',
  nothing: 'No article has this',
  nothingText: 'Try fewer or other words.',
  unknown: 'There is no such article',
  unknownText: 'It may have been renamed or taken out.',
  toAll: 'All articles',
  failed: 'The help could not be loaded',
  offlineText: 'The help will be loaded as soon as the network is back.',
  emptyText: 'This pool has not published any articles yet.',
} as const
