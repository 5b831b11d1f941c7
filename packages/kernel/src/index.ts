export { crockfordFromBytes, normalizeCrockford } from './crockford.ts'
export { addDays, type DayNumber, dayNumber, dayOf, startOfDay } from './day.ts'
export { isEasilyGuessed } from './easily-guessed.ts'
export { type Id, makeId } from './id.ts'
export {
  INVITATION_CODE_LENGTH,
  type InvitationCode,
  makeInvitationCode,
  parseInvitationCode,
} from './invitation-code.ts'
export { findLookAlike } from './look-alike.ts'
export {
  type AmountError,
  type Asset,
  add,
  assets,
  compare,
  formatAmount,
  larger,
  least,
  MAX_UNITS,
  minNotNegative,
  mulDivFloor,
  parseAmount,
  subtract,
  type Units,
  units,
} from './money.ts'
export { assertNever } from './never.ts'
export { findPromiseWords } from './promise-words.ts'
export { type Ok, ok, type Refused, type Result, refused } from './result.ts'
export {
  entitled,
  fraction,
  NO_SHARES,
  SHARE_SCALE,
  type ShareChanges,
  type ShareSpan,
  type ShareState,
  shareOut,
} from './sharing.ts'
