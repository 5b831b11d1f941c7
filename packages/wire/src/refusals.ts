/**
 * Every refusal of a call: the stable `reason` that the client uses, and the HTTP status, which is also the envelope's
 * `code`. The texts for members are in texts/, one file for each language.
 */
export const refusals = {
  format: 400,
  'account-format': 400,
  'invite-format': 400,
  'address-format': 400,
  'password-format': 400,
  'session-expired': 401,
  'account-mismatch': 403,
  'exit-only': 403,
  'account-disabled': 403,
  'region-restricted': 403,
  'registration-closed': 403,
  'team-node-unknown': 404,
  'not-found': 404,
  'order-unknown': 404,
  'account-registered': 409,
  'signature-used': 409,
  'fund-password-unset': 409,
  'fund-password-chosen': 409,
  'reset-waiting': 409,
  'reset-none': 409,
  'output-address-same': 409,
  'output-address-waiting': 409,
  'output-address-none': 409,
  'transfer-lock-shorter': 409,
  'output-address-changed': 409,
  'risk-changed': 409,
  'plan-none': 409,
  'plan-changed': 409,
  'order-open': 409,
  'order-completed': 409,
  'level-not-next': 409,
  'claim-nothing': 409,
  'collect-nothing': 409,
  'partner-not-activated': 409,
  'partner-layers-open': 409,
  'partner-applied': 409,
  'partner-approved': 409,
  'key-conflict': 409,
  'account-reserved': 422,
  'account-unknown': 422,
  'invite-unknown': 422,
  'message-invalid': 422,
  'message-expired': 422,
  'signature-invalid': 422,
  'fund-password-wrong': 422,
  'fund-password-locked': 422,
  'password-easily-guessed': 422,
  'setup-code-wrong': 422,
  'setup-code-refused': 422,
  'output-address-refused': 422,
  'session-unknown': 422,
  'amount-range': 422,
  'expert-only': 422,
  'pledge-minimum': 422,
  'pledge-term': 422,
  'balance-part-range': 422,
  'balance-insufficient': 422,
  'quota-insufficient': 422,
  'rate-limited': 429,
  internal: 500,
  'chain-unavailable': 503,
  'payments-unavailable': 503,
  'vault-paused': 503,
  unavailable: 503,
} as const satisfies Record<string, 400 | 401 | 403 | 404 | 409 | 422 | 429 | 500 | 503>

export type RefusalCode = keyof typeof refusals
export type RefusalTexts = Record<RefusalCode, string>

export const isRefusalCode = (value: unknown): value is RefusalCode =>
  typeof value === 'string' && Object.hasOwn(refusals, value)

/** Refusals that any call can get. */
export const commonRefusals = ['format', 'rate-limited', 'internal', 'unavailable'] as const satisfies RefusalCode[]

/** Refusals that any call of a signed-in member can get. */
export const memberRefusals = [
  ...commonRefusals,
  'session-expired',
  'account-mismatch',
  'account-format',
  'exit-only',
] as const satisfies RefusalCode[]
