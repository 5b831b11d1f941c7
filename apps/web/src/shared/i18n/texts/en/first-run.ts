/**
 * If you change `risks`, raise the version of the risk explanation in the wire package, so that every member is asked
 * again.
 */
export const firstRun = {
  title: 'Before you begin',
  risksTitle_one: 'Before you begin: {{count}} risk',
  risksTitle_other: 'Before you begin: {{count}} risks',
  text: 'The risks, in plain words. Please read them before you continue.',
  words: 'BTN is the pool’s token. A promotion buys a level. A pledge locks BTN for a term.',
  risks: {
    return: {
      title: 'No return is promised',
      text: 'Mining income differs from day to day and can be zero. You may get back less than you paid, or nothing.',
    },
    value: {
      title: 'BTN can lose its value',
      text: 'It may lose some or all of its value, and you may not find a buyer.',
    },
    promotion: {
      title: 'Promotions are not refunded',
      text: 'Once paid, the price is gone. Rewards depend on what other members do and can be zero.',
    },
    pledge: {
      title: 'A pledge cannot be ended early',
      text: 'You bear every change in price until its last day.',
    },
    people: {
      title: 'People and software can fail',
      text: 'Operators may run the pool badly or cheat. Contracts and chains may have faults. Payouts may be paused for up to 72 hours at a time.',
    },
    wallet: {
      title: 'Only you control your wallet',
      text: 'Anyone who has its recovery phrase has everything in it. We never ask for it. A payment on a chain cannot be reversed.',
    },
    law: {
      title: 'Laws differ',
      text: 'Multi-level rewards are forbidden or regulated in many places. Find out which rules apply where you live, and what tax you owe.',
    },
  },
  bearable: 'Only use money you can afford to lose.',
  byConfirming: 'By confirming you accept the risks above.',
  accept: 'I have read and accept this',
  logout: 'Not now, log out',
} as const
