import { createCipheriv, randomBytes, randomUUID, scryptSync } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { btnTokenAbi, poolVaultAbi } from '@lode/contracts'
import { dayOf } from '@lode/kernel'
import { sql } from 'kysely'
import { type Address, decodeFunctionData, encodeFunctionData, type Hex, keccak256 } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOperators } from '../modules/operators/index.ts'
import { createPlans } from '../modules/plan/index.ts'
import { closeDays } from '../modules/pledge/index.ts'
import { readClock } from '../platform/clock/clock.ts'
import { connectDatabase, type DatabaseConnection } from '../platform/db/database.ts'
import { startBitcoinNode } from '../testing/bitcoin-node.ts'
import { PASSWORD } from '../testing/member.ts'
import { type Buyer, type OrderFixture, startOrderFixture } from '../testing/order-fixture.ts'
import { waitUntil } from '../testing/pool.ts'
import { startServerProcess } from '../testing/process.ts'
import { collectStderr, runLode } from '../testing/run-lode.ts'

/** A pool with a chain and a worker. Each test takes the next day. */
const DAY_SECONDS = 86_400
const BTN = 10n ** 18n

let pool: OrderFixture
let worker: DatabaseConnection
let key: string
let mining: NodeJS.Timeout | undefined
beforeAll(async () => {
  pool = await startOrderFixture({ wallets: 2 })
  worker = connectDatabase(pool.database.urlOf('lode_worker'), { name: 'day fund test', max: 1 })
  await pool.startWorker()
  key = join(pool.folder, 'funder.key')
  writeFileSync(key, pool.keys.funder)
  await pool.finalize()
}, 120_000)
afterAll(async () => {
  clearInterval(mining)
  await worker.close()
  await pool.close()
})

/** Blocks follow each other, so that a transaction becomes final while a command waits. */
function startMining(): void {
  mining = setInterval(() => void pool.mine(1), 200)
}
function stopMining(): void {
  clearInterval(mining)
  mining = undefined
}

type Words = readonly string[]

/** Runs the command in this process. Returns what it tells people and then prints, or the refusal. */
async function fund(...words: Words): Promise<string> {
  const told = collectStderr()
  try {
    const printed = await runLode(pool, 'day', 'fund', ...words, '--chain', pool.anvil.rpcUrl, '--yes')
    return words.includes('--json') ? printed : `${told.text()}${printed}`
  } catch (error) {
    return `refused: ${(error as Error).message}`
  } finally {
    told.end()
  }
}

/** Sends with the funder's key while blocks follow each other. */
async function fundNow(...words: Words): Promise<string> {
  startMining()
  try {
    return await fund(...words, '--key', key)
  } finally {
    stopMining()
  }
}

/** A Bitcoin output that nobody named before. */
const freshOutput = (): string => `${generatePrivateKey().slice(2)}:1`
const today = async (): Promise<number> => dayOf(new Date(Number((await pool.client.getBlock()).timestamp) * 1_000))

async function readFunded(day: number): Promise<string[]> {
  await pool.finalize()
  const { rows } = await sql<{ amount: string }>`
    select amount::text as amount from lode.dividend_funding where day = ${day} order by block_number`.execute(pool.db)
  return rows.map(({ amount }) => amount)
}

/** Moves the clock to the next afternoon, and closes all days that are due. */
async function nextAfternoon(): Promise<void> {
  const into = ((await readClock(pool.db)).getTime() / 1_000) % DAY_SECONDS
  await pool.passTime(Math.round(DAY_SECONDS + 13 * 3_600 - into))
  await pool.finalize()
  const { vault, chainId } = pool.contracts
  await closeDays(worker.db, {
    plans: createPlans({ decimals: { USDT: 6, BTN: 18, BTC: 8 }, operators: null }),
    operators: createOperators({ pool: vault, chainId, ceremony: null }),
  })
}

/** A member with a pledge that runs from tomorrow on. */
async function pledgeAsMember(): Promise<Buyer> {
  const buyer = await pool.buyer()
  await pool.deposit(buyer.wallet, 'BTN', 20_000n * BTN)
  await pool.finalize()
  const pledged = await pool.api.call(
    'pledge/order',
    {
      account: buyer.wallet.address,
      key: randomUUID(),
      planVersion: 1,
      quantity: '20000',
      termDays: 30,
      balancePart: '20000',
      password: PASSWORD,
    },
    buyer,
  )
  expect(pledged.status).toBe(200)
  return buyer
}

