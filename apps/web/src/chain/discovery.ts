import { asProvider, type Provider, read } from './provider.ts'

/** The wallets that the app knows by name, in display order. Other wallets follow after them. */
const KNOWN_WALLETS = [
  { brand: 'onekey', rdns: 'so.onekey.app.wallet', name: 'OneKey', flags: ['isOneKey'] },
  { brand: 'trust', rdns: 'com.trustwallet.app', name: 'Trust Wallet', flags: ['isTrust', 'isTrustWallet'] },
  { brand: 'bitget', rdns: 'com.bitget.web3', name: 'Bitget Wallet (BitKeep)', flags: ['isBitKeep'] },
] as const

export type Brand = (typeof KNOWN_WALLETS)[number]['brand'] | 'other'

export type Wallet = {
  /** The wallet's reverse domain name, under which it is remembered; `injected`, `injected-2` … if it has none. */
  readonly id: string
  readonly brand: Brand
  /** Null for an injected wallet without a name. The screen shows a translated text instead. */
  readonly name: string | null
  /** A `data:image` URL, or null. The app never loads an icon from a wallet's URL. */
  readonly icon: string | null
  readonly provider: Provider
}

/** `announced`: the details of EIP-6963 announcements, unchecked. `globals`: the window. */
export type DiscoveryInput = { readonly announced: readonly unknown[]; readonly globals: unknown }

const MAX_ANNOUNCEMENTS = 50
const MAX_PROVIDERS = 20
const MAX_NAME_LENGTH = 64
const MAX_RDNS_LENGTH = 128
/** Real icons have 1 to 40 kB. The limit keeps the list of wallets from holding megabytes. */
const MAX_ICON_LENGTH = 200_000
const RDNS = /^[a-z0-9-]+(?:\.[a-z0-9_-]+)+$/i
const ICON = /^data:image\/(?:png|jpeg|gif|webp|avif|svg\+xml)[;,]/i
/** Control characters, direction marks and invisible characters. They are removed so that a name cannot deceive. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/**
 * Wallets that announce themselves and are also at `window.ethereum`, as a different object. Without this list they
 * would appear twice. Most wallets also claim to be MetaMask, so that claim is checked last.
 */
const ALSO_INJECTED = [
  ['isRabby', 'io.rabby'],
  ['isBraveWallet', 'com.brave.wallet'],
  ['isCoinbaseWallet', 'com.coinbase.wallet'],
  ['isOkxWallet', 'com.okex.wallet'],
  ['isMetaMask', 'io.metamask'],
] as const

/**
 * Lists each wallet of a page once. It takes announced wallets first, because they identify themselves. Then it takes
 * the globals that older wallets and in-app browsers set, unless their id or provider is already in the list. It skips
 * malformed entries.
 */
export function listWallets(input: DiscoveryInput): Wallet[] {
  const found: Wallet[] = []
  const add = (wallet: Wallet | undefined) => {
    if (!wallet) return
    if (!found.some((other) => other.id === wallet.id || other.provider === wallet.provider)) found.push(wallet)
  }
  for (const detail of input.announced.slice(0, MAX_ANNOUNCEMENTS)) add(fromAnnouncement(detail))

  const globals = input.globals
  const ethereum = read(globals, 'ethereum')
  const trust = read(globals, 'trustwallet')
  add(createKnownWallet('onekey', read(read(globals, '$onekey'), 'ethereum')))
  add(createKnownWallet('trust', asProvider(trust) ?? read(trust, 'ethereum')))
  add(createKnownWallet('bitget', read(read(globals, 'bitkeep'), 'ethereum')))
  // If several wallets share `window.ethereum`, that object is often only a proxy in front of its `providers`.
  const listed = providersOf(ethereum)
  for (const provider of listed.length > 0 ? listed : [ethereum]) add(fromGlobal(provider, found))

  return found.sort((left, right) => rank(left) - rank(right))
}

function fromAnnouncement(detail: unknown): Wallet | undefined {
  const info = read(detail, 'info')
  const provider = asProvider(read(detail, 'provider'))
  const rdns = read(info, 'rdns')
  const announcedName = read(info, 'name')
  const icon = checkIcon(read(info, 'icon'))
  if (!provider || icon === undefined) return undefined
  if (typeof rdns !== 'string' || rdns.length > MAX_RDNS_LENGTH || !RDNS.test(rdns)) return undefined
  if (typeof announcedName !== 'string' || announcedName.length > MAX_NAME_LENGTH) return undefined
  const name = announcedName.replace(INVISIBLE, '').trim()
  if (!name) return undefined
  const id = rdns.toLowerCase()
  const brand = KNOWN_WALLETS.find((known) => known.rdns === id)?.brand ?? 'other'
  return { id, brand, name, icon, provider }
}

/** Null if there is no icon to show. Undefined if the value is one that no honest wallet announces. */
function checkIcon(icon: unknown): string | null | undefined {
  if (icon === undefined || icon === null || icon === '') return null
  if (typeof icon !== 'string' || icon.length > MAX_ICON_LENGTH) return undefined
  if (ICON.test(icon)) return icon
  return /^https?:\/\//i.test(icon) ? null : undefined
}

function createKnownWallet(brand: (typeof KNOWN_WALLETS)[number]['brand'], value: unknown): Wallet | undefined {
  const provider = asProvider(value)
  const known = KNOWN_WALLETS.find((candidate) => candidate.brand === brand)
  return provider && known ? { id: known.rdns, brand, name: known.name, icon: null, provider } : undefined
}

function fromGlobal(value: unknown, found: readonly Wallet[]): Wallet | undefined {
  const provider = asProvider(value)
  if (!provider) return undefined
  const known = KNOWN_WALLETS.find(({ flags }) => flags.some((flag) => read(provider, flag) === true))
  if (known) return createKnownWallet(known.brand, provider)
  const claimed = ALSO_INJECTED.find(([flag]) => read(provider, flag) === true)?.[1]
  if (found.some((wallet) => wallet.id === claimed)) return undefined
  const unnamed = found.filter((wallet) => wallet.name === null && wallet.provider !== provider).length
  return {
    id: unnamed === 0 ? 'injected' : `injected-${unnamed + 1}`,
    brand: 'other',
    name: null,
    icon: null,
    provider,
  }
}

function providersOf(ethereum: unknown): Provider[] {
  const list = read(ethereum, 'providers')
  const length = read(list, 'length')
  if (typeof length !== 'number') return []
  return Array.from({ length: Math.min(Math.max(length, 0) || 0, MAX_PROVIDERS) }, (_, index) =>
    asProvider(read(list, String(index))),
  ).filter((provider) => provider !== undefined)
}

function rank(wallet: Wallet): number {
  const index = KNOWN_WALLETS.findIndex((known) => known.brand === wallet.brand)
  return index === -1 ? KNOWN_WALLETS.length : index
}
