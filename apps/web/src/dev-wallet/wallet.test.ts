import { recoverMessageAddress, recoverTypedDataAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { developmentAccounts } from './accounts.ts'
import { createDevWallet } from './wallet.ts'
import type { Approval, StoredState } from './wallet-state.ts'

const NEWCOMER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const OTHER = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const text = (message: string) => `0x${Buffer.from(message).toString('hex')}`

function install(
  decide: (approval: Approval) => boolean | Promise<boolean> = () => true,
  kept: Partial<StoredState> = {},
) {
  const shown: Approval[] = []
  const passedOn: string[] = []
  const saved: StoredState[] = []
  const wallet = createDevWallet({
    accounts: developmentAccounts(),
    rpc: async (method) => {
      passedOn.push(method)
      return method === 'eth_chainId' ? '0x7a69' : '0x0'
    },
    approve: async (approval) => {
      shown.push(approval)
      return decide(approval)
    },
    load: () => kept,
    save: (now) => saved.push(now),
  })
  const heard: [string, unknown][] = []
  for (const event of ['accountsChanged', 'chainChanged']) {
    wallet.provider.on(event, (payload) => heard.push([event, payload]))
  }
  const ask = (method: string, ...params: unknown[]) => wallet.provider.request({ method, params })
  return { wallet, ask, shown, heard, passedOn, saved }
}

describe('the development wallet', () => {
  it('holds the ten accounts that every development chain funds', () => {
    expect(developmentAccounts().map((account) => account.address)).toContain(OTHER)
    expect(developmentAccounts()).toHaveLength(10)
  })

  it('shows no account before it is connected', async () => {
    const { ask } = install()
    expect(await ask('eth_accounts')).toEqual([])
    await expect(ask('personal_sign', text('hello'), NEWCOMER)).rejects.toMatchObject({ code: 4100 })
  })

  it('connects after approval with an account that is not a member yet, and asks only once', async () => {
    const { ask, shown } = install()
    await ask('eth_requestAccounts')
    expect(await ask('eth_requestAccounts')).toEqual([NEWCOMER.toLowerCase()])
    expect(shown).toEqual([{ kind: 'connect' }])
  })

  it('returns error 4001 for a refusal, as wallets do', async () => {
    const { ask } = install(() => false)
    await expect(ask('eth_requestAccounts')).rejects.toMatchObject({ code: 4001 })
  })

  it('returns error -32002 while another request is open', async () => {
    const { ask } = install(() => new Promise(() => {}))
    void ask('eth_requestAccounts')
    await expect(ask('eth_requestAccounts')).rejects.toMatchObject({ code: -32002 })
  })

  it('shows a message before it signs it', async () => {
    const { ask, shown } = install()
    await ask('eth_requestAccounts')
    const signature = await ask('personal_sign', text('héllo'), NEWCOMER)
    expect(shown.at(-1)).toMatchObject({ kind: 'sign', details: 'héllo' })
    expect(await recoverMessageAddress({ message: 'héllo', signature: signature as `0x${string}` })).toBe(NEWCOMER)
  })

  it('signs typed data', async () => {
    const { ask } = install()
    await ask('eth_requestAccounts')
    const typed = {
      domain: { name: 'Lode', chainId: 31_337 },
      types: { Quote: [{ name: 'amount', type: 'uint256' }] },
      primaryType: 'Quote',
      message: { amount: '7' },
    } as const
    const signature = await ask('eth_signTypedData_v4', NEWCOMER, JSON.stringify(typed))
    const signer = await recoverTypedDataAddress({
      ...typed,
      message: { amount: 7n },
      signature: signature as `0x${string}`,
    })
    expect(signer).toBe(NEWCOMER)
  })

  it('changes its account and tells the page', async () => {
    const { wallet, ask, heard } = install()
    await ask('eth_requestAccounts')
    wallet.chooseAccount(2)
    expect(heard.at(-1)).toEqual(['accountsChanged', [OTHER.toLowerCase()]])
    await expect(ask('personal_sign', text('hello'), NEWCOMER)).rejects.toMatchObject({ code: 4100 })
  })

  it('can be on a wrong network and be switched back', async () => {
    const { wallet, ask, heard } = install()
    await wallet.setChain(1)
    expect(await ask('eth_chainId')).toBe('0x1')
    await ask('wallet_switchEthereumChain', { chainId: '0x7a69' })
    expect(await ask('eth_chainId')).toBe('0x7a69')
    expect(heard).toEqual([
      ['chainChanged', '0x1'],
      ['chainChanged', '0x7a69'],
    ])
  })

  it('does not know a chain before it was added', async () => {
    const { ask } = install()
    await expect(ask('wallet_switchEthereumChain', { chainId: '0x38' })).rejects.toMatchObject({ code: 4902 })
    await ask('wallet_addEthereumChain', { chainId: '0x38', chainName: 'Other' })
    expect(await ask('eth_chainId')).toBe('0x38')
  })

  it('sends nothing while it is on another chain', async () => {
    const { wallet, ask } = install()
    await ask('eth_requestAccounts')
    await wallet.setChain(1)
    await expect(ask('eth_sendTransaction', { from: NEWCOMER, to: OTHER })).rejects.toMatchObject({ code: 4901 })
  })

  it('forwards every other request to the chain', async () => {
    const { ask, passedOn } = install()
    await ask('eth_getBalance', NEWCOMER, 'latest')
    expect(passedOn).toEqual(['eth_getBalance'])
  })

  it('keeps its account and connection after a reload', async () => {
    const { ask, wallet, saved } = install()
    await ask('eth_requestAccounts')
    wallet.chooseAccount(2)
    const again = install(() => true, saved.at(-1))
    expect(await again.ask('eth_accounts')).toEqual([OTHER.toLowerCase()])
    expect(again.shown).toEqual([])
  })
})
