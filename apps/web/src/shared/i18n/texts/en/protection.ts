export const protection = {
  endsIn: 'ends in {{time}}',
  endsAt: 'until {{moment}}',
  time: {
    days: '{{days}} d {{hours}} h',
    hours: '{{hours}} h {{minutes}} min',
    minutes: '{{minutes}} min',
  },

  password: {
    title: 'Fund password',
    whatFor: 'Needed to transfer out, pay from balance and change these settings. It is not your wallet’s password.',
    unset: 'Not chosen yet',
    set: 'Chosen',
    locked: 'Locked after five wrong tries',
    waiting: 'Reset pending',
    field: 'Fund password',
    current: 'Current fund password',
    next: 'New fund password',
    hint: '6 to 20 letters or digits',
    show: 'Show what I type',
    hide: 'Hide what I type',

    choose: 'Choose a fund password',
    chooseText: 'Choose it now with the set-up code from your registration. You can’t take anything out before that.',
    code: 'Set-up code',
    codeHint: '16 letters and digits, shown once when you registered',
    codeWrong: '16 letters and digits',
    codeLost: 'I have lost the code',
    codeLostText:
      'If you have lost the code, your wallet can sign a message for a new one. It is a message, not a payment, and costs nothing.',
    codeGiven: 'A new set-up code is filled in',
    chosen: 'Fund password chosen',
  },

  signing: {
    noWallet: 'No wallet was found in this browser. Open this page where your wallet is.',
    otherAccount: 'Your wallet shows {{account}}. Switch it to the account you signed in with, then try again.',
    nothingSigned: 'Nothing was signed.',
  },
} as const
