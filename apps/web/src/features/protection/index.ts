export { ChoosePasswordSheet } from './ChoosePasswordSheet.tsx'
export { ProtectionCards } from './ProtectionCards.tsx'
export { ResetBanner } from './ResetBanner.tsx'
