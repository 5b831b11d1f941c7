import { gasBurningWalletBytecode, noWalletBytecode, returnBombWalletBytecode } from '@lode/contracts/dev'
import { sql } from 'kysely'
import { type Address, type Hex, parseErc6492Signature, serializeErc6492Signature } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bytesOf } from '../../platform/chain/hex-column.ts'
import { startTestApi, type TestApi } from '../../testing/api.ts'
import { logIn, registerMember, requestAndSign } from '../../testing/member.ts'
import { createNodesFile } from '../../testing/nodes-file.ts'
import { waitUntil } from '../../testing/pool.ts'
import { startUnreliableNode, type UnreliableNode } from '../../testing/unreliable-node.ts'
import {
  createTestWallet,
  createUndeployedWallet,
  deploy,
  deployContractWallet,
  type TestWallet,
} from '../../testing/wallet.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.close())

/** Registers this wallet. Returns the outcome and how long it took. */
async function register(wallet: TestWallet, at = api): Promise<{ outcome: unknown; ms: number }> {
  const posted = await requestAndSign(at, wallet, at.rootCode)
  const began = performance.now()
  const { status, body } = await at.call('sign/regist', { ...posted, invite: at.rootCode, lang: 'en' })
  return { outcome: body.reason ?? status, ms: performance.now() - began }
}

const hostileWallet = (account: Address): TestWallet => ({ account, sign: async () => `0x${'11'.repeat(65)}` })

