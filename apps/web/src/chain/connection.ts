import { ok, type Result, refused } from '@lode/kernel'
import type { DataOf } from '@lode/wire'
import type { Address, Hex } from 'viem'
import { getAddress, isHex, stringToHex } from 'viem/utils'
import { answerInTime } from './answer-in-time.ts'
import { type Provider, read } from './provider.ts'
import { type WalletProblem, walletProblemOf } from './wallet-problem.ts'

/** The pool's chain, with the details that a wallet needs to add it. */
export type PoolChain = DataOf<'pool/chain'>

/** The timeout of a request that the wallet answers without asking the member. */
const QUIET_TIMEOUT_MS = 8_000
/** Some wallets report the old chain for a moment after a switch, so the app reads the chain id several times. */
const SWITCH_CHECKS = 10
const SWITCH_CHECK_MS = 150

/** Asks the member to share an account with this site. */
export async function connect(provider: Provider): Promise<Result<Address, WalletProblem | 'no-account'>> {
  const answer = await ask(provider, 'eth_requestAccounts')
  if (!answer.ok) return answer
  const account = firstAccount(answer.value)
  return account ? ok(account) : refused('no-account')
}

/** The account that the wallet already shares. Does not open the wallet. */
export async function currentAccount(provider: Provider): Promise<Result<Address | null, WalletProblem>> {
  const answer = await askQuietly(provider, 'eth_accounts')
  return answer.ok ? ok(firstAccount(answer.value)) : answer
}

export async function currentChainId(provider: Provider): Promise<Result<number | null, WalletProblem>> {
  const answer = await askQuietly(provider, 'eth_chainId')
  return answer.ok ? ok(chainIdFrom(answer.value)) : answer
}

/**
 * Handles one press of the switch button. Asks the wallet to switch. If the wallet does not know the chain, asks
 * once to add it. Only some wallets also switch when they add a chain; the others are asked to switch once more. No
 * step is repeated automatically.
 */
export async function switchChain(
  provider: Provider,
  chain: PoolChain,
): Promise<Result<undefined, WalletProblem | 'unchanged'>> {
  const target = [{ chainId: `0x${chain.chainId.toString(16)}` }]
  const switched = await ask(provider, 'wallet_switchEthereumChain', target)
  if (!switched.ok) {
    if (switched.error !== 'chain-unknown') return switched
    const added = await ask(provider, 'wallet_addEthereumChain', [
      {
        ...target[0],
        chainName: chain.name,
        nativeCurrency: chain.currency,
        rpcUrls: [chain.rpcUrl],
        ...(chain.explorerUrl === null ? {} : { blockExplorerUrls: [chain.explorerUrl] }),
      },
    ])
    if (!added.ok) return added
    if (await isOnChain(provider, chain.chainId, 1)) return ok(undefined)
    const again = await ask(provider, 'wallet_switchEthereumChain', target)
    if (!again.ok) return again
  }
  return (await isOnChain(provider, chain.chainId, SWITCH_CHECKS)) ? ok(undefined) : refused('unchanged')
}

/**
 * Asks for an EIP-191 signature of readable text. Accepts hex of any even length, because contract wallets have their
 * own signature formats.
 */
export async function signMessage(
  provider: Provider,
  account: Address,
  message: string,
): Promise<Result<Hex, WalletProblem | 'no-signature'>> {
  const answer = await ask(provider, 'personal_sign', [stringToHex(message), account])
  if (!answer.ok) return answer
  const signature = answer.value
  return isHex(signature) && signature.length > 2 && signature.length % 2 === 0
    ? ok(signature)
    : refused('no-signature')
}

/**
 * Asks for an EIP-712 signature of terms that the wallet shows one by one. The caller passes amounts as decimal text:
 * JSON has no bigint, and wallets expect text.
 */
