import { poolVaultAbi } from '@lode/contracts'
import { encodeFunctionData } from 'viem'
import { describeMoney, drawMoney, transferCall } from '../members/wallet.ts'
import { administrator, announcedMoves, coldStorage } from '../stack/pool.ts'
import type { Command } from '../world.ts'

/** Money goes to cold storage, where it still belongs to the pool, and comes back, which must not become a deposit. */
export const coldStorageMoves: Command = {
  name: 'cold storage',
  weight: 3,
  async run(world, random) {
    const { vault } = world.chain.contracts
    if (random.chance(0.5)) {
      const { token, amount } = random.pick(announcedMoves(world.chain.contracts))
      const data = encodeFunctionData({
        abi: poolVaultAbi,
        functionName: 'moveToCold',
        args: [token, amount, coldStorage.address],
      })
      await world.chain.send(administrator, { to: vault, data })
      return `${amount} of ${token.slice(0, 8)} go to cold storage, if that was announced and is there`
    }
    const money = drawMoney(world, random)
    const { target, data } = transferCall(vault, money)
    await world.chain.send(coldStorage, { to: target, data })
    return `${describeMoney(money)} come back from cold storage, if they are there`
  },
}
