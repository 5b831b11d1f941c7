import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  chooseAccount,
  connect,
  currentAccount,
  currentChainId,
  signMessage,
  switchChain,
  watchWallet,
} from './connection.ts'
import type { Provider } from './provider.ts'
import { exampleChain as chain } from './testing/chain.ts'

const ACCOUNT = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

type Answers = Record<string, (params: readonly unknown[]) => unknown>

/** A wallet with scripted answers. It records the requests that it receives. */
function scripted(answers: Answers) {
  const asked: string[] = []
  const provider: Provider = {
    request: async ({ method, params }) => {
      asked.push(method)
      const answer = answers[method]
      if (!answer) throw { code: -32601 }
      return answer(params ?? [])
    },
  }
  return { provider, asked }
}
const fail = (code: number) => () => {
  throw { code }
}

describe('connecting a wallet', () => {
  it('returns the account with its checksum for any spelling', async () => {
    for (const spelling of [ACCOUNT, ACCOUNT.toLowerCase(), `0x${ACCOUNT.slice(2).toUpperCase()}`]) {
      const { provider } = scripted({ eth_requestAccounts: () => [spelling, '0x0'] })
      expect(await connect(provider)).toEqual({ ok: true, value: ACCOUNT })
    }
  })

  it.each([[[]], [null], ['0x'], [['not an address']], [[42]], [{ length: 1 }]])(
    'finds no account if the wallet answers %j',
    async (answer) => {
      expect(await connect(scripted({ eth_requestAccounts: () => answer }).provider)).toEqual({
        ok: false,
        error: 'no-account',
      })
    },
  )

  it('reports why a wallet did not connect', async () => {
    const refusal = await connect(scripted({ eth_requestAccounts: fail(4001) }).provider)
    const open = await connect(scripted({ eth_requestAccounts: fail(-32002) }).provider)
    expect([refusal, open]).toEqual([
      { ok: false, error: 'refused' },
      { ok: false, error: 'pending' },
    ])
  })

  it('handles a wallet that throws before it answers', async () => {
    const provider: Provider = {
      request: () => {
        throw new Error('not ready')
      },
    }
    expect(await connect(provider)).toEqual({ ok: false, error: 'other' })
  })

  it('reads the current account with eth_accounts only, without opening the wallet', async () => {
    const { provider, asked } = scripted({ eth_accounts: () => [] })
    expect(await currentAccount(provider)).toEqual({ ok: true, value: null })
    expect(asked).toEqual(['eth_accounts'])
  })
})

describe('the chain of a wallet', () => {
  it.each([
    ['0x7a69', 31_337],
    ['31337', 31_337],
    [31_337, 31_337],
    ['0x', null],
    [null, null],
    [-1, null],
    [{}, null],
  ])('is read from %j', async (answer, id) => {
    expect(await currentChainId(scripted({ eth_chainId: () => answer }).provider)).toEqual({ ok: true, value: id })
  })

  it('counts as silent when the wallet does not answer', async () => {
    vi.useFakeTimers()
    const waiting = currentChainId({ request: () => new Promise(() => {}) })
    await vi.advanceTimersByTimeAsync(8_000)
    expect(await waiting).toEqual({ ok: false, error: 'silent' })
    vi.useRealTimers()
  })
})

