/**
 * If you change `risks`, raise the version of the risk explanation in the wire package, so that every member is asked
 * again.
 */
export const firstRun = {
  title: 'Before you begin',
  text: 'What can go wrong, in plain words. Please read it once.',
  risks: {
    return: {
      title: 'No return is promised',
      text: 'What mining brings differs from day to day and can be nothing. You may get back less than you paid, or nothing.',
    },
    value: {
      title: 'BTN can lose its value',
      text: 'In part or altogether, and you may find nobody who buys it.',
    },
    promotion: {
      title: 'A promotion is spent',
      text: 'It is paid for good and does not come back. Rewards depend on what other members do, and can be nothing.',
    },
    pledge: {
      title: 'A pledge cannot be ended early',
      text: 'What happens to prices until its last day happens to you too.',
    },
    people: {
      title: 'People and software can fail',
      text: 'Operators may run the pool badly or cheat; contracts and chains may have faults; payouts may be paused for up to 72 hours at a time.',
    },
    wallet: {
      title: 'Your wallet is in your hands alone',
      text: 'Whoever has its secret words has what is in it. We never ask for them. A payment on a chain cannot be called back.',
    },
    law: {
      title: 'Laws differ',
      text: 'Rewards over several levels are forbidden or regulated in many places. Find out what holds where you live, and what tax you owe.',
    },
  },
  bearable: 'Use only money whose loss you can bear.',
  accept: 'I have read and accept it',
  logout: 'Not now, log out',
} as const
