export const protection = {
  endsIn: 'ends in {{time}}',
  endsAt: 'until {{moment}}',
  time: {
    days: '{{days}} d {{hours}} h',
    hours: '{{hours}} h {{minutes}} min',
    minutes: '{{minutes}} min',
  },

  holds: {
    title: 'Transfers out are held',
    text: 'A transfer you request now waits until all of these have ended. Nobody can shorten them.',
    'address-new': 'New output address',
    'device-new': 'New browser',
    'password-changed': 'Fund password changed',
    reset: 'Fund password reset',
    'own-lock': 'Your own lock',
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
      'Your wallet will ask you to sign a message for a new code. It is a message, not a payment, and costs nothing.',
    codeGiven: 'A new set-up code is filled in',
    chosen: 'Fund password chosen',

    change: 'Change',
    changeTitle: 'Change the fund password',
    changeText: 'For 24 hours after a change, transfers out are held.',
    changed: 'Fund password changed',

    reset: 'Forgot it?',
    resetTitle: 'Reset the fund password',
    resetText: 'If you have lost it, choose a new one. Your wallet confirms that it is you.',
    resetWait: 'The new password takes effect after 72 hours.',
    resetHold: 'Transfers out are held until 24 hours after that.',
    resetRefuse:
      'Until then, neither the fund password nor the output address can be changed. A pending address change goes on, and you can cancel it.',
    resetSessions: 'All your other sessions end now.',
    resetNotice: 'Every screen shows it, and the current password can cancel it.',
    resetPreview: 'Your wallet will ask you to sign a message. It is a message, not a payment, and costs nothing.',
    resetSubmit: 'Sign and reset',
    resetAsked: 'The reset takes effect in 72 hours',

    cancelReset: 'Cancel reset',
    cancelResetText:
      'Your current fund password stays. If you did not request the reset, someone else has your wallet: move your assets to another one.',
    resetCancelled: 'Reset canceled',
  },

  banner: {
    text: 'Your fund password will be reset in {{time}}.',
    action: 'Not you? Cancel it',
  },

  signing: {
    noWallet: 'No wallet was found in this browser. Open this page where your wallet is.',
    otherAccount: 'Your wallet shows {{account}}. Switch it to the account you signed in with, then try again.',
    nothingSigned: 'Nothing was signed.',
  },
} as const
