export { shortAddress, unbrokenAddress } from './address.ts'
export { spelledInvite } from './invite.ts'
export { formatDate, formatMoment } from './moment.ts'
export { remainingUntil } from './remaining.ts'
