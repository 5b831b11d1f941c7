import { type HDAccount, mnemonicToAccount } from 'viem/accounts'

/** Publicly known, and funded on every development chain. Real money sent to these accounts is lost. */
const DEVELOPMENT_MNEMONIC = 'test test test test test test test test test test test junk'
const ACCOUNTS = 10

export const developmentAccounts = (): readonly HDAccount[] =>
  Array.from({ length: ACCOUNTS }, (_, addressIndex) => mnemonicToAccount(DEVELOPMENT_MNEMONIC, { addressIndex }))
