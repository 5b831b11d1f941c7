import type { Wallet } from '../../chain/index.ts'
import type { TextFunction } from '../../shared/i18n/index.ts'

export const walletName = (t: TextFunction, wallet: Wallet): string => wallet.name ?? t('signIn.browserWallet')
