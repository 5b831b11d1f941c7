import { btnTokenAbi, poolVaultAbi } from '@lode/contracts'
import { assets } from '@lode/kernel'
import { type Address, encodeFunctionData, type Hex, keccak256, parseUnits, stringToHex } from 'viem'
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

/** Releases that are on their way fail as a whole when they are mined. */
export const pauseVault: Command = {
  name: 'pause the vault',
  weight: 3,
  isPossible: (world) => !isBroken(world, UNPAUSED),
  async run(world, random) {
    await onVault(world, encodeFunctionData({ abi: poolVaultAbi, functionName: 'pause' }), guardian)
    const unpause = encodeFunctionData({ abi: poolVaultAbi, functionName: 'unpause' })
    const repair = async () => {
      await onVault(world, unpause)
      await world.chain.mine(1)
    }
    world.repairs.push({ inSteps: random.between(1, 5), what: UNPAUSED, repair })
    return 'a guardian pauses the vault'
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
    const args = [token, amount] as const
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

const FUNDER_ROLE = keccak256(stringToHex('FUNDER'))
const RECEIVED = 'the vault pays to that address again'

/** The vault does not pay a funder, so this payout is skipped, as with a token that blocks its receiver. */
export const refuseReceiver: Command = {
  name: 'refuse a receiver',
  weight: 3,
  isPossible: (world) => !isBroken(world, RECEIVED) && membersOf(world).length > 0,
  async run(world, random) {
    const { account } = random.pick(membersOf(world))
    const receiver = random.pick([account, account, ...outputAddressesOf(account)])
    const args = [FUNDER_ROLE, receiver] as const
    await onVault(world, encodeFunctionData({ abi: poolVaultAbi, functionName: 'grantRole', args }))
    const repair = async () => {
      await onVault(world, encodeFunctionData({ abi: poolVaultAbi, functionName: 'revokeRole', args }))
      await world.chain.mine(1)
    }
    world.repairs.push({ inSteps: random.between(4, 20), what: RECEIVED, repair })
    return `${receiver.slice(0, 10)}… is one that the vault does not pay to`
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
