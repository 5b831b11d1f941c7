export { shortAddress, unbrokenAddress } from './address.ts'
export {
  amountParts,
  formatAmount,
  isZero,
  type Places,
  placesOf,
  sumOf,
  valuePlaces,
  wholeAmount,
  wholePlaces,
} from './amount.ts'
export { enteredAmount, wrongAmountText } from './entered-amount.ts'
export { explorerPage } from './explorer.ts'
export { spelledInvite } from './invite.ts'
export { formatDate, formatDay, formatMoment, formatRecent } from './moment.ts'
export { remainingUntil } from './remaining.ts'
export { formatShare } from './share.ts'
export { formatWeight } from './weight.ts'
