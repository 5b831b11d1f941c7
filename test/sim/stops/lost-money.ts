import { btnTokenAbi, poolVaultAbi } from '@lode/contracts'
import { hostileTokenAbi } from '@lode/contracts/dev'
import type { Asset } from '@lode/kernel'
import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  keccak256,
  numberToHex,
  pad,
  parseUnits,
  toHex,
} from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { transferCall } from '../members/wallet.ts'
import { waitUntil, waitUntilCaughtUp } from '../open-world.ts'
import { query } from '../query.ts'
import type { Random } from '../random.ts'
import { BLOCKS_TO_FINALITY } from '../stack/chain.ts'
import { moveClock } from '../stack/clock.ts'
import { administrator, coldStorage, funder, NOTICE_SECONDS } from '../stack/pool.ts'
import { Violation, type World } from '../world.ts'
import { endByTwo, mineUntil, readStops, type Stop, waitForStop } from './stop.ts'

/** Stops of one asset because money left without a payout. Two operators write it off, and it is replaced. */

const stoppedAsset = (asset: Asset) => ({ credits: [asset], payouts: [asset], isQuick: false }) as const

const ASSET_CODES = { USDT: 1, BTN: 2, BTC: 3 } as const
const LOSS_KIND = 10

/** What is missing in the asset, by the account `pool:loss`. */
async function readMissing({ stack }: World, asset: Asset): Promise<bigint> {
  const [row] = await query<{ missing: string }>(
    stack.ownerUrl,
    `select coalesce(-sum(balance), 0) as missing from lode.ledger_account
     where (id >> 8) & 63 = $1 and (id >> 6) & 3 = $2`,
    [LOSS_KIND, ASSET_CODES[asset]],
  )
  return BigInt(row?.missing ?? 0)
}

/** Two operators sign the command that `lode correct list` prints. Returns the amount that they wrote off, as text. */
async function writeOff(world: World, random: Random, asset: Asset): Promise<string> {
  const printed = await world.operators.read(world.stack.ownerUrl, ['correct', 'list'])
  const command = /lode (correct write-off \S+ (\S+) \S+) WHY/.exec(printed)
  const [, args = '', amount = ''] = command ?? []
  if (!args.includes(` ${asset} `)) throw new Violation(`lode correct list does not say what ends the stop: ${printed}`)
  await endByTwo(world, random, {
    args: [...args.split(' '), 'it was stolen'],
    isStopped: async () => (await readStops(world)).length > 0,
  })
  await waitUntil(world, 'posts the write-off', async () => ((await readMissing(world, asset)) > 0n ? [] : ['nothing']))
  return amount.replaceAll(',', '')
}

/** The write-off, and two operators who replace the loss from `pool:operations`. */
async function writeOffAndFund(world: World, random: Random, asset: Asset): Promise<void> {
  const amount = await writeOff(world, random, asset)
  await endByTwo(world, random, {
    args: ['correct', 'fund', asset, amount, 'the pool bears it'],
    isStopped: async () => (await readMissing(world, asset)) > 0n,
  })
}

/** Sends a transaction that takes money, which must succeed, and lets it become final. */
async function steal(world: World, by: PrivateKeyAccount, to: Address, data: Hex): Promise<void> {
  const hash = await world.chain.send(by, { to, data })
  world.acknowledged.thefts.add(hash)
  await world.chain.mine(1)
  const { status } = await world.chain.client.getTransactionReceipt({ hash })
  if (status !== 'success') throw new Error(`nothing could be taken by ${hash}`)
  await world.chain.mine(BLOCKS_TO_FINALITY + 2)
}

/** The administrator announces a call of the vault and makes it two days later. */
async function callAfterNotice(world: World, data: Hex): Promise<Hex> {
  const { vault } = world.chain.contracts
  const announce = encodeFunctionData({ abi: poolVaultAbi, functionName: 'announce', args: [data] })
  await world.chain.send(administrator, { to: vault, data: announce })
  await world.chain.mine(1)
  await moveClock(world, NOTICE_SECONDS)
  const hash = await world.chain.send(administrator, { to: vault, data })
  return hash
}

const PAYER_ROLE = keccak256(toHex('PAYER'))

