import { gasBurningWalletBytecode, noWalletBytecode, returnBombWalletBytecode } from '@lode/contracts/dev'
import { type Address, type Hex, parseErc6492Signature, serializeErc6492Signature } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi } from '../../testing/api.ts'
import { logIn, registerMember, signedMessage } from '../../testing/member.ts'
import { startUnreliableNode, type UnreliableNode } from '../../testing/node.ts'
import { contractWallet, deploy, futureContractWallet, plainWallet, type TestWallet } from '../../testing/wallet.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.close())

/** Registers this wallet. Returns the outcome and how long it took. */
async function register(wallet: TestWallet, at = api): Promise<{ outcome: unknown; ms: number }> {
  const posted = await signedMessage(at, wallet, at.rootCode)
  const began = performance.now()
  const { status, body } = await at.call('sign/regist', { ...posted, invite: at.rootCode, lang: 'en' })
  return { outcome: body.reason ?? status, ms: performance.now() - began }
}

const hostile = (account: Address): TestWallet => ({ account, sign: async () => `0x${'11'.repeat(65)}` })

describe('a contract wallet', () => {
  it('registers and logs in by what the contract accepts', async () => {
    const wallet = await contractWallet()
    const member = await registerMember(api, wallet)
    const { account } = wallet
    expect((await api.call('account/profile', { account }, member)).body.data.account).toBe(account)
    expect((await logIn(api, wallet)).status).toBe(200)
  })

  it('is refused with a signature of somebody else’s', async () => {
    const { account } = await contractWallet()
    const stranger = plainWallet()
    expect((await register({ account, sign: stranger.sign })).outcome).toBe('signature-invalid')
  })

  it('signs before it is on the chain, and after', async () => {
    const wallet = await futureContractWallet()
    await registerMember(api, wallet)
    expect((await logIn(api, wallet)).status).toBe(200)
    await wallet.deploy()
    expect((await logIn(api, wallet)).status).toBe(200)
    const plain = {
      account: wallet.account,
      sign: async (message: string) => innerSignature(await wallet.sign(message)),
    }
    expect((await logIn(api, plain)).status).toBe(200)
  })

  it('is refused before it is on the chain where another key signed', async () => {
    const wallet = await futureContractWallet()
    const stranger = plainWallet()
    const sign = async (message: string) => {
      const { address, data } = parseErc6492Signature(await wallet.sign(message))
      if (!address || !data) throw new Error('not wrapped')
      return serializeErc6492Signature({ address, data, signature: await stranger.sign(message) })
    }
    expect((await register({ account: wallet.account, sign })).outcome).toBe('signature-invalid')
  })

  it('is judged as it is, not as it could become by a call that the signer chooses', async () => {
    const account = await deploy(BUYABLE_WALLET)
    const sign = async () => serializeErc6492Signature({ address: account, data: '0xb01d', signature: '0x11' })
    expect((await register({ account, sign })).outcome).toBe('signature-invalid')
  })
})

const innerSignature = (signature: Hex): Hex => parseErc6492Signature(signature).signature

/**
 * A wallet that anyone can take over: it approves every signature once any other call was made to it.
 *
 *     isValidSignature: return sload(0) ? magic : 0      any other call: sstore(0, 1)
 */
const BUYABLE_WALLET: Hex = (() => {
  const push4 = (hex: string) => `63${hex}`
  const runtime = [
    '5f3560e01c', // the selector
    push4('1626ba7e'),
    '14', // equals isValidSignature's?
    '6013', // then jump
    '57',
    '60015f55', // sstore(0, 1)
    '00', // stop
    '5b', // isValidSignature, at 0x13
    '5f54', // sload(0): 0 or 1
    push4('1626ba7e'),
    '02', // times the magic value
    '60e01b', // as bytes4
    '5f5260205ff3', // return one word
  ].join('')
  const length = (runtime.length / 2).toString(16).padStart(2, '0')
  return `0x60${length}600a5f3960${length}5ff3${runtime}`
})()

describe('a hostile contract', () => {
  it.each([
    ['burns all gas', gasBurningWalletBytecode],
    ['reverts', noWalletBytecode],
    ['answers a megabyte that begins like a yes', returnBombWalletBytecode],
  ])('that %s is refused within three seconds', async (_what, bytecode) => {
    const { outcome, ms } = await register(hostile(await deploy(bytecode)))
    expect(outcome).toBe('signature-invalid')
    expect(ms).toBeLessThan(3_000)
  })

  it('is refused as the maker of a wallet too', async () => {
    const factory = await deploy(gasBurningWalletBytecode)
    const sign = async () => serializeErc6492Signature({ address: factory, data: '0x00', signature: '0x11' })
    const { outcome, ms } = await register({ account: plainWallet().account, sign })
    expect(outcome).toBe('signature-invalid')
    expect(ms).toBeLessThan(3_000)
  })

  it('does not hurt others while forty of its calls burn', async () => {
    const wallet = hostile(await deploy(gasBurningWalletBytecode))
    const { wallet: member } = await registerMember(api)
    const burning = Promise.all(Array.from({ length: 40 }, () => register(wallet)))
    expect((await logIn(api, member)).status).toBe(200)
    for (const { outcome } of await burning) expect(['signature-invalid', 'chain-unavailable']).toContain(outcome)
  })
})

describe('a chain node', () => {
  let node: UnreliableNode
  let behind: TestApi
  beforeAll(async () => {
    node = await startUnreliableNode()
    behind = await startTestApi({ CHAIN_RPC_URL: node.rpcUrl })
  })
  afterAll(async () => {
    await behind.close()
    await node.close()
  })

  it('that hangs costs a contract wallet a refusal within three seconds, and a plain account nothing', async () => {
    const wallet = await contractWallet()
    await registerMember(behind, wallet)
    node.mood = 'hang'
    const posted = await signedMessage(behind, wallet)
    const began = performance.now()
    let answered = false
    const hung = behind.call('sign/login', { ...posted, lang: 'en' }).finally(() => {
      answered = true
    })
    expect((await logIn(behind, behind.root)).status).toBe(200)
    expect(answered).toBe(false)
    const { status, body } = await hung
    expect([status, body.reason]).toEqual([503, 'chain-unavailable'])
    expect(performance.now() - began).toBeLessThan(3_000)
    // The signature is not used up, because the request failed.
    node.mood = 'work'
    expect((await behind.call('sign/login', { ...posted, lang: 'en' })).status).toBe(200)
  })

  it('that fails is not taken for a wallet’s no', async () => {
    const wallet = await contractWallet()
    node.mood = 'fail'
    expect((await register(wallet, behind)).outcome).toBe('chain-unavailable')
    node.mood = 'work'
    expect((await register(wallet, behind)).outcome).toBe(200)
  })

  it('is asked by a bounded number at once, and the rest are told so', async () => {
    const wallet = await contractWallet()
    const posts = await Promise.all(Array.from({ length: 100 }, () => signedMessage(behind, wallet, behind.rootCode)))
    node.mood = 'hang'
    const answers = await Promise.all(
      posts.map((posted) => behind.call('sign/regist', { ...posted, invite: behind.rootCode, lang: 'en' })),
    )
    node.mood = 'work'
    for (const { status } of answers) expect(status).toBe(503)
    // Sixteen at a time, and up to sixteen more before the node notices that the first ones have disconnected.
    expect(node.mostAtOnce()).toBeLessThanOrEqual(32)
  })
})
