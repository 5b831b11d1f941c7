/** Points before and after everything that is stored, sent or concluded, where a crash is interesting. */
export const payoutFaultPoints = [
  'api:before-commit',
  'api:after-commit',
  'worker:after-seen',
  'worker:before-credit',
  'worker:after-credit',
  'worker:before-posted-block',
  'worker:after-commit',
  'signer:before-store',
  'signer:after-store',
  'signer:before-journal',
  'signer:after-journal',
  'signer:before-send',
  'signer:after-send',
  'signer:before-bump',
  'signer:after-bump',
  'worker:before-settle',
  'worker:after-settle',
  'worker:before-end-release',
  'worker:after-end-release',
  'worker:before-apply-decision',
  'worker:after-apply-decision',
] as const

export const orderFaultPoints = [
  'worker:before-settle-order',
  'worker:after-settle-order',
  'worker:before-close-order',
  'worker:after-close-order',
] as const

/** Points of the worker's daily work, and of collecting. */
export const productionFaultPoints = [
  'worker:before-close-day',
  'worker:after-close-day',
  'worker:before-settle-pledges',
  'worker:after-settle-pledges',
  'worker:before-return-pledges',
  'worker:after-return-pledges',
  'api:before-collect',
] as const

export const faultPoints = [...payoutFaultPoints, ...orderFaultPoints, ...productionFaultPoints]

export type FaultPoint = (typeof faultPoints)[number]
