export const pledge = {
  term: 'Term',
  days: '{{days}} days',
  weight: 'Weight',
  order: {
    name: 'Pledge for {{days}} days',
  },
  outcome: {
    title: 'Pledged',
    text: 'The pledge runs from the day after it was paid, by UTC. When its term is over, your BTN are back in your balance; there is no early end.',
  },
} as const
