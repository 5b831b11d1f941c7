import { ok, refused } from '@lode/kernel'
import { describe, expect, it } from 'vitest'
import { payerFrom } from './payer.ts'
import { intent } from './testing/example.ts'
import { scriptedWallet } from './testing/scripted-wallet.ts'

const { wallet } = scriptedWallet()
const payer = (shown: Parameters<typeof payerFrom>[1]) => payerFrom(wallet, shown, intent)
const [account, chainId] = [ok(intent.account), ok(intent.chainId)]

describe('the wallet that is to pay', () => {
  it('is ready with the member’s account on the pool’s network', () => {
    expect(payer({ account, chainId })).toMatchObject({ kind: 'ready' })
    expect(payer({ account, chainId: ok(1) })).toMatchObject({ kind: 'other-network' })
    expect(payer({ account: ok(intent.vault), chainId })).toMatchObject({ kind: 'other-account' })
  })

  it('is locked where it shows no account', () => {
    expect(payer({ account: ok(null), chainId })).toMatchObject({ kind: 'locked' })
    expect(payer({ account: refused('disconnected'), chainId })).toMatchObject({ kind: 'locked' })
  })

  it('is silent where it did not answer, which is neither locked nor another network', () => {
    expect(payer({ account: refused('silent'), chainId })).toMatchObject({ kind: 'silent', about: 'account' })
    for (const chainId of [refused('silent' as const), refused('other' as const), ok(null)])
      expect(payer({ account, chainId })).toMatchObject({ kind: 'silent', about: 'network' })
  })
})