export async function signTypedData(
  provider: Provider,
  account: Address,
  typedData: object,
): Promise<Result<Hex, WalletProblem | 'no-signature'>> {
  const answer = await ask(provider, 'eth_signTypedData_v4', [account, JSON.stringify(typedData)])
  if (!answer.ok) return answer
  return isHex(answer.value) ? ok(answer.value) : refused('no-signature')
}

/**
 * Asks the wallet to send a call without value. The request names the chain, because the member can switch the wallet
 * to another chain while the request is open.
 * `no-hash`: the wallet accepted but returned no transaction hash.
 */
export async function sendTransaction(
  provider: Provider,
  { account, chainId }: { account: Address; chainId: number },
  { to, data }: { to: Address; data: Hex },
): Promise<Result<Hex, WalletProblem | 'no-hash'>> {
  const answer = await ask(provider, 'eth_sendTransaction', [
    { from: account, to, data, chainId: `0x${chainId.toString(16)}` },
  ])
  if (!answer.ok) return answer
  const hash = answer.value
  return typeof hash === 'string' && /^0x[0-9a-f]{64}$/i.test(hash) ? ok(hash.toLowerCase() as Hex) : refused('no-hash')
}

/** Opens the wallet's account chooser, in wallets that have one. */
export async function chooseAccount(provider: Provider): Promise<Result<undefined, WalletProblem>> {
  const answer = await ask(provider, 'wallet_requestPermissions', [{ eth_accounts: {} }])
  return answer.ok ? ok(undefined) : answer
}

export type WalletListener = {
  /** Null when the wallet no longer shares an account with this site. */
  account?(account: Address | null): void
  chain?(chainId: number | null): void
  disconnect?(): void
}

/** Calls the listener when the wallet's account or chain changes. Returns a function that stops it. */
export function watchWallet(provider: Provider, listener: WalletListener): () => void {
  const handlers = {
    accountsChanged: (accounts: unknown) => listener.account?.(firstAccount(accounts)),
    chainChanged: (chainId: unknown) => listener.chain?.(chainIdFrom(chainId)),
    disconnect: (error: unknown) => {
      // 1013 means "try again later": the wallet lost its node for a moment and reconnects by itself.
      if (read(error, 'code') !== 1013) listener.disconnect?.()
    },
  }
  const callForEachEvent = (operation: 'on' | 'removeListener') => {
    for (const [event, handler] of Object.entries(handlers)) {
      try {
        provider[operation]?.(event, handler)
      } catch {
        // A wallet without events is still usable: account and chain are read again before each use.
      }
    }
  }
  callForEachEvent('on')
  return () => callForEachEvent('removeListener')
}

async function ask(
  provider: Provider,
  method: string,
  params?: readonly unknown[],
): Promise<Result<unknown, WalletProblem>> {
  try {
    return ok(await provider.request(params === undefined ? { method } : { method, params }))
  } catch (thrown) {
    return refused(walletProblemOf(thrown))
  }
}

const askQuietly = (provider: Provider, method: string): Promise<Result<unknown, WalletProblem>> =>
  answerInTime(ask(provider, method), QUIET_TIMEOUT_MS, refused('silent'))

async function isOnChain(provider: Provider, chainId: number, attempts: number): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    const current = await currentChainId(provider)
    if (current.ok && current.value === chainId) return true
    if (attempt >= attempts) return false
    await new Promise((resolve) => setTimeout(resolve, SWITCH_CHECK_MS))
  }
}

/** Wallets write addresses in lower case, in upper case or with an EIP-55 checksum. Returns the checksum form. */
function firstAccount(accounts: unknown): Address | null {
  const first = read(accounts, '0')
  return typeof first === 'string' && /^0x[0-9a-f]{40}$/i.test(first)
    ? getAddress(first.toLowerCase() as Address)
    : null
}

/** The standard says a hex string, but some wallets send a decimal string or a number. */
function chainIdFrom(value: unknown): number | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const id = Number(value)
  return Number.isSafeInteger(id) && id > 0 ? id : null
}
