/** The security settings, which only a signed-in member opens. Sign-in needs the texts in protection.ts. */
export const security = {
  address: {
    title: 'Output address',
    whatFor: 'Everything you take out goes to this address and no other.',
    bound: 'Current',
    own: 'Your own wallet',
    waiting: 'Changing to',
    bindsIn: 'takes effect in {{time}}',
    waitingText:
      'Until then, everything still goes to your current address. After that, transfers to it are held for another 48 hours, unless it is your own wallet. If this was not you, cancel the change now and change your fund password.',
    notVerified:
      'Not in effect yet: your wallet’s signature is still being verified. The address takes effect 24 hours after that at the earliest.',
    help: 'Why, and how to stop a change',
    change: 'Change',
    cancel: 'Cancel change',
    keep: 'Keep the change',
    cancelTitle: 'Cancel the address change?',
    cancelText: 'Your output address stays as it is.',
    cancelled: 'Address change canceled',
    sheetTitle: 'Change output address',
    sheetText:
      'The new address takes effect after 48 hours. Transfers to it are held for another 48 hours, unless it is your own wallet.',
    field: 'New address',
    hint: 'On the pool’s network. Compare every character.',
    same: 'This is already your output address',
    checksum:
      'The capital and small letters of this address do not fit together, so a character is probably wrong. Copy it again.',
    backToOwn: 'Back to my own wallet',
    lookAlike: 'Be careful: this starts and ends like an address you have used, but it is a different one.',
    lookAlikeKnown: 'Used before',
    lookAlikeNew: 'New',
    lookAlikeMissing: 'Compare both addresses first, then tick the box.',
    lookAlikeConfirm: 'I have compared every character',
    submit: 'Change address',
    signAndSubmit: 'Sign and change',
    signing:
      'Your wallet will show the new address and ask you to sign it. It is a message, not a payment, and costs nothing.',
    asked: '{{address}} takes effect in 48 hours',
  },

  lock: {
    title: 'Transfer lock',
    whatFor: 'Lock your own transfers out for some days. Nobody can shorten it, not you and not us.',
    off: 'Not locked',
    on: 'Locked',
    start: 'Lock transfers',
    extend: 'Extend',
    sheetTitle: 'Lock transfers out',
    sheetText:
      'Until it ends, nobody can take anything out. Your assets stay yours. Nobody can shorten it, not you and not us.',
    days: 'Days',
    daysHint: '1 to 30. Until {{moment}}',
    daysWrong: 'A whole number from 1 to 30',
    shorter: 'It must end later than the current lock',
    submit: 'Lock',
    locked: 'Transfers are locked',
  },

  sessions: {
    title: 'Where you are signed in',
    failed: 'Your sessions could not be loaded',
    current: 'This one',
    unknown: 'Unknown browser',
    exit: 'only for taking assets out',
    signedIn: 'Signed in {{moment}}',
    lastAction: 'last active {{moment}}',
    revoke: 'End',
    revokeThat: 'End the session of {{device}}',
    revokeTitle: 'End this session?',
    revokeText: '{{device}} is signed out immediately.',
    revokeOthers: 'End all others',
    revokeOthersTitle: 'End all other sessions?',
    revokeOthersText: 'Every other browser is signed out immediately. Only this one stays.',
    revoked: 'Session ended',
    revokedOthers: 'All other sessions ended',
  },

  log: {
    title: 'Security log',
    text: 'Every change to your account’s protection. Entries cannot be changed or removed.',
    open: 'Show security log',
    empty: 'Nothing has changed yet',
    failed: 'The security log could not be loaded',
    more: 'Show older',
    by: 'by {{device}}',
    kinds: {
      'setup-code-issued': 'New set-up code',
      'fund-password-chosen': 'Fund password chosen',
      'fund-password-changed': 'Fund password changed; transfers held until {{until}}',
      'fund-password-locked': 'Five wrong fund passwords; locked until {{until}}',
      'reset-asked': 'Fund password reset requested; takes effect {{until}}',
      'reset-cancelled': 'Fund password reset canceled',
      'output-address-asked': 'New output address requested, {{address}}; takes effect {{until}}',
      'output-address-cancelled': 'Change of output address to {{address}} canceled',
      'transfers-locked': 'Transfers locked until {{until}}',
      'session-revoked': 'A session ended',
      'sessions-revoked': 'All other sessions ended',
      'device-new': 'Signed in from a new browser; its transfers are held until {{until}}',
    },
  },

  password: {
    change: 'Change',
    changeTitle: 'Change the fund password',
    changeText: 'For 24 hours after a change, transfers out are held.',
    changed: 'Fund password changed',

    reset: 'Forgot it?',
    noneYet:
      'You have no fund password yet. Choose it before your first payment: afterwards a lost set-up code can only be replaced by a reset, which takes 72 hours.',
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

  holds: {
    title: 'Transfers out are held',
    text: 'A transfer you request now waits until all of these have ended. Nobody can shorten them.',
    'address-new': 'New output address',
    'device-new': 'New browser',
    'password-changed': 'Fund password changed',
    reset: 'Fund password reset',
    'own-lock': 'Your own lock',
  },

  banner: {
    text: 'Your fund password will be reset in {{time}}.',
    action: 'Not you? Cancel it',
  },
} as const
