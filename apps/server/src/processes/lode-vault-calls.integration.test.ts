import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { poolVaultAbi } from '@lode/contracts'
import { developmentTerms, roleNames } from '@lode/contracts/dev/deploy'
import { reserveKinds } from '@lode/contracts/terms'
import type { Asset, Result } from '@lode/kernel'
import { type Address, encodeErrorResult, encodeFunctionData, type Hex, keccak256, pad, stringToHex, toHex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { listStoppedAssets, proposeWriteOff } from '../modules/correction/index.ts'
import { readSystemBalances } from '../modules/ledger/index.ts'
import { wakeForDecisions } from '../modules/treasury/index.ts'
import { createNode } from '../platform/chain/node.ts'
import { readVaultConfig } from '../platform/config/config.ts'
import { holdCeremony, signInTurn } from '../testing/operators.ts'
import { startTestPool, type TestPool, waitUntil } from '../testing/pool.ts'
import { collectStderr, runLode } from '../testing/run-lode.ts'
import { startUnreliableNode } from '../testing/unreliable-node.ts'
import { sendCalls } from './lode/send-calls.ts'

/** A pool with a chain and a worker. The tests run in this order. */
let pool: TestPool
let mining: NodeJS.Timeout | undefined
beforeAll(async () => {
  pool = await startTestPool({ wallets: 1, slotsInAnEpoch: 1 })
  await pool.startWorker({ CHAIN_BELIEVED_AFTER_MS: '100' })
  for (const [name, key] of Object.entries(pool.keys)) writeFileSync(join(pool.folder, name), key)
  await pool.finalize()
}, 120_000)
afterAll(async () => {
  clearInterval(mining)
  await pool.close()
})
afterEach(() => {
  process.exitCode = undefined
})

/** Runs the command while blocks follow each other. Returns what it tells people and then prints, or the refusal. */
async function vault(...words: readonly string[]): Promise<string> {
  const told = collectStderr()
  mining = setInterval(() => void pool.mine(1), 200)
  try {
    const printed = await runLode(pool, 'vault', ...words, '--chain', pool.anvil.rpcUrl)
    return words.includes('--json') ? printed : `${told.text()}${printed}`
  } catch (error) {
    return `refused: ${(error as Error).message}`
  } finally {
    clearInterval(mining)
    told.end()
  }
}

const as = (name: keyof TestPool['keys']): string[] => ['--key', join(pool.folder, name), '--yes']
const from = (name: keyof TestPool['keys']): string[] => ['--from', pool.accountOf(name).address, '--yes']

const isPaused = () => pool.client.readContract({ ...vaultContract(), functionName: 'paused' })
const vaultContract = () => ({ address: pool.contracts.vault, abi: poolVaultAbi }) as const

async function passTime(seconds: number): Promise<void> {
  await pool.node.increaseTime({ seconds })
  await pool.mine(1)
}

const GWEI = 10n ** 9n

type SafeCall = { readonly to: Address; readonly data: Hex }

/** Writes the Safe file and makes its calls with the account, as the Safe wallet would. */
async function makeSafeCalls(file: string, account: PrivateKeyAccount): Promise<void> {
  const { transactions } = JSON.parse(readFileSync(file, 'utf8')) as { transactions: SafeCall[] }
  for (const { to, data } of transactions) await pool.mined(pool.send(account, to, data))
  await pool.finalize()
}

describe('lode vault pause and unpause', { timeout: 120_000 }, () => {
  /** Waits until the next block would have a call of the vault, and nothing else. */
  const waitForPendingCall = () =>
    waitUntil(async () => {
      const { transactions } = await pool.client.getBlock({ blockTag: 'pending', includeTransactions: true })
      expect(transactions.map(({ to }) => to?.toLowerCase())).toEqual([pool.contracts.vault.toLowerCase()])
    }, 60_000)

  it('name the node that does not answer, and tell their title once', async () => {
    const dead = runLode(pool, 'vault', 'pause', ...from('guardian'), '--chain', 'http://127.0.0.1:1/secret')
    await expect(dead).rejects.toThrow(
      /^Nothing was changed, because the node http:\/\/127\.0\.0\.1:1 failed: (?!.*secret)/,
    )
    expect((await vault('pause', ...from('guardian'))).match(/Pause the vault 0x/g)).toHaveLength(1)
  })

  it('pause and unpause the vault with a guardian’s key, and wait until it is final', async () => {
    expect(await vault('unpause', ...as('guardian'))).toBe('refused: The vault is not paused. Nothing was done.')
    const paused = JSON.parse(await vault('pause', ...as('guardian'), '--json')) as Record<string, unknown>
    expect(paused).toMatchObject({
      sender: pool.accountOf('guardian').address,
      calls: [{ call: 'pause', to: pool.contracts.vault, value: '0' }],
      transactions: [{ call: 'pause' }],
      isFinal: true,
    })
    expect(await isPaused()).toBe(true)
    expect(await vault('pause', ...as('secondGuardian'))).toMatch(/^refused: The vault is paused already, until \d/)
    expect(await vault('unpause', ...as('secondGuardian'))).toContain('The vault is not paused.')
    expect(await isPaused()).toBe(false)
  })

  it('say from when the vault can be paused again', async () => {
    await passTime(3_600)
    expect(await vault('pause', ...as('guardian'))).toContain('The vault is paused until')
    await passTime(3_600)
    const [, from] =
      /The vault is not paused\. It can be paused again from (\d.*:\d\d:\d\d UTC) on\.\n$/.exec(
        await vault('unpause', ...as('guardian')),
      ) ?? []
    expect(await vault('pause', ...as('guardian'))).toMatch(`refused: The vault cannot be paused before ${from}:`)
    await passTime(3_700)
  })

  it('need no database, and prepare the call for a Safe wallet', async () => {
    const file = join(pool.folder, 'pause.json')
    const away = { ...pool, database: { urlOf: () => '' } }
    const told = collectStderr()
    const printed = await runLode(
      away,
      ...['vault', 'pause', ...from('guardian'), '--safe', file, '--chain', pool.anvil.rpcUrl],
    )
    told.end()
    expect(printed).toContain(`The guardian ${pool.accountOf('guardian').address} must make this call.`)
    expect(await isPaused()).toBe(false)
    await makeSafeCalls(file, pool.accountOf('guardian'))
    expect(await isPaused()).toBe(true)
    expect(await vault('unpause', ...as('guardian'))).toContain('The vault is not paused.')
  })

  it('refuse an account that is no guardian, and a caller who names nobody', async () => {
    for (const command of ['pause', 'unpause']) {
      expect(await vault(command, ...as('funder'))).toContain('is no guardian of the vault')
      expect(await vault(command, ...from('administrator'))).toContain('is no guardian of the vault')
      expect(await vault(command, '--yes')).toContain('Name the guardian who will make the call')
    }
  })

  it.each(['another transaction', 'a pause'])(
    'do not wait behind %s of the guardian that no block has',
    async (kind) => {
      await passTime(3_700)
      const guardian = pool.accountOf('guardian')
      const pauseData = encodeFunctionData({ abi: poolVaultAbi, functionName: 'pause' })
      const words = ['vault', 'pause', '--chain', pool.anvil.rpcUrl]
      await pool.node.setAutomine(false)
      const told = collectStderr()
      try {
        const stuck =
          kind === 'a pause'
            ? await pool.send(guardian, pool.contracts.vault, pauseData)
            : await pool.send(guardian, guardian.address, '0x')
        expect(await runLode(pool, ...words, ...from('guardian'))).toContain('must make this call')
        await expect(runLode(pool, ...words, ...as('guardian'))).rejects.toThrow('at a higher fee, add --replace')
        // Too little for 300 gwei a unit, and enough for what is needed.
        await pool.node.setBalance({ address: guardian.address, value: 5n * 10n ** 15n })
        const running = runLode(pool, ...words, ...as('guardian'), '--replace')
        await waitUntil(async () => {
          const { transactions } = await pool.client.getBlock({ blockTag: 'pending', includeTransactions: true })
          expect(transactions.map(({ to }) => to?.toLowerCase())).toEqual([pool.contracts.vault.toLowerCase()])
          expect(transactions.map(({ hash }) => hash)).not.toContain(stuck)
        }, 60_000)
        mining = setInterval(() => void pool.mine(1), 200)
        expect(await running).toContain('The vault is paused until')
        await expect(pool.client.getTransactionReceipt({ hash: stuck })).rejects.toThrow('could not be found')
      } finally {
        clearInterval(mining)
        told.end()
        await pool.node.setBalance({ address: guardian.address, value: 10n ** 19n })
        await pool.node.setAutomine(true)
      }
      expect(await vault('unpause', ...as('guardian'))).toContain('The vault is not paused.')
    },
  )

  it('replace a transaction that pays nearly the allowed fee, in a block that is dear', async () => {
    await passTime(3_700)
    const guardian = pool.accountOf('guardian')
    const node = await startUnreliableNode(pool.anvil.rpcUrl)
    // Twice this is 268 gwei: an eighth more would be above the limit of 300.
    node.changeAnswer = ({ method }, answer) =>
      method === 'eth_getBlockByNumber'
        ? { result: { ...(answer.result as object), baseFeePerGas: toHex(134n * GWEI) } }
        : answer
    await pool.node.setAutomine(false)
    const told = collectStderr()
    try {
      const stuck = await pool.node.sendTransaction({
        account: guardian,
        to: guardian.address,
        maxFeePerGas: 272n * GWEI,
        maxPriorityFeePerGas: 20n * GWEI,
        chain: null,
      })
      const words = ['vault', 'pause', ...as('guardian'), '--replace', '--chain', node.rpcUrl]
      const running = runLode(pool, ...words)
      running.catch(() => {})
      await waitForPendingCall()
      mining = setInterval(() => void pool.mine(1), 200)
      expect(await running).toContain('The vault is paused until')
      await expect(pool.client.getTransactionReceipt({ hash: stuck })).rejects.toThrow('could not be found')
    } finally {
      clearInterval(mining)
      told.end()
      await node.close()
      await pool.node.setAutomine(true)
    }
    expect(await vault('unpause', ...as('guardian'))).toContain('The vault is not paused.')
  })

  it('can be given more gas, for a chain that counts it differently', async () => {
    await passTime(3_700)
    const node = await startUnreliableNode(pool.anvil.rpcUrl)
    node.changeAnswer = ({ method }, answer) => (method === 'eth_estimateGas' ? { result: toHex(450_000n) } : answer)
    const pause = (...words: readonly string[]) =>
      runLode(pool, ...['vault', 'pause', ...as('guardian'), '--no-wait', '--chain', node.rpcUrl, ...words])
    const told = collectStderr()
    try {
      await expect(pause()).rejects.toThrow(
        'pause would need 600000 units of gas, as the node says, and 500000 are allowed. Allow more with --max-gas.',
      )
      await expect(pause('--max-gas', 'much')).rejects.toThrow('is not an amount of gas')
      expect(await pause('--max-gas', '600000')).toContain('The vault is paused until')
    } finally {
      told.end()
      await node.close()
    }
    expect(await vault('unpause', ...as('guardian'))).toContain('The vault is not paused.')
  })

  it('say in words why the contract would refuse the call, if the node tells it with the estimate of gas', async () => {
    await passTime(3_700)
    const node = await startUnreliableNode(pool.anvil.rpcUrl)
    const data = encodeErrorResult({ abi: poolVaultAbi, errorName: 'EvidenceUsed', args: [pad('0x7'), 1] })
    const told = collectStderr()
    try {
      for (const [given, words] of [
        [data, /^pause would fail: the Bitcoin output was named before, EvidenceUsed\(.*\)\. It was not sent\.$/],
        [undefined, /^pause would fail: the contract gives no reason\. It was not sent\.$/],
      ] as const) {
        node.changeAnswer = ({ method }, answer) =>
          method === 'eth_estimateGas'
            ? { error: { code: 3, message: 'execution reverted: n\u0013k*0', ...(given ? { data: given } : {}) } }
            : answer
        const pausing = runLode(pool, ...['vault', 'pause', ...as('guardian'), '--chain', node.rpcUrl])
        await expect(pausing).rejects.toThrow(words)
      }
    } finally {
      told.end()
      await node.close()
    }
    expect(await isPaused()).toBe(false)
  })

  it('say what was done although the node fails afterwards', async () => {
    await passTime(3_700)
    const node = await startUnreliableNode(pool.anvil.rpcUrl)
    let isDone = false
    node.changeAnswer = ({ method }, answer) => {
      if (method === 'eth_getTransactionReceipt' && answer.result) isDone = true
      return isDone && method === 'eth_call' ? { error: { code: -32_005, message: 'limit exceeded' } } : answer
    }
    const told = collectStderr()
    mining = setInterval(() => void pool.mine(1), 200)
    try {
      const printed = await runLode(pool, ...['vault', 'pause', ...as('guardian'), '--chain', node.rpcUrl])
      expect(printed).toMatch(/Done: {2}pause in block \d+, transaction 0x/)
      expect(printed).toContain('Whether the vault is paused could not be read')
    } finally {
      clearInterval(mining)
      told.end()
      await node.close()
    }
    expect(await isPaused()).toBe(true)
    expect(await vault('unpause', ...as('guardian'))).toContain('The vault is not paused.')
  })

  it('do not say what a node shows that is behind the call', async () => {
    await passTime(3_700)
    const node = await startUnreliableNode(pool.anvil.rpcUrl)
    let isDone = false
    node.changeAnswer = ({ method }, answer) => {
      if (method === 'eth_getTransactionReceipt' && answer.result) isDone = true
      return isDone && method === 'eth_getBlockByNumber'
        ? { result: { ...(answer.result as object), number: toHex(1) } }
        : answer
    }
    const told = collectStderr()
    try {
      const words = ['vault', 'pause', ...as('guardian'), '--no-wait', '--chain', node.rpcUrl]
      expect(await runLode(pool, ...words)).toContain(
        'Whether the vault is paused could not be read: The node is behind. Run the command again to see it.',
      )
    } finally {
      told.end()
      await node.close()
    }
    expect(await vault('unpause', ...as('guardian'))).toContain('The vault is not paused.')
  })

  it('say that a vault whose money moved during a pause is paused for ever', async () => {
    await passTime(3_700)
    expect(await vault('pause', ...as('guardian'))).toContain('The vault is paused until')
    const node = await startUnreliableNode(pool.anvil.rpcUrl)
    const successor = encodeFunctionData({ ...vaultContract(), functionName: 'successor' })
    node.changeAnswer = ({ method, params }, answer) =>
      method === 'eth_call' && (params[0] as { data?: Hex }).data === successor
        ? { result: pad(pool.contracts.btn) }
        : answer
    for (const command of ['pause', 'unpause'])
      await expect(runLode(pool, ...['vault', command, ...as('guardian'), '--chain', node.rpcUrl])).rejects.toThrow(
        'moved to the next vault: it is paused for ever.',
      )
    await node.close()
    expect(await vault('unpause', ...as('guardian'))).toContain('The vault is not paused.')
  })

  it('do not repeat a key that was typed instead of a file or an address', async () => {
    await passTime(3_700)
    const key = pool.keys.guardian
    for (const words of [
      ['--key', key],
      ['--from', key],
      ['--from', pool.accountOf('guardian').address, '--safe', key],
    ]) {
      const refusal = await vault('pause', ...words, '--yes')
      expect(refusal).toContain('refused: What looks like a private key')
      expect(refusal).not.toContain(key.slice(2))
    }
  })
})

describe('lode vault roles', { timeout: 120_000 }, () => {
  const writeTerms = (): string => {
    const file = join(pool.folder, `terms-${Math.random()}.json`)
    writeFileSync(file, JSON.stringify(developmentTerms(pool.contracts, pool.keys)))
    return file
  }

  it('shows who holds each role, and warns of an administrator with one key', async () => {
    const { roles, warnings } = JSON.parse(await vault('roles', '--json', '--terms', writeTerms())) as {
      roles: { role: string; account: Address }[]
      warnings: string[]
    }
    expect(roles.map(({ account }) => account).sort()).toEqual(
      roleNames.map((name) => pool.accountOf(name).address).sort(),
    )
    expect(warnings).toEqual([expect.stringContaining('is a plain account: one stolen key is enough.')])
  })

  it('reports a holder whom the terms do not name, in a block that is not final too', async () => {
    const account = privateKeyToAccount(generatePrivateKey())
    await pool.node.setBalance({ address: account.address, value: 10n ** 18n })
    await pool.grantPayer(account)
    const shown = await vault('roles', '--terms', writeTerms())
    expect(shown).toContain(`WARNING: ${account.address} is payer, and the terms do not name it.`)
    expect(shown).toContain('WARNING: there are several payers.')
    expect(process.exitCode).toBe(1)
    const role = keccak256(stringToHex('PAYER'))
    const revoke = encodeFunctionData({ ...vaultContract(), functionName: 'revokeRole', args: [role, account.address] })
    await pool.mined(pool.send(pool.accountOf('administrator'), pool.contracts.vault, revoke))
    expect(await vault('roles', '--terms', writeTerms())).not.toContain(account.address)
  })
})

describe('lode vault reserve', { timeout: 120_000 }, () => {
  it('puts BTN into a reserve, and says what the pool has read', async () => {
    // The funder has brought the whole issue, so the member gives it some.
    await pool.transfer(
      pool.wallets[0] as PrivateKeyAccount,
      'BTN',
      900n * 10n ** 18n,
      pool.accountOf('funder').address,
    )
    const before = (await readSystemBalances(pool.db))('reserve:mining', 'BTN')
    const answer = JSON.parse(await vault('reserve', 'mining', '500', ...as('funder'), '--json')) as object
    expect(answer).toMatchObject({
      symbol: 'BTN',
      amount: '500',
      calls: [{ call: 'approve' }, { call: 'fundReserve' }],
      isFinal: true,
      reserve: String(before / 10n ** 18n + 500n),
    })
    expect((await readSystemBalances(pool.db))('reserve:mining', 'BTN')).toBe(before + 500n * 10n ** 18n)
  })

  it('refuses another kind, too little, and somebody who is no funder; a Safe file does the same', async () => {
    expect(await vault('reserve', 'rainy-day', '1', ...as('funder'))).toContain('rainy-day is not a reserve')
    expect(await vault('reserve', 'mining', '401', ...as('funder'))).toContain(
      'holds 400 BTN, which is less than 401 BTN',
    )
    expect(await vault('reserve', 'mining', '1', ...as('payer'))).toContain('is no funder of the vault')
    const file = join(pool.folder, 'reserve.json')
    expect(await vault('reserve', 'airdrop', '100', '--safe', file, '--yes')).toContain('must make these 2 calls')
    const before = (await readSystemBalances(pool.db))('reserve:airdrop', 'BTN')
    const { transactions } = JSON.parse(readFileSync(file, 'utf8')) as { transactions: SafeCall[] }
    for (const { to, data } of transactions) await pool.mined(pool.send(pool.accountOf('funder'), to, data))
    // Not final yet: a second start stops. Nobody mines here, because the block must stay new.
    const second = runLode(
      pool,
      ...['vault', 'reserve', 'airdrop', '100', ...as('funder'), '--chain', pool.anvil.rpcUrl],
    )
    await expect(second).rejects.toThrow('The same was sent a moment ago')
    await pool.finalize()
    expect((await readSystemBalances(pool.db))('reserve:airdrop', 'BTN')).toBe(before + 100n * 10n ** 18n)
  })

  it('pays the same amount again only with --more, also after the pool has read the first payment', async () => {
    const readReserve = async () => (await readSystemBalances(pool.db))('reserve:liquidity', 'BTN') / 10n ** 18n
    const before = await readReserve()
    const sent = await vault('reserve', 'liquidity', '5', ...as('funder'), '--no-wait')
    expect(sent).toMatch(
      /It is not final yet\. Look for transaction 0x[0-9a-f]{64}\. Do not run the command again before a block explorer/,
    )
    await pool.finalize()
    expect(await vault('reserve', 'liquidity', '5', ...as('funder'))).toMatch(
      /^refused: The same amount was sent before: transaction 0x[0-9a-f]{64} in block \d+, which the pool has read\./,
    )
    await pool.finalize()
    expect(await readReserve()).toBe(before + 5n)
    await vault('reserve', 'liquidity', '5', ...as('funder'), '--more')
    expect(await readReserve()).toBe(before + 10n)
  })

  it('is not prepared with a node that is behind the pool, and so cannot show an earlier payment', async () => {
    const posted = await pool.settled()
    const node = await startUnreliableNode(pool.anvil.rpcUrl)
    node.changeAnswer = ({ method, params }, answer) =>
      method === 'eth_getBlockByNumber' && params[0] === 'latest'
        ? { result: { ...(answer.result as object), number: toHex(posted - 1n) } }
        : answer
    const words = ['vault', 'reserve', 'mining', '1', ...from('funder'), '--chain', node.rpcUrl]
    const told = collectStderr()
    try {
      await expect(runLode(pool, ...words)).rejects.toThrow('is behind the pool')
    } finally {
      told.end()
      await node.close()
    }
  })

  it('is not prepared again if one of two nodes shows the first payment', async () => {
    const node = await startUnreliableNode(pool.anvil.rpcUrl)
    node.changeAnswer = ({ method }, answer) => (method === 'eth_getLogs' ? { result: [] } : answer)
    const words = ['vault', 'reserve', 'liquidity', '5', ...from('funder')]
    const told = collectStderr()
    try {
      for (const urls of [`${node.rpcUrl},${pool.anvil.rpcUrl}`, `${pool.anvil.rpcUrl},${node.rpcUrl}`])
        await expect(runLode(pool, ...words, '--chain', urls)).rejects.toThrow('The same amount was sent before')
    } finally {
      told.end()
      await node.close()
    }
  })

  it('is paid once if another start pays between the search for it and the sending', async () => {
    const readReserve = async () => (await readSystemBalances(pool.db))('reserve:liquidity', 'BTN') / 10n ** 18n
    const before = await readReserve()
    const node = await startUnreliableNode(pool.anvil.rpcUrl)
    const funder = pool.accountOf('funder')
    const amount = 7n * 10n ** 18n
    const isAllowance = ({ method, params }: { method: string; params: readonly unknown[] }) =>
      method === 'eth_call' && (params[0] as { data?: string } | undefined)?.data?.startsWith('0xdd62ed3e') === true
    let isPaid = false
    node.changeAnswer = async (request, answer) => {
      if (isAllowance(request) && !isPaid) {
        isPaid = true
        await pool.approve(funder, 'BTN', amount)
        const args = [reserveKinds.indexOf('liquidity'), amount] as const
        const data = encodeFunctionData({ ...vaultContract(), functionName: 'fundReserve', args })
        await pool.mined(pool.send(funder, pool.contracts.vault, data))
      }
      return answer
    }
    const told = collectStderr()
    mining = setInterval(() => void pool.mine(1), 200)
    try {
      await expect(
        runLode(pool, ...['vault', 'reserve', 'liquidity', '7', ...as('funder'), '--chain', node.rpcUrl]),
      ).rejects.toThrow(/A final block has another transaction of 0x\w+ with nonce \d+, so approve never happens/)
    } finally {
      clearInterval(mining)
      told.end()
      await node.close()
    }
    await pool.finalize()
    expect(await readReserve()).toBe(before + 7n)
  })

  it('is not sent if two nodes count the account’s transactions differently', async () => {
    const node = await startUnreliableNode(pool.anvil.rpcUrl)
    node.changeAnswer = ({ method }, answer) =>
      method === 'eth_getTransactionCount' ? { result: toHex(BigInt(answer.result as Hex) + 3n) } : answer
    const both = `${pool.anvil.rpcUrl},${node.rpcUrl}`
    await expect(
      runLode(pool, ...['vault', 'reserve', 'liquidity', '8', ...as('funder'), '--chain', both]),
    ).rejects.toThrow('one of them is behind or wrong. Nothing was done.')
    await node.close()
  })
})

describe('a call that is sent', { timeout: 120_000 }, () => {
  const reserve = (rpcUrl: string, ...words: readonly string[]) =>
    runLode(pool, ...['vault', 'reserve', 'promotion', ...words, '--chain', rpcUrl])
  const readReserve = async () => (await readSystemBalances(pool.db))('reserve:promotion', 'BTN') / 10n ** 18n

  it('is final although the node fails for a while, and cannot try several calls', async () => {
    const node = await startUnreliableNode(pool.anvil.rpcUrl)
    let failing = 0
    node.changeAnswer = ({ method }, answer) => {
      if (method === 'eth_simulateV1') return { error: { code: -32_601, message: 'the method does not exist' } }
      if (method === 'eth_sendRawTransaction') failing = 3
      else if (failing > 0) {
        failing -= 1
        return { error: { code: -32_005, message: 'limit exceeded' } }
      }
      return answer
    }
    const before = await readReserve()
    const told = collectStderr()
    mining = setInterval(() => void pool.mine(1), 200)
    try {
      expect(await reserve(node.rpcUrl, '10', ...as('funder'))).toContain(
        `the reserve promotion has ${before + 10n} BTN`,
      )
      expect(told.text()).toContain('This node cannot try fundReserve before the call that precedes it.')
    } finally {
      clearInterval(mining)
      told.end()
      await node.close()
    }
  })

  it('pays no fee that a node invents, and says before what it can cost', async () => {
    const node = await startUnreliableNode(pool.anvil.rpcUrl)
    const told = collectStderr()
    mining = setInterval(() => void pool.mine(1), 200)
    try {
      node.changeAnswer = ({ method }, answer) =>
        method === 'eth_maxPriorityFeePerGas' ? { result: toHex(10n ** 13n) } : answer
      const printed = await reserve(node.rpcUrl, '3', ...as('funder'))
      expect(told.text()).toMatch(/Fee: at most 0\.00\d+ of the chain’s own currency/)
      for (const [, hash] of printed.matchAll(/transaction (0x[0-9a-f]{64})/g)) {
        const { maxPriorityFeePerGas = 0n } = await pool.client.getTransaction({ hash: hash as Hex })
        expect(maxPriorityFeePerGas).toBeLessThanOrEqual(2_000_000_000n)
      }
      node.changeAnswer = ({ method }, answer) =>
        method === 'eth_estimateGas' ? { result: toHex(29_000_000n) } : answer
      await expect(reserve(node.rpcUrl, '4', ...as('funder'))).rejects.toThrow('units of gas, as the node says')
      node.changeAnswer = ({ method }, answer) =>
        method === 'eth_getBlockByNumber'
          ? { result: { ...(answer.result as object), baseFeePerGas: toHex(400n * 10n ** 9n) } }
          : answer
      await expect(reserve(node.rpcUrl, '4', ...as('funder'))).rejects.toThrow(
        'A unit of gas costs 400 gwei now, and 300 is allowed.',
      )
      await expect(reserve(node.rpcUrl, '4', ...as('funder'), '--max-fee', 'much')).rejects.toThrow('is not a fee')
    } finally {
      clearInterval(mining)
      told.end()
      await node.close()
    }
  })

  it('is sent again with its approval if a reorganization removed both', async () => {
    const before = await readReserve()
    const told = collectStderr()
    try {
      const running = reserve(pool.anvil.rpcUrl, '21', ...as('funder'))
      await waitUntil(async () => expect(told.text()).toContain('Waiting until'), 60_000)
      await pool.reorganize(2)
      mining = setInterval(() => void pool.mine(1), 500)
      expect(await running).toContain(`the reserve promotion has ${before + 21n} BTN`)
    } finally {
      clearInterval(mining)
      told.end()
    }
  })

  it('says which calls were made if a later one was not sent', async () => {
    const before = await readReserve()
    const node = await startUnreliableNode(pool.anvil.rpcUrl)
    let isApproved = false
    node.changeAnswer = ({ method }, answer) => {
      if (method === 'eth_getTransactionReceipt' && answer.result) isApproved = true
      return isApproved && method === 'eth_call' ? { error: { code: -32_005, message: 'limit exceeded' } } : answer
    }
    const told = collectStderr()
    mining = setInterval(() => void pool.mine(1), 200)
    try {
      await expect(reserve(node.rpcUrl, '14', ...as('funder'))).rejects.toThrow(
        /^approve is done \(transaction 0x[0-9a-f]{64}\)\. It stays: .* The node failed: .* fundReserve was not sent\.$/,
      )
    } finally {
      clearInterval(mining)
      told.end()
      await node.close()
    }
    await pool.approve(pool.accountOf('funder'), 'BTN', 0n)
    await pool.finalize()
    expect(await readReserve()).toBe(before)
  })

  it('is looked for if the node has it and answers with an error', async () => {
    const before = await readReserve()
    const node = await startUnreliableNode(pool.anvil.rpcUrl)
    let unknown = 0
    node.changeAnswer = ({ method }, answer) => {
      if (method === 'eth_sendRawTransaction') {
        unknown = 1
        return { error: { code: -32_000, message: 'internal error' } }
      }
      if (method !== 'eth_getTransactionByHash' || unknown === 0) return answer
      unknown -= 1
      return { result: null }
    }
    const told = collectStderr()
    mining = setInterval(() => void pool.mine(1), 200)
    try {
      expect(await reserve(node.rpcUrl, '11', ...as('funder'))).toContain(
        `the reserve promotion has ${before + 11n} BTN`,
      )
      expect(told.text()).toContain('It may have the transaction, so the command looks for it now.')
    } finally {
      clearInterval(mining)
      told.end()
      await node.close()
    }
  })

  it('is not called lost because a server of the provider is behind', async () => {
    const before = await readReserve()
    const node = await startUnreliableNode(pool.anvil.rpcUrl)
    let hidden = 3
    node.changeAnswer = ({ method }, answer) => {
      if (method !== 'eth_getTransactionReceipt' || hidden === 0) return answer
      hidden -= 1
      return { result: null }
    }
    const told = collectStderr()
    mining = setInterval(() => void pool.mine(1), 200)
    try {
      expect(await reserve(node.rpcUrl, '12', ...as('funder'))).toContain(
        `the reserve promotion has ${before + 12n} BTN`,
      )
    } finally {
      clearInterval(mining)
      told.end()
      await node.close()
    }
  })

  it('is not called failed before the block in which it failed is final', async () => {
    const before = await readReserve()
    await pool.approve(pool.accountOf('funder'), 'BTN', 15n * 10n ** 18n)
    await pool.finalize()
    const node = await startUnreliableNode(pool.anvil.rpcUrl)
    // As in a block that a reorganization removes afterwards.
    node.changeAnswer = ({ method }, answer) =>
      method === 'eth_getTransactionReceipt' && answer.result
        ? { result: { ...(answer.result as object), status: '0x0' } }
        : answer
    const told = collectStderr()
    try {
      const running = reserve(node.rpcUrl, '15', ...as('funder'))
      running.catch(() => {})
      await waitUntil(async () => expect(told.text()).toMatch(/fundReserve failed in block \d+/), 20_000)
      node.changeAnswer = (_request, answer) => answer
      mining = setInterval(() => void pool.mine(1), 200)
      expect(await running).toContain(`the reserve promotion has ${before + 15n} BTN`)
    } finally {
      clearInterval(mining)
      told.end()
      await node.close()
    }
  })

  /** Sends a call of the funder to itself, and waits two seconds for its block instead of an hour. */
  async function sendAndWaitShortly(...rpcUrls: readonly [string, ...string[]]): Promise<Result<unknown, string>> {
    const account = pool.accountOf('funder')
    const config = readVaultConfig(pool.environment)
    if (!config.ok) throw new Error(config.error.join('\n'))
    const [node, ...others] = rpcUrls.map((url, index) => createNode({ url, origin: `test ${index}` }))
    if (!node) throw new Error('There is no node.')
    const nonce = await node.transactionCount(account.address, { blockTag: 'latest' })
    const call = { name: 'fundReserve', purpose: 'which does nothing', to: account.address, data: '0x' } as const
    const sender = {
      node,
      nodes: [node, ...others],
      address: account.address,
      role: 'funder',
      config: config.value,
      signing: { account, nonce, isReplacing: false },
      cost: { maxFee: 100n * GWEI, maxGas: 500_000n, firstGas: 50_000n, most: 5_000_000n * GWEI },
    } as const
    const told = collectStderr()
    try {
      return await sendCalls(sender, { title: 'Test', facts: [], calls: [call], isDoneOnce: false }, { waitMs: 2_000 })
    } finally {
      told.end()
    }
  }

  it('is called failed if it failed in a block that is not final after an hour', async () => {
    const node = await startUnreliableNode(pool.anvil.rpcUrl)
    node.changeAnswer = ({ method }, answer) =>
      method === 'eth_getTransactionReceipt' && answer.result
        ? { result: { ...(answer.result as object), status: '0x0' } }
        : answer
    expect(await sendAndWaitShortly(node.rpcUrl)).toEqual({
      ok: false,
      error: expect.stringMatching(/^fundReserve failed in block \d+: transaction 0x\w+\. After an hour .* not final/),
    })
    node.changeAnswer = ({ method }, answer) =>
      method === 'eth_getTransactionReceipt' ? { error: { code: -32_005, message: 'limit exceeded' } } : answer
    expect(await sendAndWaitShortly(node.rpcUrl)).toEqual({
      ok: false,
      error: expect.stringMatching(/^For an hour the node did not say whether a block has fundReserve: transaction 0x/),
    })
    await node.close()
    await pool.finalize()
  })

  it('is not called done if one of the nodes does not show it, or shows it as failed', async () => {
    const node = await startUnreliableNode(pool.anvil.rpcUrl)
    const answers = [
      [null, /^After an hour the nodes do not agree about fundReserve: transaction 0x\w+\. .* shows no block with it/],
      ['0x0', /^After an hour the nodes do not agree about fundReserve: transaction 0x\w+\. .* says that it failed/],
    ] as const
    for (const [status, words] of answers) {
      node.changeAnswer = ({ method }, answer) =>
        method === 'eth_getTransactionReceipt' && answer.result
          ? { result: status === null ? null : { ...(answer.result as object), status } }
          : answer
      for (const urls of [[node.rpcUrl, pool.anvil.rpcUrl] as const, [pool.anvil.rpcUrl, node.rpcUrl] as const])
        expect(await sendAndWaitShortly(...urls)).toEqual({ ok: false, error: expect.stringMatching(words) })
    }
    await node.close()
    await pool.finalize()
  })

  it('is found in its block although the first node says nothing about it', async () => {
    const node = await startUnreliableNode(pool.anvil.rpcUrl)
    node.changeAnswer = ({ method }, answer) =>
      method === 'eth_getTransactionReceipt' ? { error: { code: -32_005, message: 'limit exceeded' } } : answer
    expect(await sendAndWaitShortly(node.rpcUrl, pool.anvil.rpcUrl)).toEqual({
      ok: false,
      error: expect.stringMatching(/^After an hour this is in a block, but not final: transaction 0x/),
    })
    await node.close()
    await pool.finalize()
  })

  it('is not sent if the account cannot pay the fees of all calls', async () => {
    const funder = pool.accountOf('funder')
    // Enough for the approval alone.
    await pool.node.setBalance({ address: funder.address, value: 100_000n * GWEI })
    const sent = await pool.client.getTransactionCount(funder)
    const refusal = await vault('reserve', 'promotion', '2', ...as('funder'))
    await pool.node.setBalance({ address: funder.address, value: 10n ** 19n })
    expect(refusal).toMatch(
      /^refused: 0x\w+ has 0\.0001 of the chain’s own currency for fees, and .* Nothing was done\.$/,
    )
    expect(await pool.client.getTransactionCount(funder)).toBe(sent)
  })

  it('is called lost if another transaction has its nonce after a reorganization', async () => {
    const before = await readReserve()
    const funder = pool.accountOf('funder')
    await pool.approve(funder, 'BTN', 13n * 10n ** 18n)
    await pool.finalize()
    const node = await startUnreliableNode(pool.anvil.rpcUrl)
    const told = collectStderr()
    try {
      const running = reserve(node.rpcUrl, '13', ...as('funder'))
      const lost = expect(running).rejects.toThrow(/so fundReserve never happens: transaction 0x/)
      await waitUntil(async () => expect(told.text()).toContain('Waiting until'), 60_000)
      // The node answers nothing meanwhile, so the command cannot send it again before.
      node.mode = 'fail'
      await pool.rollBack(1)
      await pool.mined(pool.send(funder, funder.address, '0x'))
      node.mode = 'work'
      mining = setInterval(() => void pool.mine(1), 200)
      await lost
    } finally {
      clearInterval(mining)
      told.end()
      await node.close()
    }
    await pool.approve(funder, 'BTN', 0n)
    await pool.finalize()
    expect(await readReserve()).toBe(before)
  })

  it('is sent again if a reorganization removed its block', async () => {
    const before = await readReserve()
    await pool.approve(pool.accountOf('funder'), 'BTN', 20n * 10n ** 18n)
    await pool.finalize()
    const told = collectStderr()
    try {
      const running = reserve(pool.anvil.rpcUrl, '20', ...as('funder'))
      await waitUntil(async () => expect(told.text()).toContain('Waiting until'), 60_000)
      await pool.reorganize(1)
      mining = setInterval(() => void pool.mine(1), 500)
      expect(await running).toContain(`the reserve promotion has ${before + 20n} BTN`)
    } finally {
      clearInterval(mining)
      told.end()
    }
    const { books, chain } = await pool.readCustody()
    expect(books).toEqual(chain)
  })
})

describe('lode vault cold', { timeout: 120_000 }, () => {
  const cold = (...words: readonly string[]) => vault('cold', 'BTN', '1000', ...words)
  const heldInCold = () => pool.balanceOf('BTN', pool.accountOf('coldStorage').address)

  it('announces the move, and moves the money two days later', async () => {
    expect(await vault('cold', 'USDT', '1', ...as('administrator'))).toContain('The vault holds 0 USDT')
    expect(await cold(...as('guardian'))).toContain('is no administrator of the vault')
    const file = join(pool.folder, 'announce.json')
    expect(await cold('--safe', file, '--yes')).toContain('Announce the move of 1000 BTN')
    await makeSafeCalls(file, pool.accountOf('administrator'))
    expect(await cold(...as('administrator'))).toMatch(/^refused: This move is announced already .* possible from \d/)
    const before = await heldInCold()
    await passTime(2 * 86_400 + 1)
    const moved = JSON.parse(await cold(...as('administrator'), '--json')) as object
    expect(moved).toMatchObject({ step: 'moveToCold', symbol: 'BTN', amount: '1000', isFinal: true })
    expect(await heldInCold()).toBe(before + 1_000n * 10n ** 18n)
    const { books, chain } = await pool.readCustody()
    expect(books).toEqual(chain)
  })

  it('is not announced with a node that is behind the pool, also with --more', async () => {
    const posted = await pool.settled()
    const node = await startUnreliableNode(pool.anvil.rpcUrl)
    node.changeAnswer = ({ method, params }, answer) =>
      method === 'eth_getBlockByNumber' && params[0] === 'latest'
        ? { result: { ...(answer.result as object), number: toHex(posted - 1n) } }
        : answer
    const words = ['vault', 'cold', 'BTN', '1000', ...from('administrator'), '--chain', node.rpcUrl]
    const told = collectStderr()
    try {
      await expect(runLode(pool, ...words)).rejects.toThrow('is behind the pool')
      await expect(runLode(pool, ...words, '--more')).rejects.toThrow('is behind the pool')
    } finally {
      told.end()
      await node.close()
    }
  })

  it('announces the same move again only with --more, and again if a guardian withdrew it', async () => {
    expect(await cold(...as('administrator'))).toMatch(
      /^refused: 1000 BTN was moved to cold storage in block \d+: transaction 0x[0-9a-f]{64}\. Nothing was done\./,
    )
    expect(await cold(...as('administrator'), '--more')).toContain('Done:  announce')
    const withdraw = encodeFunctionData({ ...vaultContract(), functionName: 'withdrawAllAnnouncements' })
    await pool.node.increaseTime({ seconds: 10 })
    await pool.mined(pool.send(pool.accountOf('guardian'), pool.contracts.vault, withdraw))
    expect(await cold(...from('administrator'), '--more')).toContain('Announce the move of 1000 BTN')
  })
})

describe('lode vault loss', { timeout: 120_000 }, () => {
  const ASSET: Asset = 'BTN'
  const COIN = 10n ** 18n

  /** A payer with a stolen key pays 20 BTN to nobody of the pool, and two operators write it off. */
  async function loseMoney(): Promise<void> {
    const identity = { pool: pool.contracts.vault, chainId: pool.anvil.chainId }
    const { alice, bob } = await holdCeremony(pool.db, identity)
    const [wallet] = pool.wallets as [PrivateKeyAccount]
    await pool.addMember(wallet)
    await pool.transfer(wallet, ASSET, 100n * COIN)
    await pool.finalize()
    const to = privateKeyToAccount(generatePrivateKey()).address
    const payout = { id: pad('0x7', { size: 32 }), token: pool.contracts.btn, to, amount: 20n * COIN }
    const data = encodeFunctionData({ ...vaultContract(), functionName: 'release', args: [[payout]] })
    await pool.mined(pool.send(pool.accountOf('payer'), pool.contracts.vault, data))
    await pool.mine(3)
    const stop = await waitUntil(async () => {
      const found = (await listStoppedAssets(pool.db)).find(({ asset }) => asset === ASSET)
      if (!found?.loss) throw new Error('BTN is not stopped')
      return found.loss
    }, 60_000)
    const writeOff = { symbol: ASSET, amount: stop.amount, cause: stop.cause, note: 'stolen' }
    const proposal = await proposeWriteOff(pool.db, writeOff)
    if (!proposal.ok) throw new Error(proposal.error)
    await signInTurn(pool.db, identity, proposal.value, [alice, bob], async (trx) => {
      await wakeForDecisions(trx)
      return { ok: true, value: null }
    })
    await waitUntil(async () => expect(await listStoppedAssets(pool.db)).toEqual([]), 60_000)
    await pool.finalize()
    await pool.transfer(wallet, ASSET, 50n * COIN, pool.accountOf('funder').address)
  }

  /** Another account gets the role, and replaces a part. */
  async function sendAsSecondFunder(amount: bigint): Promise<void> {
    const account = privateKeyToAccount(generatePrivateKey())
    await pool.node.setBalance({ address: account.address, value: 10n ** 18n })
    const role = keccak256(stringToHex('FUNDER'))
    const accept = encodeFunctionData({ ...vaultContract(), functionName: 'acceptRole', args: [role] })
    await pool.mined(pool.send(account, pool.contracts.vault, accept))
    const args = [role, account.address] as const
    await pool.callAfterNotice(encodeFunctionData({ ...vaultContract(), functionName: 'grantRole', args }))
    await pool.transfer(pool.accountOf('funder'), ASSET, amount, account.address)
    await pool.finalize()
    await pool.transfer(account, ASSET, amount)
  }

  /** A reserve's funding is a transfer of the funder to the vault too, but it replaces nothing. */
  async function offerBesidesReserve(): Promise<void> {
    const funder = pool.accountOf('funder')
    const amount = 19n * COIN
    await pool.approve(funder, ASSET, amount)
    const args = [reserveKinds.indexOf('airdrop'), amount] as const
    const data = encodeFunctionData({ ...vaultContract(), functionName: 'fundReserve', args })
    await pool.mined(pool.send(funder, pool.contracts.vault, data))
    const told = collectStderr()
    const offer = (coins: string) =>
      runLode(pool, ...['vault', 'loss', ASSET, coins, ...from('funder'), '--chain', pool.anvil.rpcUrl])
    try {
      // Nobody mines here, because the block must stay new.
      expect(await offer('20')).toContain('must make this call')
      expect(told.text()).toContain('20 BTN is missing. After this 0 BTN is missing.')
      await pool.finalize()
      expect(await offer('19')).toContain('must make this call')
    } finally {
      told.end()
    }
  }

  it('replaces what is missing, and no more', async () => {
    expect(await vault('loss', ASSET, '1', ...as('funder'))).toContain('No BTN is missing')
    await loseMoney()
    expect(await runLode(pool, 'status')).toContain('20 BTN is missing since a write-off and must be replaced')
    expect(await vault('loss', ASSET, '21', ...as('funder'))).toContain('20 BTN is missing. Send no more')
    expect(await vault('loss', ASSET, '20', ...as('payer'))).toContain('is no funder of the vault')
    await offerBesidesReserve()
    const part = JSON.parse(await vault('loss', ASSET, '8', ...as('funder'), '--json')) as object
    expect(part).toMatchObject({ calls: [{ call: 'transfer', to: pool.contracts.btn }], isFinal: true, missing: '12' })
    expect(await vault('loss', ASSET, '8', ...as('funder'))).toContain('refused: The same amount was sent before')
    await sendAsSecondFunder(9n * COIN)
    // Not final yet. Nobody mines here, because the block must stay new.
    const rest = (amount: string) =>
      runLode(pool, ...['vault', 'loss', ASSET, amount, ...as('funder'), '--more', '--chain', pool.anvil.rpcUrl])
    await expect(rest('4')).rejects.toThrow(
      '12 BTN is missing, and 9 BTN was sent that the pool has not read yet. Send no more',
    )
    await pool.finalize()
    const file = join(pool.folder, 'loss.json')
    expect(await vault('loss', ASSET, '3', ...from('funder'), '--safe', file)).toContain('made twice, it happens twice')
    await makeSafeCalls(file, pool.accountOf('funder'))
    expect(await vault('loss', ASSET, '3', ...as('funder'))).toContain('No BTN is missing')
    expect((await readSystemBalances(pool.db))('pool:loss', ASSET)).toBe(0n)
  })
})
