import { poolVaultAbi } from '@lode/contracts'
import { reserveKinds } from '@lode/contracts/terms'
import { encodeFunctionData, parseUnits } from 'viem'
import { funder } from '../stack/pool.ts'
import type { Command } from '../world.ts'

export const fundReserve: Command = {
  name: 'fund a reserve',
  weight: 2,
  async run(world, random) {
    const kind = random.between(0, reserveKinds.length - 1)
    const amount = parseUnits(String(random.between(1, 500)), 18)
    const data = encodeFunctionData({ abi: poolVaultAbi, functionName: 'fundReserve', args: [kind, amount] })
    await world.chain.send(funder, { to: world.chain.contracts.vault, data })
    return `the funder puts ${amount} BTN into the ${reserveKinds[kind]} reserve`
  },
}
