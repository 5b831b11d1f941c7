import type { Hex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { findNodeErrors } from './node-address.ts'

/**
 * The mnemonic from which every development chain derives its funded accounts. The list below has their addresses, and
 * then the addresses of the development pool's keys.
 */
const DEVELOPMENT_MNEMONIC = 'test test test test test test test test test test test junk'
const DEVELOPMENT_ACCOUNTS = [
  '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
  '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65',
  '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc',
  '0x976EA74026E726554dB657fA54763abd0C3a0aa9',
  '0x14dC79964da2C08b23698B3D3cc7Ca32193d9955',
  '0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f',
  '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720',
  '0xBcd4042DE499D14e55001CcbB24a551F3b954096',
  '0x71bE63f3384f5fb98995898A86B02Fb2426c5788',
  '0xFABB0ac9d68B0B445fB7357272Ff202C5651694a',
  '0x1CBd3b2770909D4e10f157cABC84C7264073C9Ec',
  '0xdF3e18d64BC6A983f673Ab319CCaE4f1a57C7097',
  '0xcd3B766CCDd6AE721141F452C550Ca635964ce71',
]
const DEVELOPMENT_CHAINS = ['31337', '1337']
const PLACEHOLDER = /develop|change|example|default|password|secret|insecure/i

/** Of thirty million random secrets of 32 hexadecimal digits, about one has fewer distinct characters than this. */
const MIN_DISTINCT_CHARACTERS = 8

/** Returns the errors because of which a production process refuses to start, as texts for the operator. */
export function findProductionErrors(environment: Readonly<Record<string, string | undefined>>): string[] {
  const errors: string[] = []
  const { NONCE_SECRET, RATE_LIMITS, PUBLIC_ORIGIN, CHAIN_ID, CHAIN_RPC_URL, CHAIN_PUBLIC_RPC_URL } = environment

  if (NONCE_SECRET !== undefined) {
    if (PLACEHOLDER.test(NONCE_SECRET) || new Set(NONCE_SECRET).size < MIN_DISTINCT_CHARACTERS)
      errors.push('NONCE_SECRET: must be random in production, and not a placeholder')
  }
  if (RATE_LIMITS === 'off') errors.push('RATE_LIMITS: cannot be off in production')
  if (environment.FAULTS !== undefined)
    errors.push('FAULTS: lets tests kill the process, and must not be set in production')
  if (PUBLIC_ORIGIN !== undefined && !PUBLIC_ORIGIN.startsWith('https://'))
    errors.push('PUBLIC_ORIGIN: must be https in production')
  if (CHAIN_ID !== undefined && DEVELOPMENT_CHAINS.includes(CHAIN_ID))
    errors.push(`CHAIN_ID: ${CHAIN_ID} is a development chain`)

  // Without CHAIN_PUBLIC_RPC_URL, every wallet would get CHAIN_RPC_URL, which often contains a paid key.
  if (CHAIN_RPC_URL !== undefined && CHAIN_PUBLIC_RPC_URL === undefined)
    errors.push('CHAIN_PUBLIC_RPC_URL: must be set in production, to an address that everybody may know')

  if (CHAIN_RPC_URL !== undefined)
    errors.push(...findNodeErrors(CHAIN_RPC_URL).map((error) => `CHAIN_RPC_URL: ${error}`))

  // Only the signer may have the payer's key, so that it cannot be stolen from a process that members can reach.
  if (environment.SIGNER_PORT === undefined) {
    if (environment.PAYER_KEY !== undefined) errors.push('PAYER_KEY: must be set for the signer only')
  } else {
    if (!boundsEveryAsset(environment.SIGNER_DAY_CAP))
      errors.push('SIGNER_DAY_CAP: must bound USDT, BTN and BTC in production')
    // Without a journal the signer cannot notice that the database forgot what it has sent.
    if (environment.SIGNER_JOURNAL === undefined)
      errors.push('SIGNER_JOURNAL: must be set in production, to a file on a disk that outlives the process')
    // Without this hash the signer could verify no plan and no approval: it would trust unsigned plans, or not pay.
    if (environment.OPERATORS_CEREMONY === undefined)
      errors.push('OPERATORS_CEREMONY: must be set in production, to the hash that lode operator init printed')
  }

  for (const [name, value = ''] of Object.entries(environment))
    if (containsDevelopmentKey(value)) errors.push(`${name}: holds a publicly known development key`)
  return errors
}

const boundsEveryAsset = (bounds = ''): boolean => ['USDT:', 'BTN:', 'BTC:'].every((asset) => bounds.includes(asset))

function containsDevelopmentKey(value: string): boolean {
  if (value.toLowerCase().includes(DEVELOPMENT_MNEMONIC)) return true
  const keys = value.match(/(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/gi) ?? []
  return keys.some((key) => DEVELOPMENT_ACCOUNTS.includes(addressOf(`0x${key}`)))
}

/** Returns an empty text if the 64 digits are not a valid private key. */
function addressOf(key: Hex): string {
  try {
    return privateKeyToAddress(key)
  } catch {
    return ''
  }
}
