export const explain = {
  ask: 'Explain: {{word}}',
  more: 'More in Help: {{title}}',
  articles: {
    'how-to-begin': 'How to begin',
    'what-a-pledge-is': 'What a pledge is',
    'what-a-promotion-is': 'What a promotion is and where the money goes',
    'money-in-and-out': 'How money comes in and goes out',
  },
  coins: 'What USDT, BTN and the network’s coin are for, and how to get them',
  words: {
    effective: {
      name: 'Effective pledge',
      text: 'The amount of a pledge times the factor of its term. It decides how large your part of a day’s dividend is.',
    },
    share: {
      name: 'Network share',
      text: 'Your effective pledge as a part of all members’ together. It changes when others pledge, or when pledges end.',
    },
    frozen: {
      name: 'Frozen',
      text: 'Your money, set aside for an order or a transfer that is not finished, or locked in a pledge. It is still yours.',
    },
    activated: {
      name: 'Activated',
      text: 'Has bought at least L1. Only activated members get rewards.',
    },
    quota: {
      name: 'Quota',
      text: 'How much of a coin you can transfer out in any 24 hours. It depends on your level.',
    },
    power: {
      name: 'Computing power',
      text: 'What your promotions have bought for the pool to mine with, in your name, in TH/s. Dividends follow pledges, not computing power.',
    },
  },
} as const