describe('lode day fund', { timeout: 240_000 }, () => {
  it('enters a production that is closed, and that a member collects', async () => {
    const buyer = await pledgeAsMember()
    await nextAfternoon()
    const day = await today()
    const output = freshOutput()
    const answer = JSON.parse(await fundNow(String(day), '0.01', output, '--json')) as Record<string, unknown>
    expect(answer).toMatchObject({
      day,
      amount: '0.01',
      dayBefore: '0',
      sender: pool.accountOf('funder').address,
      calls: [{ call: 'approve' }, { call: 'fundDividend', to: pool.contracts.vault, value: '0' }],
      transactions: [{ call: 'approve' }, { call: 'fundDividend' }],
      isFinal: true,
      fundedInPool: '0.01',
    })
    expect(await readFunded(day)).toEqual(['1000000'])
    await nextAfternoon()
    const collected = await pool.api.call('pledge/collect', { account: buyer.wallet.address, key: randomUUID() }, buyer)
    // The only pledge gets all of it, but for the fraction of a unit that remains.
    expect(['0.01', '0.00999999']).toContain(collected.body.data.amount)
  })

  it('shows the day before beside this day, and asks to check an amount that is far from it', async () => {
    const day = await today()
    const shown = await fund(String(day), '0.1', freshOutput())
    expect(shown).toMatch(/Day before: \d+ \(\d{4}-\d\d-\d\d\) {2}0.01 BTC\n/)
    expect(shown).toMatch(/This day: {3}\d+ \(\d{4}-\d\d-\d\d\) {2}0.1 BTC, 0.09 BTC more\n/)
    expect(shown).toContain('CHECK THE AMOUNT')
    expect(await fund(String(day), '0.011', freshOutput())).not.toContain('CHECK THE AMOUNT')
    expect(await fund(String(day), '3', freshOutput())).toContain(`two operators run: lode day approve ${day}`)
    expect(await fund(String(day + 1), '3', freshOutput())).toContain(
      `two operators run, once it closes next: lode day approve ${day + 1}`,
    )
  })

  it('stops at a day that has funding, and at an output that was named, and says what the pool has read', async () => {
    const day = await today()
    const output = freshOutput()
    expect(await fundNow(String(day), '0.02', output)).toContain('The pool has read it: day')
    const again = await fundNow(String(day), '0.02', output)
    expect(again).toMatch(/^refused: This Bitcoin output was named before, for day .* with 0.02 BTC/)
    expect(again).toContain('the pool has read it')
    const reversed = `${Buffer.from(output.slice(0, 64), 'hex').reverse().toString('hex')}:1`
    expect(await fundNow(String(day), '0.02', reversed)).toContain('This Bitcoin output was named before')
    const other = freshOutput()
    expect(await fundNow(String(day), '0.03', other)).toMatch(/^refused: Day .* has funding already:/)
    expect(await readFunded(day)).toEqual(['2000000'])
    expect(await fundNow(String(day), '0.03', other, '--more')).toContain('has 0.05 BTC funded')
    expect(await readFunded(day)).toEqual(['2000000', '3000000'])
    await nextAfternoon()
  })

  it('refuses what the vault or the pool would not take', async () => {
    const day = await today()
    const output = freshOutput()
    expect(await fund(String(day + 2), '0.01', output)).toContain('cannot be funded: the vault takes')
    expect(await fund(String(day - 8), '0.01', output)).toContain('cannot be funded: the vault takes')
    expect(await fund(String(day - 2), '0.01', output)).toContain('is closed')
    expect(await fund('yesterday', '0.01', output)).toContain('is not the number of a day')
    expect(await fund(String(day), '0', output)).toContain('is not an amount of BTC')
    expect(await fund(String(day), '0.000000001', output)).toContain('is not an amount of BTC')
    expect(await fund(String(day), '1000000', output)).toMatch(/holds 9\d\d\.\d+ BTC, which is less than 1000000 BTC/)
    for (const evidence of ['', 'abcd:1', `${'00'.repeat(32)}:0`, `${'ab'.repeat(32)}`, `${'ab'.repeat(32)}:-1`])
      expect(await fund(String(day), '0.01', evidence)).toContain('is not a Bitcoin output')
    expect(await fund(String(day), '0.01', `${'ab'.repeat(32)}:111111`)).toContain(
      'no Bitcoin transaction has an output',
    )
    const guardian = pool.accountOf('guardian').address
    expect(await fund(String(day), '0.01', output, '--from', guardian)).toContain(`${guardian} is no funder`)
    const stranger = join(pool.folder, 'stranger.key')
    writeFileSync(stranger, generatePrivateKey())
    expect(await fund(String(day), '0.01', output, '--key', stranger)).toContain('is no funder of the vault')
    expect(await readFunded(day)).toEqual([])
  })

  it('looks for the output if a Bitcoin node is named', async () => {
    const bitcoin = await startBitcoinNode()
    const day = String(await today())
    const id = bitcoin.addTransaction([1n, 900_000n], 9)
    const ask = (amount: string, output: string) => fund(day, amount, output, '--bitcoin', bitcoin.url.href)
    expect(await ask('0.009', `${id}:1`)).toContain('which is worth 0.009 BTC')
    expect(await ask('0.009', `${id}:1`)).not.toContain('NOBODY LOOKED FOR IT')
    expect(await fund(day, '0.009', `${id}:1`)).toContain('NOBODY LOOKED FOR IT: name a Bitcoin node')
    expect(await ask('0.0090001', `${id}:1`)).toContain('is worth 0.009 BTC, which is less')
    expect(await ask('0.009', `${id}:2`)).toContain('knows no such output')
    bitcoin.confirm(id, 1)
    expect(await ask('0.009', `${id}:1`)).toContain('fewer than six confirmations')
    await bitcoin.close()
  })

  it('writes a Safe file whose calls, made by the funder, fund the day', async () => {
    const day = await today()
    const output = freshOutput()
    const file = join(pool.folder, 'fund.json')
    const shown = await fund(String(day), '0.04', output, '--safe', file)
    expect(shown).toContain(`Nothing was sent. The funder ${pool.accountOf('funder').address} must make these 2 calls`)
    expect(await fund(String(day), '0.04', output, '--safe', file)).toContain('exists already')
    expect(await readFunded(day)).toEqual([])
    const { chainId, transactions } = JSON.parse(readFileSync(file, 'utf8')) as {
      chainId: string
      transactions: { to: Address; data: Hex; value: string }[]
    }
    expect(chainId).toBe(String(pool.contracts.chainId))
    const [approval] = transactions
    if (!approval) throw new Error('the file has no call')
    expect(decodeFunctionData({ abi: btnTokenAbi, data: approval.data }).args).toEqual([
      pool.contracts.vault,
      4_000_000n,
    ])
    for (const { to, data } of transactions) {
      expect(shown).toContain(`To:    ${to}`)
      expect(shown).toContain(`Data:  ${data}`)
      await pool.mined(pool.send(pool.accountOf('funder'), to, data))
    }
    expect(await fund(String(day), '0.04', output)).toContain('not read it yet: it waits until the block is final')
    expect(await readFunded(day)).toEqual(['4000000'])
    expect(await fund(String(day), '0.04', output)).toContain('the pool has read it')
    await nextAfternoon()
  })

  it('needs no approval if the vault may take enough already, and approves no more than the amount', async () => {
    const day = String(await today())
    await pool.approve(pool.accountOf('funder'), 'BTC', 500n)
    expect(await fund(day, '0.00001', freshOutput())).toContain('may take 0.00001 BTC (so far 0.000005 BTC)')
    await pool.approve(pool.accountOf('funder'), 'BTC', 1_000n)
    const shown = await fund(day, '0.00001', freshOutput())
    expect(shown).not.toContain('approve')
    expect(shown).toContain('must make this call.')
    await pool.approve(pool.accountOf('funder'), 'BTC', 0n)
  })

  it('funds once if it is started twice at once, or while its transaction is in no block', async () => {
    const day = await today()
    const environment = { ...pool.environment, DATABASE_URL: pool.database.urlOf('lode_operator') }
    const words = [
      'day',
      'fund',
      String(day),
      '0.05',
      freshOutput(),
      '--chain',
      pool.anvil.rpcUrl,
      '--yes',
      '--key',
      key,
    ]
    await pool.node.setAutomine(false)
    const first = startServerProcess('lode', environment, ...words)
    const second = startServerProcess('lode', environment, ...words)
    const countOf = (blockTag: 'latest' | 'pending') =>
      pool.client.getTransactionCount({ address: pool.accountOf('funder').address, blockTag })
    await waitUntil(async () => expect(await countOf('pending')).toBe((await countOf('latest')) + 1), 120_000)
    const third = startServerProcess('lode', environment, ...words)
    expect(await third.ended).toBe(1)
    expect(third.output()).toContain('has sent a transaction that no block has yet')
    await pool.node.setAutomine(true)
    startMining()
    await Promise.all([first.ended, second.ended])
    stopMining()
    expect(first.output() + second.output()).toContain('The pool has read it')
    expect(await readFunded(day)).toEqual(['5000000'])
    expect(`${first.output()}${second.output()}${third.output()}`).not.toMatch(/\n\s+at /)
    await nextAfternoon()
  })

  it('reads a keystore with its passphrase, and prints the key nowhere', async () => {
    const day = await today()
    const { file, passphrase } = writeKeystore(pool.keys.funder)
    const output = freshOutput()
    const wrong = join(pool.folder, 'wrong.txt')
    writeFileSync(wrong, 'not the passphrase')
    const run = (passphraseFile: string) =>
      runLode(
        { ...pool, environment: { ...pool.environment, LODE_PASSPHRASE_FILE: passphraseFile } },
        ...[
          'day',
          'fund',
          String(day),
          '0.06',
          output,
          '--chain',
          pool.anvil.rpcUrl,
          '--yes',
          '--no-wait',
          '--key',
          file,
        ],
      )
    await expect(run(wrong)).rejects.toThrow('The passphrase is wrong')
    const told = collectStderr()
    const shown = `${await run(passphrase)}${told.text()}`
    told.end()
    expect(shown).toContain('Sending fundDividend')
    expect(shown).toContain('It is not final yet.')
    expect(shown.toLowerCase()).not.toContain(pool.keys.funder.slice(2).toLowerCase())
    expect(await readFunded(day)).toEqual(['6000000'])
  })

  it('counts what an output has passed on before, if the administrator has reinstated it', async () => {
    const bitcoin = await startBitcoinNode()
    const id = bitcoin.addTransaction([900_000n], 9)
    expect(await fundNow(String(await today()), '0.005', `${id}:0`, '--more')).toContain('The pool has read it')
    const args = [`0x${id}`, 0] as const
    await pool.callAfterNotice(encodeFunctionData({ abi: poolVaultAbi, functionName: 'reinstateEvidence', args }))
    await pool.finalize()
    const day = String(await today())
    const ask = (amount: string) => fund(day, amount, `${id}:0`, '--bitcoin', bitcoin.url.href)
    expect(await ask('0.0041')).toContain(
      'The Bitcoin output is worth 0.009 BTC, which is less than the amount and the 0.005 BTC that named it before.',
    )
    expect(await ask('0.004')).toContain('which is worth 0.009 BTC. 0.005 BTC named it before')
    expect(await fund(day, '0.004', `${id}:0`)).toContain('0.005 BTC named it before')
    await bitcoin.close()
  })
})

/** A keystore as geth writes it, with less work for scrypt. */
function writeKeystore(secret: Hex): { file: string; passphrase: string } {
  const [salt, iv] = [randomBytes(32), randomBytes(16)]
  const derived = scryptSync('six random words', salt, 32, { N: 4_096, r: 8, p: 1 })
  const cipher = createCipheriv('aes-128-ctr', derived.subarray(0, 16), iv)
  const ciphertext = Buffer.concat([cipher.update(Buffer.from(secret.slice(2), 'hex')), cipher.final()])
  const mac = keccak256(Buffer.concat([derived.subarray(16, 32), ciphertext])).slice(2)
  const [file, passphrase] = [join(pool.folder, 'funder.json'), join(pool.folder, 'passphrase.txt')]
  writeFileSync(passphrase, 'six random words\n')
  writeFileSync(
    file,
    JSON.stringify({
      version: 3,
      crypto: {
        cipher: 'aes-128-ctr',
        cipherparams: { iv: iv.toString('hex') },
        ciphertext: ciphertext.toString('hex'),
        kdf: 'scrypt',
        kdfparams: { n: 4_096, r: 8, p: 1, dklen: 32, salt: salt.toString('hex') },
        mac,
      },
    }),
  )
  return { file, passphrase }
}