/** A thief who was made a payer of the vault. `dismiss` takes the role away. */
async function makeThief(
  world: World,
  random: Random,
): Promise<{ thief: PrivateKeyAccount; dismiss(): Promise<void> }> {
  const { chain } = world
  const { vault } = chain.contracts
  const thief = privateKeyToAccount(random.hex32())
  await chain.request('anvil_setBalance', [thief.address, numberToHex(10n ** 20n)])
  const accept = encodeFunctionData({ abi: poolVaultAbi, functionName: 'acceptRole', args: [PAYER_ROLE] })
  await chain.send(thief, { to: vault, data: accept })
  const args = [PAYER_ROLE, thief.address] as const
  await callAfterNotice(world, encodeFunctionData({ abi: poolVaultAbi, functionName: 'grantRole', args }))
  await chain.mine(1)
  const revoke = encodeFunctionData({ abi: poolVaultAbi, functionName: 'revokeRole', args })
  const dismiss = async () => {
    await chain.send(administrator, { to: vault, data: revoke })
    await chain.mine(1)
  }
  return { thief, dismiss }
}

const unrequestedPayout: Stop = {
  name: 'a payout that nobody requested',
  how: 'a thief with the role of the payer releases one USDT',
  ...stoppedAsset('USDT'),
  async begin(world, random) {
    const { vault, usdt } = world.chain.contracts
    const { thief, dismiss } = await makeThief(world, random)
    const id = pad(`0x${random.hex32().slice(2, 34)}`, { size: 32 })
    const payout = { id, token: usdt, to: thief.address, amount: parseUnits('1', 6) }
    const data = encodeFunctionData({ abi: poolVaultAbi, functionName: 'release', args: [[payout]] })
    await steal(world, thief, vault, data)
    await waitForStop(world, /USDT: .*which nobody asked for/)
    return async () => {
      await dismiss()
      await writeOffAndFund(world, random, 'USDT')
    }
  },
}

const tooMuchBurned: Stop = {
  name: 'more was burned than was due',
  how: 'a thief with the role of the payer burns five BTN more than fees to burn are there',
  ...stoppedAsset('BTN'),
  async begin(world, random) {
    const { vault } = world.chain.contracts
    const { thief, dismiss } = await makeThief(world, random)
    await waitUntilCaughtUp(world)
    const amount = (await readBurnDue(world)) + parseUnits('5', 18)
    const args = [amount, random.hex32()] as const
    await steal(world, thief, vault, encodeFunctionData({ abi: poolVaultAbi, functionName: 'burn', args }))
    await waitForStop(world, /BTN: .*"insufficient" to burn/)
    return async () => {
      await dismiss()
      await writeOff(world, random, 'BTN')
      await replaceByFunder(world, 'BTN', amount)
    }
  },
}

const BURN_DUE_KIND = 28

async function readBurnDue({ stack }: World): Promise<bigint> {
  const [row] = await query<{ due: string }>(
    stack.ownerUrl,
    'select coalesce(sum(balance), 0) as due from lode.ledger_account where (id >> 8) & 63 = $1',
    [BURN_DUE_KIND],
  )
  return BigInt(row?.due ?? 0)
}

/** The funder sends exactly what is missing to the vault, as a plain transfer. */
async function replaceByFunder(world: World, asset: 'USDT' | 'BTN', amount: bigint): Promise<void> {
  const { vault, usdt, btn } = world.chain.contracts
  const { target, data } = transferCall(vault, { symbol: asset, token: asset === 'BTN' ? btn : usdt, amount })
  await world.chain.send(funder, { to: target, data })
  await mineUntil(world, 'has what was missing', async () =>
    (await readMissing(world, asset)) > 0n ? ['something is missing'] : [],
  )
}