describe('switching the network', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })
  const run = async (provider: Provider) => {
    const switching = switchChain(provider, chain)
    await vi.runAllTimersAsync()
    return switching
  }

  it('asks once and checks the result', async () => {
    let current = '0x1'
    const { provider, asked } = scripted({
      wallet_switchEthereumChain: ([target]) => {
        current = (target as { chainId: string }).chainId
        return null
      },
      eth_chainId: () => current,
    })
    expect(await run(provider)).toEqual({ ok: true, value: undefined })
    expect(asked).toEqual(['wallet_switchEthereumChain', 'eth_chainId'])
  })

  it('offers to add an unknown chain once, with the pool’s details', async () => {
    let known = false
    let current = '0x1'
    let offered: unknown
    const { provider, asked } = scripted({
      wallet_switchEthereumChain: () => {
        if (!known) throw { code: 4902 }
        current = '0x7a69'
      },
      wallet_addEthereumChain: ([terms]) => {
        offered = terms
        known = true
      },
      eth_chainId: () => current,
    })
    expect(await run(provider)).toEqual({ ok: true, value: undefined })
    expect(offered).toEqual({
      chainId: '0x7a69',
      chainName: 'Lode development chain',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: ['http://127.0.0.1:8545'],
    })
    expect(asked.filter((method) => method === 'wallet_addEthereumChain')).toHaveLength(1)
  })

  it('stops after one more request if the wallet still does not know the chain', async () => {
    const { provider, asked } = scripted({
      wallet_switchEthereumChain: fail(4902),
      wallet_addEthereumChain: () => null,
      eth_chainId: () => '0x1',
    })
    expect(await run(provider)).toEqual({ ok: false, error: 'chain-unknown' })
    expect(asked.filter((method) => method.startsWith('wallet_'))).toEqual([
      'wallet_switchEthereumChain',
      'wallet_addEthereumChain',
      'wallet_switchEthereumChain',
    ])
  })

  it('reports a wallet that agrees but does not switch', async () => {
    const { provider } = scripted({ wallet_switchEthereumChain: () => null, eth_chainId: () => '0x1' })
    expect(await run(provider)).toEqual({ ok: false, error: 'unchanged' })
  })

  it('waits a moment for a wallet that switches late', async () => {
    let glances = 0
    const { provider } = scripted({
      wallet_switchEthereumChain: () => null,
      eth_chainId: () => {
        glances += 1
        return glances < 4 ? '0x1' : '0x7a69'
      },
    })
    expect(await run(provider)).toEqual({ ok: true, value: undefined })
  })

  it('stops after a refusal', async () => {
    const { provider, asked } = scripted({ wallet_switchEthereumChain: fail(4001) })
    expect(await run(provider)).toEqual({ ok: false, error: 'refused' })
    expect(asked).toEqual(['wallet_switchEthereumChain'])
  })
})

describe('signing a message', () => {
  it('passes the readable text and the account to the wallet', async () => {
    let given: readonly unknown[] = []
    const { provider } = scripted({
      personal_sign: (params) => {
        given = params
        return '0x1234'
      },
    })
    expect(await signMessage(provider, ACCOUNT, 'héllo')).toEqual({ ok: true, value: '0x1234' })
    expect(given).toEqual(['0x68c3a96c6c6f', ACCOUNT])
  })

  it.each([['0x'], ['0x123'], ['signature'], [null], [{}]])('does not accept %j as a signature', async (answer) => {
    expect(await signMessage(scripted({ personal_sign: () => answer }).provider, ACCOUNT, 'x')).toEqual({
      ok: false,
      error: 'no-signature',
    })
  })
})

describe('choosing another account', () => {
  it('reports a wallet without an account chooser', async () => {
    expect(await chooseAccount(scripted({}).provider)).toEqual({ ok: false, error: 'unsupported' })
  })
})

describe('watching a wallet', () => {
  it('reports changes of account and chain and disconnections until it is stopped', () => {
    const events = new EventEmitter()
    const provider: Provider = {
      request: async () => null,
      on: (event, listener) => events.on(event, listener),
      removeListener: (event, listener) => events.removeListener(event, listener),
    }
    const heard: unknown[] = []
    const stop = watchWallet(provider, {
      account: (account) => heard.push(account),
      chain: (chainId) => heard.push(chainId),
      disconnect: () => heard.push('disconnect'),
    })
    events.emit('accountsChanged', [ACCOUNT.toLowerCase()])
    events.emit('accountsChanged', [])
    events.emit('chainChanged', '0x1')
    events.emit('disconnect', { code: 1013 })
    events.emit('disconnect', { code: 4900 })
    stop()
    events.emit('chainChanged', '0x2')
    expect(heard).toEqual([ACCOUNT, null, 1, 'disconnect'])
  })

  it('works with a wallet that has no events or throws on subscription', () => {
    expect(() => watchWallet({ request: async () => null }, {})()).not.toThrow()
    const provider: Provider = {
      request: async () => null,
      on: () => {
        throw new Error('no events here')
      },
    }
    expect(() => watchWallet(provider, {})()).not.toThrow()
  })
})
