import { type HDAccount, mnemonicToAccount } from 'viem/accounts'

/** Known to the whole world, and funded on every development chain. Whoever sends real money here loses it. */
const DEVELOPMENT_MNEMONIC = 'test test test test test test test test test test test junk'
const ACCOUNTS = 10

export const developmentAccounts = (): readonly HDAccount[] =>
  Array.from({ length: ACCOUNTS }, (_, addressIndex) => mnemonicToAccount(DEVELOPMENT_MNEMONIC, { addressIndex }))
