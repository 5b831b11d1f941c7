import { poolVaultAbi } from '@lode/contracts'
import { reserveKinds } from '@lode/contracts/terms'
import { encodeFunctionData, parseUnits } from 'viem'
import { funder } from '../pool.ts'
import type { Command } from '../world.ts'

export const fund: Command = {
  name: 'fund',
  weight: 3,
  async run(world, random) {
    const { vault } = world.chain.contracts
    if (random.chance(0.5)) {
      const kind = random.between(0, reserveKinds.length - 1)
      const amount = parseUnits(String(random.between(1, 500)), 18)
      const data = encodeFunctionData({ abi: poolVaultAbi, functionName: 'fundReserve', args: [kind, amount] })
      await world.chain.send(funder, { to: vault, data })
      return `the funder puts ${amount} BTN into the ${reserveKinds[kind]} reserve`
    }
    const { timestamp } = await world.chain.client.getBlock()
    const day = Number(timestamp / 86_400n) - random.between(-1, 6)
    const amount = BigInt(random.between(1, 1_000_000))
    const evidence = { txid: random.hex32(), index: random.between(0, 3) }
    const data = encodeFunctionData({ abi: poolVaultAbi, functionName: 'fundDividend', args: [day, amount, evidence] })
    await world.chain.send(funder, { to: vault, data })
    return `the funder brings ${amount} BTC for a day`
  },
}
