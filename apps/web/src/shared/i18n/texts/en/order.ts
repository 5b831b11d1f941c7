export const order = {
  title: 'Order',
  states: {
    paying: 'Waiting for payment',
    closing: 'Closing',
    confirming: 'Waiting for confirmation',
    success: 'Success',
    failed: 'Failed',
  },
  unpaidStates: {
    cancelled: 'Canceled',
    expired: 'Expired',
  },
  parts: 'From balance {{balance}} · from wallet {{online}}',
  toPay: {
    online: 'To be paid from your wallet',
    mixed: 'From balance {{balance}} · to be paid from wallet {{online}}',
  },
  notPaid: {
    online: 'Was to be paid from your wallet',
    mixed: 'Was to be paid: {{balance}} from balance, {{online}} from wallet',
  },
  paid: {
    online: 'Paid from your wallet',
    mixed: 'From balance {{balance}} · from wallet {{online}}',
  },
  see: 'View order',
  open: 'Pay {{amount}} by {{time}}. You can come back to this order until then.',
  planVersion: 'Plan v{{version}}',
  form: {
    actual: 'To pay from your wallet',
    choosePassword: 'Paying from your balance needs a fund password. Choose one first.',
    enterPassword: 'Enter fund password',
    submit: 'Place order',
    submitBalance: 'Pay {{amount}} from balance',
    submitOnline: 'Order and pay {{amount}}',
    walletShort: 'Your wallet holds only {{amount}}.',
    getFirst: 'An order must be paid within {{time}}, so get the {{symbol}} first.',
    payLater: 'You can place the order now and pay it within {{time}}.',
    obstacles: {
      unreachable: 'Your wallet does not answer this page.',
      unread: 'What your wallet holds could not be read.',
      'vault-paused': 'The vault is paused and takes no payment at the moment.',
    },
    planChanged: 'The plan has changed. Please review the new terms. Nothing was ordered.',
    unheard:
      'Still waiting. We’re resending the same request; it can’t go through twice. You can close this; the result will appear here.',
    resumed: 'This resends your earlier request. It can’t go through twice.',
  },
  part: {
    label: 'From your balance',
    available: 'Available: {{amount}}',
    empty: 'Your balance is empty. You need no deposit: your wallet can pay directly.',
    nothing: 'Your balance is empty.',
    max: 'Max',
    maxLabel: 'Max: as much as your balance allows',
    abovePrice: 'The price is {{amount}}',
  },
  placed: 'Your order is placed, and nothing is paid yet. You can pay it here, also if you come back later.',
  payUntil: 'Pay by',
  left: '{{time}} left',
  pay: 'Pay {{amount}}',
  payEmpty: 'Pay',
  reported:
    'A device of yours sent a payment for this order, and the pool has not seen it yet. If it failed or you canceled it, pay again: the vault takes only one payment.',
  settles_one: 'The order is settled when the payment is final, usually in about a minute.',
  settles_other: 'The order is settled when the payment is final, usually in about {{count}} minutes.',
  progress: 'Order progress',
  steps: {
    made: 'Ordered',
  },
  now: {
    setAside: '{{amount}} set aside from your balance.',
  },
  closing:
    'Closing. A payment already sent still counts; otherwise your reserved amount returns at about {{time}}. You can order again after that.',
  closingOnline:
    'Closing. A payment already sent still counts; otherwise the order ends at about {{time}}. You can order again after that.',
  failures: {
    cancelled: 'You canceled the order, and no payment for it arrived. {{balance}} is available again.',
    expired: 'The order was not paid in time. {{balance}} is available again.',
    'level-already-held':
      'You already held this level when the payment became final. The {{online}} you paid is in your balance as a deposit, and the {{balance}} set aside is available again.',
  },
  failuresOnline: {
    cancelled: 'You canceled the order, and no payment for it arrived. Nothing was paid.',
    expired: 'The order was not paid in time. Nothing was paid.',
    'level-already-held':
      'You already held this level when the payment became final. The {{online}} you paid is in your balance as a deposit.',
  },
  cancel: 'Cancel order',
  cancelTitle: 'Cancel this order?',
  cancelText:
    'If you’ve already paid, the order goes ahead. If not, {{amount}} returns soon after {{time}}, once no payment can be on its way.',
  cancelOnline:
    'If you’ve already paid, the order goes ahead. If not, the order ends soon after {{time}}, once no payment can be on its way.',
  keep: 'Keep order',
  failed: 'The order could not be loaded',
  offlineText: 'The order will load when the network is back.',
  unknown: 'Order not found',
  unknownText: 'All your orders are in the order records.',
} as const
