import { btnTokenAbi, poolVaultAbi } from '@lode/contracts'
import { devWrappedBtcAbi } from '@lode/contracts/dev'
import { assets } from '@lode/kernel'
import { type Address, encodeFunctionData, type Hex, parseUnits } from 'viem'
import { membersOf } from '../conditions.ts'
import { moveClock } from '../stack/clock.ts'
import { plan } from '../stack/plan.ts'
import { administrator, coldStorage, guardian, NOTICE_SECONDS } from '../stack/pool.ts'
import type { Command, World } from '../world.ts'
import { outputAddressesOf } from './protect.ts'

const onVault = (world: World, data: Hex, by = administrator): Promise<Hex> =>
  world.chain.send(by, { to: world.chain.contracts.vault, data })

const isBroken = ({ repairs }: World, what: string): boolean => repairs.some((repair) => repair.what === what)

const tokenOf = ({ chain: { contracts } }: World, asset: 'USDT' | 'BTN' | 'BTC'): Address =>
  ({ USDT: contracts.usdt, BTN: contracts.btn, BTC: contracts.btc })[asset]

const UNPAUSED = 'the vault is let go on'

/**
 * Releases that are on their way fail as a whole when they are mined. Nothing happens if the vault was paused shortly
 * before: it must first run as long as that pause lasted.
 */
export const pauseVault: Command = {
  name: 'pause the vault',
  weight: 3,
  isPossible: (world) => !isBroken(world, UNPAUSED),
  async run(world, random) {
    await onVault(world, encodeFunctionData({ abi: poolVaultAbi, functionName: 'pause' }), guardian)
    const unpause = encodeFunctionData({ abi: poolVaultAbi, functionName: 'unpause' })
    const repair = async () => {
      await onVault(world, unpause, guardian)
      await world.chain.mine(1)
    }
    world.repairs.push({ inSteps: random.between(1, 5), what: UNPAUSED, repair })
    return 'a guardian pauses the vault, unless it was paused just before'
  },
}

/** Slightly above the largest transfer, so that the second one of a day has to wait. */
export const lowerCap: Command = {
  name: 'lower a cap',
  weight: 2,
  async run(world, random) {
    const asset = random.pick(assets)
    const cap = (plan.transfer[asset].max * 11n) / 10n
    const args = [tokenOf(world, asset), cap] as const
    await onVault(world, encodeFunctionData({ abi: poolVaultAbi, functionName: 'setPayoutCap', args }))
    return `the vault lets out ${cap} ${asset} a day from now on`
  },
}

const FILLED = 'cold storage fills the vault again'

/**
 * After the announcement and its two days, nearly all money moves to cold storage. Little is left to pay from until it
 * is brought back.
 */
export const emptyFloat: Command = {
  name: 'empty the float',
  weight: 2,
  isPossible: (world) => !isBroken(world, FILLED),
  async run(world, random) {
    const asset = random.pick(assets)
    const token = tokenOf(world, asset)
    const { vault } = world.chain.contracts
    const held = await world.chain.client.readContract({
      address: token,
      abi: btnTokenAbi,
      functionName: 'balanceOf',
      args: [vault],
    })
    const amount = held - plan.transfer[asset].min * 2n
    const args = [token, amount, coldStorage.address] as const
    const move = encodeFunctionData({ abi: poolVaultAbi, functionName: 'moveToCold', args })
    await onVault(world, encodeFunctionData({ abi: poolVaultAbi, functionName: 'announce', args: [move] }))
    await world.chain.mine(1)
    await moveClock(world, NOTICE_SECONDS)
    await onVault(world, move)
    await world.chain.mine(1)
    const back = encodeFunctionData({ abi: btnTokenAbi, functionName: 'transfer', args: [vault, amount] })
    const repair = async () => {
      // If the vault had less than announced, nothing moved and nothing comes back.
      await world.chain.send(coldStorage, { to: token, data: back })
      await world.chain.mine(1)
    }
    world.repairs.push({ inSteps: random.between(2, 6), what: FILLED, repair })
    return `two days after it was announced, ${amount} ${asset} go to cold storage`
  },
}

const RECEIVED = 'the token goes to that address again'

/** The wrapped BTC blocks a receiver, so the vault skips its payouts. */
export const refuseReceiver: Command = {
  name: 'refuse a receiver',
  weight: 3,
  isPossible: (world) => !isBroken(world, RECEIVED) && membersOf(world).length > 0,
  async run(world, random) {
    const { account } = random.pick(membersOf(world))
    const receiver = random.pick([account, account, ...outputAddressesOf(account)])
    const setRefused = (refused: boolean) => {
      const args = [receiver, refused] as const
      const data = encodeFunctionData({ abi: devWrappedBtcAbi, functionName: 'setRefused', args })
      return world.chain.send(administrator, { to: world.chain.contracts.btc, data })
    }
    await setRefused(true)
    const repair = async () => {
      await setRefused(false)
      await world.chain.mine(1)
    }
    world.repairs.push({ inSteps: random.between(4, 20), what: RECEIVED, repair })
    return `${receiver.slice(0, 10)}… is one that the wrapped BTC does not go to`
  },
}

/** The block fee rises so much that pending transactions stay pending until they are sent with a higher fee. */
export const raiseBlockFee: Command = {
  name: 'dear blocks',
  weight: 3,
  async run(world, random) {
    const gwei = random.pick([20, 90, 400])
    await world.chain.request('anvil_setNextBlockBaseFeePerGas', [`0x${parseUnits(String(gwei), 9).toString(16)}`])
    await world.chain.mine(1)
    return `a block costs ${gwei} gwei for each unit of gas`
  },
}

/** A node drops its pending transactions: the payer's or all. */
export const dropTransactions: Command = {
  name: 'drop transactions',
  weight: 4,
  async run(world) {
    await world.chain.request('anvil_dropAllTransactions')
    return 'the node forgets what is not in a block'
  },
}
