import { storage } from '../shared/session/index.ts'

const KEY = 'wallet'

/**
 * Stores the id of the wallet that was used last. After a reload the app can watch that wallet's account without
 * opening it. The app never connects by itself.
 */
export const saveLastWalletId = (id: string): void => storage.setItem(KEY, id)

export const loadLastWalletId = (): string | null => storage.getItem(KEY)