describe('a contract wallet', () => {
  it('registers and logs in with a signature that the contract accepts', async () => {
    const wallet = await deployContractWallet()
    const member = await registerMember(api, wallet)
    const { account } = wallet
    expect((await api.call('account/profile', { account }, member)).body.data.account).toBe(account)
    expect((await logIn(api, wallet)).status).toBe(200)
  })

  it('is refused with a signature by another key', async () => {
    const { account } = await deployContractWallet()
    const stranger = createTestWallet()
    expect((await register({ account, sign: stranger.sign })).outcome).toBe('signature-invalid')
  })

  it('can sign in before it is deployed, and after', async () => {
    const wallet = await createUndeployedWallet()
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

  it('is refused before it is deployed if another key signed', async () => {
    const wallet = await createUndeployedWallet()
    const stranger = createTestWallet()
    const sign = async (message: string) => {
      const { address, data } = parseErc6492Signature(await wallet.sign(message))
      if (!address || !data) throw new Error('not wrapped')
      return serializeErc6492Signature({ address, data, signature: await stranger.sign(message) })
    }
    expect((await register({ account: wallet.account, sign })).outcome).toBe('signature-invalid')
  })

  it('is verified in its present state, not after a call that the signer chooses', async () => {
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

/** A node gets two seconds. CI shares its processors with other work. */
const ANSWER_WITHIN_MS = process.env.CI ? 10_000 : 3_000

describe('a hostile contract', () => {
  it.each([
    ['burns all gas', gasBurningWalletBytecode],
    ['reverts', noWalletBytecode],
    ['answers a megabyte that begins like a valid signature', returnBombWalletBytecode],
  ])('that %s is refused within three seconds', async (_what, bytecode) => {
    const { outcome, ms } = await register(hostileWallet(await deploy(bytecode)))
    expect(outcome).toBe('signature-invalid')
    expect(ms).toBeLessThan(ANSWER_WITHIN_MS)
  })

  it('is refused as the factory of a wallet too', async () => {
    const factory = await deploy(gasBurningWalletBytecode)
    const sign = async () => serializeErc6492Signature({ address: factory, data: '0x00', signature: '0x11' })
    const { outcome, ms } = await register({ account: createTestWallet().account, sign })
    expect(outcome).toBe('signature-invalid')
    expect(ms).toBeLessThan(ANSWER_WITHIN_MS)
  })

  it('does not block other members while forty of its calls burn gas', async () => {
    const wallet = hostileWallet(await deploy(gasBurningWalletBytecode))
    const { wallet: member } = await registerMember(api)
    const burning = Promise.all(Array.from({ length: 40 }, () => register(wallet)))
    expect((await logIn(api, member)).status).toBe(200)
    for (const { outcome } of await burning) expect(['signature-invalid', 'chain-unavailable']).toContain(outcome)
  })
})

/** Makes the node say that every contract accepts every signature. */
function lieAboutSignatures(node: UnreliableNode): void {
  node.changeAnswer = ({ method }, answer) =>
    method === 'eth_call' ? { result: `0x1626ba7e${'0'.repeat(56)}` } : answer
}

describe('a chain node that lies', () => {
  let node: UnreliableNode
  beforeAll(async () => {
    node = await startUnreliableNode()
    lieAboutSignatures(node)
  })
  afterAll(() => node.close())

  it('is not asked about an account that has signed with its own key', async () => {
    const lied = await startTestApi({ CHAIN_RPC_URL: node.rpcUrl })
    const { wallet } = await registerMember(lied)
    const asThief = await logIn(lied, hostileWallet(wallet.account))
    expect([asThief.status, asThief.body.reason]).toEqual([422, 'signature-invalid'])
    expect((await logIn(lied, wallet)).status).toBe(200)
    await lied.close()
  })

  it('is needed for a contract wallet, also if somebody stored a key for it that it does not have', async () => {
    const wallet = await deployContractWallet()
    await registerMember(api, wallet)
    const message = 'any text'
    await sql`
      select lode.remember_key(id, ${message}, ${bytesOf(await createTestWallet().sign(message))})
      from lode.member where account = ${bytesOf(wallet.account)}`.execute(api.db)
    expect((await logIn(api, wallet)).status).toBe(200)
  })

  it('cannot agree with itself: a second address of the same provider does not count', async () => {
    const other = `${node.rpcUrl}/another-key`
    const honest = await startUnreliableNode()
    honest.mode = 'fail'
    const three = await startTestApi({ CHAIN_RPC_URL: [node.rpcUrl, other, honest.rpcUrl].join() })
    const { account } = await deployContractWallet()
    expect((await register(hostileWallet(account), three)).outcome).toBe('chain-unavailable')
    await three.close()
    await honest.close()
  })

  it('cannot agree with itself under another host name, if both are named after their provider', async () => {
    const other = await startUnreliableNode()
    lieAboutSignatures(other)
    const honest = await startUnreliableNode()
    honest.mode = 'fail'
    const urls = `liar=${node.rpcUrl},liar=${other.rpcUrl},honest=${honest.rpcUrl}`
    const three = await startTestApi({ CHAIN_RPC_URL: urls })
    const { account } = await deployContractWallet()
    expect((await register(hostileWallet(account), three)).outcome).toBe('chain-unavailable')
    for (const one of [three, other, honest]) await one.close()
  })

  it('that is one of two which agree is still vetoed by a third', async () => {
    const [otherLiar, honest] = [await startUnreliableNode(), await startUnreliableNode()]
    lieAboutSignatures(otherLiar)
    const three = await startTestApi({ CHAIN_RPC_URL: [node.rpcUrl, otherLiar.rpcUrl, honest.rpcUrl].join() })
    const { account } = await deployContractWallet()
    expect((await register(hostileWallet(account), three)).outcome).toBe('chain-unavailable')
    for (const one of [three, otherLiar, honest]) await one.close()
  })

  it('cannot sign in as a contract wallet if another node disagrees or does not answer', async () => {
    const honest = await startUnreliableNode()
    const two = await startTestApi({ CHAIN_RPC_URL: `${node.rpcUrl},${honest.rpcUrl}` })
    const wallet = await deployContractWallet()
    expect((await register(hostileWallet(wallet.account), two)).outcome).toBe('chain-unavailable')
    honest.mode = 'fail'
    expect((await register(hostileWallet(wallet.account), two)).outcome).toBe('chain-unavailable')
    honest.mode = 'hang'
    expect((await register(hostileWallet(wallet.account), two)).outcome).toBe('chain-unavailable')
    honest.mode = 'work'
    expect((await register(wallet, two)).outcome).toBe(200)
    await two.close()
    await honest.close()
  })
})

describe('nodes in a file', () => {
  it('are replaced while the api runs, also for the signatures of contract wallets', async () => {
    const [one, down, fresh] = [await startUnreliableNode(), await startUnreliableNode(), await startUnreliableNode()]
    const file = await createNodesFile(`one=${one.rpcUrl}\ntwo=${down.rpcUrl}`)
    const own = await startTestApi(file.environment)
    const wallet = await deployContractWallet()
    down.mode = 'fail'
    expect((await register(wallet, own)).outcome).toBe('chain-unavailable')
    await file.write(`one=${one.rpcUrl}\nthree=${fresh.rpcUrl}`)
    await waitUntil(async () => expect((await register(wallet, own)).outcome).toBe(200))
    for (const each of [own, one, down, fresh, file]) await each.close()
  })
})

describe('a chain node', () => {
  let node: UnreliableNode
  let apiWithNode: TestApi
  beforeAll(async () => {
    node = await startUnreliableNode()
    apiWithNode = await startTestApi({ CHAIN_RPC_URL: node.rpcUrl })
  })
  afterAll(async () => {
    await apiWithNode.close()
    await node.close()
  })

  it('that hangs makes the sign-in of a contract wallet fail within three seconds, and does not affect plain accounts', async () => {
    const wallet = await deployContractWallet()
    await registerMember(apiWithNode, wallet)
    node.mode = 'hang'
    const posted = await requestAndSign(apiWithNode, wallet)
    const began = performance.now()
    let answered = false
    const hung = apiWithNode.call('sign/login', { ...posted, lang: 'en' }).finally(() => {
      answered = true
    })
    expect((await logIn(apiWithNode, apiWithNode.root)).status).toBe(200)
    expect(answered).toBe(false)
    const { status, body } = await hung
    expect([status, body.reason]).toEqual([503, 'chain-unavailable'])
    expect(performance.now() - began).toBeLessThan(ANSWER_WITHIN_MS)
    // The signature is not used up, because the request failed.
    node.mode = 'work'
    expect((await apiWithNode.call('sign/login', { ...posted, lang: 'en' })).status).toBe(200)
  })

  it('that fails is not treated as an invalid signature', async () => {
    const wallet = await deployContractWallet()
    node.mode = 'fail'
    expect((await register(wallet, apiWithNode)).outcome).toBe('chain-unavailable')
    node.mode = 'work'
    expect((await register(wallet, apiWithNode)).outcome).toBe(200)
  })

  it('gets a limited number of calls at once; further sign-ins are refused', async () => {
    const wallet = await deployContractWallet()
    const posts = await Promise.all(
      Array.from({ length: 100 }, () => requestAndSign(apiWithNode, wallet, apiWithNode.rootCode)),
    )
    node.mode = 'hang'
    const answers = await Promise.all(
      posts.map((posted) => apiWithNode.call('sign/regist', { ...posted, invite: apiWithNode.rootCode, lang: 'en' })),
    )
    node.mode = 'work'
    for (const { status } of answers) expect(status).toBe(503)
    // Sixteen at a time, and up to sixteen more before the node notices that the first ones have disconnected.
    expect(node.maxOpenRequests()).toBeLessThanOrEqual(32)
  })
})
