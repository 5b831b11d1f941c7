/** Each view is loaded when it is first opened. Home needs neither, but other parts of this feature. */
export const loadWalletView = async () => (await import('./WalletView.tsx')).WalletView
export const loadWalletDetailView = async () => (await import('./WalletDetailView.tsx')).WalletDetailView

export { HiddenNote } from './HiddenNote.tsx'
export { OldPrices } from './OldPrices.tsx'
export { PeriodPicker } from './PeriodPicker.tsx'
export { dayNumberOf, type Period, type PeriodChoice } from './period.ts'
export { ageInDays, oldPriceDays } from './price-age.ts'
export { TotalValue } from './TotalValue.tsx'
