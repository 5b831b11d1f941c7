import { developmentAccounts } from './accounts.ts'
import { createPanel } from './panel.ts'
import { createDevWallet, type DevWallet } from './wallet.ts'
import { ProviderError, type StoredState } from './wallet-state.ts'

/** check-bundle-size.ts searches production builds for this name, the mnemonic and more: none of it may be in them. */
const RDNS = 'dev.lode.wallet'
const STORAGE_KEY = 'dev-wallet'
const RPC_PATH = '/dev-rpc'

/** Puts a wallet into the page, so that the whole product can be tried in any browser without an extension. */
export function installDevWallet(): void {
  const panel = createPanel(() => wallet)
  const wallet: DevWallet = createDevWallet({
    accounts: developmentAccounts(),
    rpc,
    approve: panel.approve,
    load: () => JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}') as Partial<StoredState>,
    save: (state) => localStorage.setItem(STORAGE_KEY, JSON.stringify(state)),
  })
  const detail = Object.freeze({
    info: Object.freeze({ uuid: crypto.randomUUID(), name: 'Lode development wallet', icon: ICON, rdns: RDNS }),
    provider: wallet.provider,
  })
  const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  window.addEventListener('eip6963:requestProvider', announce)
  announce()
}

async function rpc(method: string, params: readonly unknown[]): Promise<unknown> {
  const response = await fetch(RPC_PATH, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const answer = (await response.json()) as { result?: unknown; error?: { code: number; message: string } }
  if (answer.error) throw new ProviderError(answer.error.code, answer.error.message)
  return answer.result
}

const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"><rect width="96" height="96" rx="22" fill="#4a2b7a"/><g fill="none" stroke="#f3ecff" stroke-width="7" stroke-linecap="round"><path d="M48 74V22"/><path d="M48 62C36 57 28 46 26 30"/><path d="M48 62c12-5 20-16 22-32"/></g></svg>',
)}`
