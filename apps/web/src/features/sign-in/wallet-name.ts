import type { TFunction } from 'i18next'
import type { Wallet } from '../../chain/index.ts'

export const walletName = (t: TFunction, wallet: Wallet): string => wallet.name ?? t('signIn.browserWallet')
