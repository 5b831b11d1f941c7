import { ok, refused } from '@lode/kernel'
import { describe, expect, it } from 'vitest'
import { intent } from './testing/example.ts'
import { scriptedWallet } from './testing/scripted-wallet.ts'
import { assessWallet } from './wallet-readiness.ts'

const { wallet } = scriptedWallet()
const readinessOf = (shown: Parameters<typeof assessWallet>[1]) => assessWallet(wallet, shown, intent)
const [account, chainId] = [ok(intent.account), ok(intent.chainId)]

describe('the readiness of the wallet to pay', () => {
  it('is ready with the member’s account on the pool’s network', () => {
    expect(readinessOf({ account, chainId })).toMatchObject({ kind: 'ready' })
    expect(readinessOf({ account, chainId: ok(1) })).toMatchObject({ kind: 'other-network' })
    expect(readinessOf({ account: ok(intent.vault), chainId })).toMatchObject({ kind: 'other-account' })
  })

  it('is locked if the wallet shows no account', () => {
    expect(readinessOf({ account: ok(null), chainId })).toMatchObject({ kind: 'locked' })
    expect(readinessOf({ account: refused('disconnected'), chainId })).toMatchObject({ kind: 'locked' })
  })

  it('is silent if the wallet did not answer, not locked or on another network', () => {
    expect(readinessOf({ account: refused('silent'), chainId })).toMatchObject({ kind: 'silent', missing: 'account' })
    for (const chainId of [refused('silent' as const), refused('other' as const), ok(null)])
      expect(readinessOf({ account, chainId })).toMatchObject({ kind: 'silent', missing: 'network' })
  })
})
