import { lazyComponent } from '../../shared/parts/index.ts'

/** Mounted beside the views, so that it stays when the page behind it changes. */
export const DepositSheet = lazyComponent(async () => (await import('./DepositSheet.tsx')).DepositSheet)
