export const order = {
  title: 'Order',
  states: {
    paying: 'Waiting for payment',
    closing: 'Closing',
    confirming: 'Waiting for confirmation',
    success: 'Success',
    failed: 'Failed',
  },
  allOnline: 'paid online, with your wallet',
  allBalance: 'paid from your balance',
  parts: '{{balance}} from your balance, {{online}} with your wallet',
  see: 'See the order',
  open: 'Pay {{amount}} by {{time}}. The same order is offered until then.',
  planVersion: 'Plan v{{version}}',
  form: {
    actual: 'Actual payment',
    methods: {
      online: 'Online, with your wallet',
      balance: 'From balance',
      mixed: 'Mixed: balance and wallet',
    },
    choosePassword: 'A part from your balance asks for your fund password, which you have not chosen yet.',
    enterPassword: 'Enter the fund password',
    submit: 'Place the order',
    submitBalance: 'Pay {{amount}} from balance',
    planChanged: 'The plan has changed. This is the new one: please look at it again. Nothing was done.',
    unheard:
      'No answer yet. The same request is sent again until the pool has answered; it cannot be done twice. You can close this: what came of it will be shown here.',
    resumed: 'This sends your earlier request again. It cannot be done twice.',
  },
  part: {
    label: 'From your balance',
    available: 'Available: {{amount}}',
    max: 'Max',
    maxLabel: 'Max: as much as your balance allows',
    abovePrice: 'The price is {{amount}}',
  },
  payUntil: 'Can be paid until',
  left: 'another {{time}}',
  pay: 'Pay {{amount}}',
  payEmpty: 'Pay',
  reported: 'A payment of this order was reported already. The vault takes one only: a second one would fail.',
  settles_one: 'The order is settled when the payment is final, usually in about a minute.',
  settles_other: 'The order is settled when the payment is final, usually in about {{count}} minutes.',
  progress: 'Progress of the order',
  steps: {
    made: 'Ordered',
  },
  now: {
    setAside: '{{amount}} set aside from your balance.',
  },
  closing:
    'Closing: a payment already sent still counts; otherwise your reserved amount is back at about {{time}}. You can order again after that.',
  closingOnline:
    'Closing: a payment already sent still counts; otherwise the order ends at about {{time}}. You can order again after that.',
  failures: {
    cancelled: 'You cancelled the order, and no payment of it arrived. {{balance}} is available again.',
    expired: 'The order was not paid in time. {{balance}} is available again.',
    'level-already-held':
      'You held this level already when the payment became final. The {{online}} that you paid are in your balance as a deposit, and the {{balance}} set aside are available again.',
  },
  failuresOnline: {
    cancelled: 'You cancelled the order, and no payment of it arrived. Nothing was paid.',
    expired: 'The order was not paid in time. Nothing was paid.',
    'level-already-held':
      'You held this level already when the payment became final. The {{online}} that you paid are in your balance as a deposit.',
  },
  cancel: 'Cancel the order',
  cancelTitle: 'Cancel this order?',
  cancelText:
    'A payment that was already sent still counts, and the order goes on with it. If none was, {{amount}} is available again soon after {{time}}: only then is it certain that none is on its way.',
  cancelOnline:
    'A payment that was already sent still counts, and the order goes on with it. If none was, the order ends soon after {{time}}: only then is it certain that none is on its way.',
  keep: 'Keep the order',
  failed: 'The order could not be loaded',
  offlineText: 'The order will be loaded as soon as the network is back.',
  unknown: 'There is no such order',
  unknownText: 'All your orders are in the order records.',
} as const