const leftColdStorage: Stop = {
  name: 'money left the vault or cold storage without an event',
  how: 'somebody takes one USDT from cold storage',
  ...stoppedAsset('USDT'),
  async begin(world, random) {
    const { usdt, vault } = world.chain.contracts
    const [inCold, stolen] = [parseUnits('4', 6), parseUnits('1', 6)]
    const args = [usdt, inCold, coldStorage.address] as const
    await callAfterNotice(world, encodeFunctionData({ abi: poolVaultAbi, functionName: 'moveToCold', args }))
    await world.chain.mine(BLOCKS_TO_FINALITY + 2)
    await waitUntilCaughtUp(world)
    const taken = transferCall(privateKeyToAccount(random.hex32()).address, { symbol: '', token: usdt, amount: stolen })
    await steal(world, coldStorage, usdt, taken.data)
    await waitForStop(world, /USDT: .*/)
    return async () => {
      await writeOffAndFund(world, random, 'USDT')
      const back = transferCall(vault, { symbol: 'USDT', token: usdt, amount: inCold - stolen })
      await world.chain.send(coldStorage, { to: usdt, data: back.data })
    }
  },
}

/** `HostileToken.Behaviour`: the sender loses one percent more than the receiver gets. */
const TAKE_FEE_FROM_SENDER = 2
const HONEST = 0

const lessArrived: Stop = {
  name: 'less arrived in cold storage than was sent',
  how: 'BTN takes a fee of a move to cold storage',
  ...stoppedAsset('BTN'),
  async begin(world, random) {
    const { chain, pool } = world
    const { btn, vault } = chain.contracts
    const amount = parseUnits('500', 18)
    const args = [btn, amount, coldStorage.address] as const
    const move = encodeFunctionData({ abi: poolVaultAbi, functionName: 'moveToCold', args })
    const announce = encodeFunctionData({ abi: poolVaultAbi, functionName: 'announce', args: [move] })
    await chain.send(administrator, { to: vault, data: announce })
    await chain.mine(1)
    await moveClock(world, NOTICE_SECONDS)
    const code = await chain.client.getCode({ address: btn })
    const behave = async (behaviour: number, target: Address) => {
      const data = encodeFunctionData({ abi: hostileTokenAbi, functionName: 'behave', args: [behaviour, target] })
      await chain.send(administrator, { to: btn, data })
      await chain.mine(1)
    }
    await chain.request('anvil_setCode', [btn, await chain.client.getCode({ address: pool.fakeToken })])
    await behave(TAKE_FEE_FROM_SENDER, coldStorage.address)
    const hash = await chain.send(administrator, { to: vault, data: move })
    world.acknowledged.thefts.add(hash)
    await chain.mine(1)
    await behave(HONEST, '0x0000000000000000000000000000000000000000')
    await chain.request('anvil_setCode', [btn, code])
    await chain.mine(BLOCKS_TO_FINALITY + 2)
    await waitForStop(world, /BTN: .*sent to cold storage/)
    return async () => {
      await writeOff(world, random, 'BTN')
      await replaceByFunder(world, 'BTN', amount / 100n)
      const back = transferCall(vault, { symbol: 'BTN', token: btn, amount })
      await chain.send(coldStorage, { to: btn, data: back.data })
    }
  },
}

/** Where DevUsdt stores its balances. */
const USDT_BALANCES_SLOT = 1n

const balanceFell: Stop = {
  name: 'ledger and vault differ, because a balance fell without a log',
  how: "the token lowers the vault's balance by one USDT and tells nobody",
  ...stoppedAsset('USDT'),
  async begin(world, random) {
    const { chain, acknowledged } = world
    const { usdt, vault } = chain.contracts
    const amount = parseUnits('1', 6)
    const read = { address: usdt, abi: btnTokenAbi, functionName: 'balanceOf', args: [vault] } as const
    const held = await chain.client.readContract(read)
    const parameters = [{ type: 'address' }, { type: 'uint256' }] as const
    const slot = keccak256(encodeAbiParameters(parameters, [vault, USDT_BALANCES_SLOT]))
    await chain.request('anvil_setStorageAt', [usdt, slot, pad(numberToHex(held - amount), { size: 32 })])
    if ((await chain.client.readContract(read)) !== held - amount) throw new Error('USDT has its balances elsewhere')
    acknowledged.silentLosses.push({ asset: 'USDT', amount })
    await chain.mine(BLOCKS_TO_FINALITY + 2)
    await waitForStop(world, /USDT: .*the vault holds .* but the ledger/)
    return () => writeOffAndFund(world, random, 'USDT')
  },
}

export const lossStops = [unrequestedPayout, leftColdStorage, lessArrived, tooMuchBurned, balanceFell] as const
