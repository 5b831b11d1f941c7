import { storage } from '../shared/session/index.ts'

const KEY = 'wallet'

/**
 * Which wallet was used last, by its id. After a reload it lets that wallet's account be watched without opening anything;
 * it never connects by itself.
 */
export const rememberWallet = (id: string): void => storage.setItem(KEY, id)

export const rememberedWallet = (): string | null => storage.getItem(KEY)
