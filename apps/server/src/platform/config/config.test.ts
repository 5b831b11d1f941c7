import { developmentKeys } from '@lode/contracts/dev/deploy'
import { describe, expect, it } from 'vitest'
import { type Environment, readApiConfig, readOwnerConfig, readSignerConfig, readWorkerConfig } from './config.ts'

const complete = {
  LODE_PROFILE: 'development',
  DATABASE_URL: 'postgres://lode_api:dev@127.0.0.1:5432/lode',
  CHAIN_ID: '31337',
  CHAIN_NAME: 'Anvil',
  CHAIN_RPC_URL: 'http://127.0.0.1:8545',
  API_PORT: '8080',
  PUBLIC_ORIGIN: 'http://127.0.0.1:5173',
  NONCE_SECRET: 'development-nonce-secret-0123456789',
  QUOTE_KEY: `0x${'42'.repeat(32)}`,
  VAULT_ADDRESS: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  VAULT_FIRST_BLOCK: '7',
  USDT_ADDRESS: '0xe7f1725e7734ce288f8367e1bb143e90bb3f0512',
  BTN_ADDRESS: '0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e0',
  BTC_ADDRESS: '0xcf7ed3acca5a467e9e704c703e8d87f634fb0fc9',
  BTC_PRICE_FEED: '0xdc64a140aa3e981100a9beca4e685f962f0cf6c9',
  BTN_PRICE_FEED: '0x5fc8d32690cc91d4c39d9d3abcbd16989f875707',
}

const production = {
  ...complete,
  LODE_PROFILE: 'production',
  CHAIN_ID: '56',
  CHAIN_RPC_URL: 'one=https://one.example,two=https://two.example',
  CHAIN_PUBLIC_RPC_URL: 'https://rpc.example.org',
  PUBLIC_ORIGIN: 'https://pool.example.org',
  NONCE_SECRET: 'q8Zr2VbN0sKf7LwXc4TyHj9PdGm1UaEi',
}

const readErrors = (environment: Environment): string => {
  const config = readApiConfig(environment)
  return config.ok ? '' : config.error.join('\n')
}

