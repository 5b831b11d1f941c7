/**
 * Both views are loaded when the first of them is opened, so that a member who loses the network between them still has
 * the other. Home needs neither, but other parts of this feature.
 */
export const loadWalletView = async () => (await import('./wallet-views.ts')).WalletView
export const loadWalletDetailView = async () => (await import('./wallet-views.ts')).WalletDetailView

export { HiddenNote } from './HiddenNote.tsx'
export { OldPrices } from './OldPrices.tsx'
export { PeriodPicker } from './PeriodPicker.tsx'
export { dayNumberOf, type Period, type PeriodChoice } from './period.ts'
export { ageInDays, oldPriceDays } from './price-age.ts'
export { TotalValue } from './TotalValue.tsx'
