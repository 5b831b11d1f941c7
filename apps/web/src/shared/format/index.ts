export { shortAddress, unbrokenAddress } from './address.ts'
export {
  addAmounts,
  amountParts,
  formatAmount,
  formatWholeAmount,
  isZero,
  type Places,
  placesOf,
  valuePlaces,
  wholePlaces,
} from './amount.ts'
export { parseEnteredAmount, wrongAmountText } from './entered-amount.ts'
export { explorerPage } from './explorer.ts'
export { formatInvite } from './invite.ts'
export { formatDate, formatDay, formatMoment, formatMonth, formatRecent } from './moment.ts'
export { remainingUntil } from './remaining.ts'
export { formatShare } from './share.ts'
export { formatWeight } from './weight.ts'