describe('the configuration of the api', () => {
  it('is read with its defaults', () => {
    expect(readApiConfig(complete)).toMatchObject({
      ok: true,
      value: {
        profile: 'development',
        host: '127.0.0.1',
        port: 8080,
        chain: { id: 31_337, publicRpcUrl: 'http://127.0.0.1:8545', explorerUrl: null, currency: { symbol: 'ETH' } },
        webRoot: null,
        redisUrl: null,
        registration: { kind: 'open' },
        rateLimits: true,
        logLevel: 'info',
        databaseMayLoseCommits: false,
      },
    })
  })

  it('names what is not set', () => {
    expect(readErrors({ ...complete, CHAIN_ID: '' })).toBe('CHAIN_ID: is not set')
  })

  it('accepts several nodes, and gives the first to wallets', () => {
    const config = readApiConfig({ ...complete, CHAIN_RPC_URL: 'https://one.example, https://two.example' })
    expect(config).toMatchObject({
      value: {
        chain: {
          nodes: [
            { url: 'https://one.example', origin: 'https://one.example' },
            { url: 'https://two.example', origin: 'https://two.example' },
          ],
          publicRpcUrl: 'https://one.example',
        },
      },
    })
  })

  it('treats an empty variable as not set', () => {
    expect(readApiConfig({ ...complete, WEB_ROOT: '', REDIS_URL: '', CHAIN_EXPLORER_URL: '' })).toMatchObject({
      value: { webRoot: null, redisUrl: null, chain: { explorerUrl: null } },
    })
  })

  it.each(Object.keys(complete))('needs %s', (name) => {
    expect(readErrors({ ...complete, [name]: undefined })).toContain(name)
    expect(readErrors({ ...complete, [name]: '' })).toContain(name)
  })

  it.each([
    ['LODE_PROFILE', 'staging'],
    ['DATABASE_URL', 'mysql://localhost/lode'],
    ['CHAIN_ID', 'mainnet'],
    ['CHAIN_ID', '-1'],
    ['CHAIN_RPC_URL', 'ws://127.0.0.1'],
    ['CHAIN_RPC_URL', ','],
    ['API_PORT', '70000'],
    ['PUBLIC_ORIGIN', 'https://pool.example/app'],
    ['PUBLIC_ORIGIN', 'pool.example'],
    ['PUBLIC_ORIGIN', 'http://[::1]:5173'],
    ['NONCE_SECRET', 'short'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', 'proxy.internal'],
    ['RESTRICTED_COUNTRIES', 'USA'],
    ['RATE_LIMITS', 'no'],
    ['API_DATABASE_CONNECTIONS', '9'],
    ['API_DATABASE_CONNECTIONS', '201'],
    ['WALLETCONNECT_PROJECT_ID', 'my project'],
    ['WALLETCONNECT_RELAY_URL', 'https://relay.example'],
    ['CONTACT_URL', 'javascript:alert(1)'],
    ['CONTACT_URL', 'http://pool.example/contact'],
    ['BTN_SOURCE_URL', 'mailto:somebody@pool.example'],
    ['LOG_LEVEL', 'loud'],
  ])('refuses %s=%s and names it', (name, value) => {
    expect(readErrors({ ...complete, [name]: value })).toContain(name)
  })

  it('never repeats a value in an error, because it may be a secret', () => {
    expect(
      readErrors({ ...complete, NONCE_SECRET: 'my-short-secret', DATABASE_URL: 'not a url: hunter2' }),
    ).not.toMatch(/my-short-secret|hunter2/)
  })

  it('offers WalletConnect only with a project id', () => {
    expect(readApiConfig(complete)).toMatchObject({ value: { walletConnect: null } })
    const projectId = '0123456789abcdef0123456789abcdef'
    expect(readApiConfig({ ...complete, WALLETCONNECT_PROJECT_ID: projectId })).toMatchObject({
      value: { walletConnect: { projectId, relayUrl: 'wss://relay.walletconnect.org' } },
    })
  })

  it('accepts trusted proxies as addresses and as networks', () => {
    const config = readApiConfig({ ...complete, TRUSTED_PROXIES: '10.1.0.0/16, 192.0.2.7, fd00::/8' })
    if (!config.ok) throw new Error(config.error.join())
    const { trustedProxies } = config.value
    expect(trustedProxies.check('10.1.200.3')).toBe(true)
    expect(trustedProxies.check('10.2.0.1')).toBe(false)
    expect(trustedProxies.check('192.0.2.7')).toBe(true)
    expect(trustedProxies.check('fd12::1', 'ipv6')).toBe(true)
  })

  it('closes registration if countries are restricted and no trusted header tells the country', () => {
    expect(readApiConfig({ ...complete, RESTRICTED_COUNTRIES: 'us' })).toMatchObject({
      value: { registration: { kind: 'closed' } },
    })
    const named = { ...complete, RESTRICTED_COUNTRIES: 'us', COUNTRY_HEADER: 'CF-IPCountry' }
    expect(readApiConfig(named)).toMatchObject({ value: { registration: { kind: 'closed' } } })
    expect(readApiConfig({ ...named, TRUSTED_PROXIES: '10.0.0.1' })).toMatchObject({
      value: { registration: { kind: 'by-country', header: 'cf-ipcountry', restricted: new Set(['US']) } },
    })
  })
})

describe('production', () => {
  it('accepts a complete production configuration', () => {
    expect(readErrors(production)).toBe('')
  })

  it('compares the clocks of database and chain, and this cannot be switched off; elsewhere it must be asked for', () => {
    const read = (environment: Environment) => readWorkerConfig({ ...environment, WORKER_PORT: '8081' })
    expect(read(production)).toMatchObject({ value: { clockMaxDifferenceMs: 600_000 } })
    expect(read(complete)).toMatchObject({ value: { clockMaxDifferenceMs: null } })
    const seconds = (text: string) => read({ ...production, CLOCK_MAX_DIFFERENCE_SECONDS: text })
    expect(seconds('')).toMatchObject({ value: { clockMaxDifferenceMs: 600_000 } })
    expect(seconds('60')).toMatchObject({ value: { clockMaxDifferenceMs: 60_000 } })
    for (const wrong of ['0', '3601', 'off']) expect(seconds(wrong).ok).toBe(false)
  })

  it('needs the name of each node’s provider', () => {
    const unnamed = { ...production, CHAIN_RPC_URL: 'one=https://one.example,https://two.example' }
    expect(readErrors(unnamed)).toMatch(/CHAIN_RPC_URL: must name the provider of each node/)
    expect(readApiConfig(production)).toMatchObject({
      value: { chain: { nodes: [{ origin: 'one', url: 'https://one.example' }, { origin: 'two' }] } },
    })
  })

  it.each(['one=https://one.example,', 'one=https://a.example/a,one=https://b.example/b'])(
    'needs nodes of two providers, for every process: not %s',
    (one) => {
      const error = 'CHAIN_RPC_URL: must have nodes of two providers or more in production'
      const alone = { ...production, CHAIN_RPC_URL: one }
      expect(readErrors(alone)).toBe(error)
      const worker = readWorkerConfig({ ...alone, WORKER_PORT: '8081' })
      expect(worker.ok ? [] : worker.error).toContain(error)
    },
  )

  it.each([
    ['a placeholder for a secret', { NONCE_SECRET: 'change-me-change-me-change-me-1234' }],
    ['the development secret', { NONCE_SECRET: complete.NONCE_SECRET }],
    ['a secret without entropy', { NONCE_SECRET: 'abababababababababababababababab' }],
    ['limits turned off', { RATE_LIMITS: 'off' }],
    ['a folder for fault points', { FAULTS: '/tmp/faults' }],
    ['an origin without TLS', { PUBLIC_ORIGIN: 'http://pool.example.org' }],
    ['a development chain', { CHAIN_ID: '31337' }],
    ['a missing public node address', { CHAIN_PUBLIC_RPC_URL: undefined }],
    ['a publicly known key', { PAYER_KEY: '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80' }],
    [
      'a publicly known key without 0x and in capital letters',
      { PAYER_KEY: '59C6995E998F97A5A0044966F0945389DC9E86DAE88C7A8412F4603B6B78690D' },
    ],
    ['the publicly known mnemonic', { MNEMONIC: 'test test test test test test test test test test test junk' }],
  ])('refuses %s', (_what, change: Environment) => {
    expect(readErrors({ ...production, ...change })).toContain(Object.keys(change)[0])
  })

  it.each(['development', 'test'])('is the only profile that refuses them: %s accepts them', (profile) => {
    expect(readErrors({ ...complete, LODE_PROFILE: profile, RATE_LIMITS: 'off' })).toBe('')
  })
})

describe('the other processes', () => {
  it('need fewer variables', () => {
    const { LODE_PROFILE, DATABASE_URL, API_PORT, PUBLIC_ORIGIN, NONCE_SECRET, QUOTE_KEY, ...chain } = complete
    expect(readOwnerConfig({ LODE_PROFILE, DATABASE_URL })).toMatchObject({ ok: true })
    const worker = { LODE_PROFILE, DATABASE_URL, ...chain }
    expect(readWorkerConfig({ ...worker, WORKER_PORT: '8081' })).toMatchObject({ value: { port: 8081 } })
    expect(readWorkerConfig(worker).ok).toBe(false)
  })
})

describe('the configuration of the worker', () => {
  const worker = { ...complete, WORKER_PORT: '8081' }

  it('takes finality from the chain, or from a number of blocks', () => {
    expect(readWorkerConfig(worker)).toMatchObject({ value: { chain: { finality: { kind: 'finalized' } } } })
    expect(readWorkerConfig({ ...worker, CHAIN_FINALITY: '12' })).toMatchObject({
      value: { chain: { finality: { kind: 'depth', blocks: 12n } } },
    })
    expect(readWorkerConfig({ ...worker, CHAIN_FINALITY: '0' }).ok).toBe(false)
  })
})

describe('the configuration of the signer', () => {
  const key = '0x00000000000000000000000000000000000000000000000000000000deadbeef'
  const signer = { ...complete, SIGNER_PORT: '8082', PAYER_KEY: key }
  const told = (environment: Environment): string => {
    const config = readSignerConfig(environment)
    return config.ok ? '' : config.error.join(' ')
  }

  it('is read with its defaults, and its cap is in the units of each token', () => {
    expect(
      readSignerConfig({ ...signer, SIGNER_DAY_CAP: 'USDT:20000,BTC:1', SIGNER_MAX_FEE_GWEI: '0.5' }),
    ).toMatchObject({
      value: {
        port: 8082,
        payer: {
          key,
          pollMs: 2_000,
          stuckAfterMs: 60_000,
          maxFee: 500_000_000n,
          dayCap: { USDT: 20_000_000_000n, BTC: 100_000_000n },
          journal: null,
        },
        ceremony: null,
      },
    })
  })

  it.each([
    ['PAYER_KEY', ''],
    ['PAYER_KEY', '0x00'],
    ['PAYER_KEY', `0x${'f'.repeat(64)}`],
    ['SIGNER_PORT', ''],
    ['SIGNER_MAX_FEE_GWEI', '0'],
    ['OPERATORS_CEREMONY', 'abc'],
  ])('refuses %s=%s and does not repeat it', (name, value) => {
    const words = told({ ...signer, [name]: value })
    expect(words).toContain(name)
    if (value.length > 3) expect(words).not.toContain(value)
  })

  it('accepts the hash of the ceremony with and without 0x', () => {
    const hash = 'ab'.repeat(32)
    for (const OPERATORS_CEREMONY of [hash, `0x${hash}`])
      expect(readSignerConfig({ ...signer, OPERATORS_CEREMONY })).toMatchObject({ value: { ceremony: `0x${hash}` } })
  })

  it('needs a cap for every asset, the ceremony and a journal in production, and no other process may have its key', () => {
    const own = { ...production, SIGNER_PORT: '8082', PAYER_KEY: key }
    expect(told(own)).toContain('SIGNER_DAY_CAP')
    const bounded = { ...own, SIGNER_DAY_CAP: 'USDT:1,BTN:1,BTC:1' }
    expect(told(bounded)).toContain('OPERATORS_CEREMONY: must be set in production')
    const pinned = { ...bounded, OPERATORS_CEREMONY: 'ab'.repeat(32) }
    expect(told(pinned)).toBe(
      'SIGNER_JOURNAL: must be set in production, to a file on a disk that outlives the process',
    )
    expect(told({ ...pinned, SIGNER_JOURNAL: 'signer.journal' })).toMatch(/must be an absolute path/)
    const complete = { ...pinned, SIGNER_JOURNAL: '/var/lib/lode/signer.journal' }
    expect(told(complete)).toBe('')
    expect(told({ ...complete, CHAIN_RPC_URL: 'one=https://one.example' })).toMatch(
      /^CHAIN_RPC_URL: must have nodes of two/,
    )
    expect(readErrors({ ...production, PAYER_KEY: key })).toContain('PAYER_KEY: must be set for the signer only')
  })

  it('refuses the payer of the development chain in production', () => {
    const { payer } = developmentKeys()
    const bounded = { ...production, SIGNER_PORT: '8082', SIGNER_DAY_CAP: 'USDT:1,BTN:1,BTC:1' }
    expect(told({ ...bounded, PAYER_KEY: payer })).toContain('PAYER_KEY: holds a publicly known development key')
  })
})
