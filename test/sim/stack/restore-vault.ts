import { btnTokenAbi, poolVaultAbi } from '@lode/contracts'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import type { World } from '../world.ts'
import { moveClock } from './clock.ts'
import { administrator, coldStorage, guardian, NOTICE_SECONDS } from './pool.ts'

/**
 * Restores the vault: not paused, with all the pool's money and the first caps. A repair during the run may have been
 * lost in a reorganization, so the state is read from the chain.
 */
export async function restoreVault(world: World, caps: ReadonlyMap<Address, bigint>): Promise<void> {
  const { chain } = world
  const { vault, usdt, btn, btc } = chain.contracts
  const read = { address: vault, abi: poolVaultAbi } as const
  const onVault = (data: Hex, by = administrator) => chain.send(by, { to: vault, data })
  if (await chain.client.readContract({ ...read, functionName: 'paused' }))
    await onVault(encodeFunctionData({ abi: poolVaultAbi, functionName: 'unpause' }), guardian)
  const raises: Hex[] = []
  for (const token of [usdt, btn, btc]) {
    const args = [coldStorage.address] as const
    const held = await chain.client.readContract({ address: token, abi: btnTokenAbi, functionName: 'balanceOf', args })
    const back = encodeFunctionData({ abi: btnTokenAbi, functionName: 'transfer', args: [vault, held] })
    if (held > 0n) await chain.send(coldStorage, { to: token, data: back })
    const cap = caps.get(token) ?? 0n
    const [present] = await chain.client.readContract({ ...read, functionName: 'payoutCap', args: [token] })
    if (present < cap)
      raises.push(encodeFunctionData({ abi: poolVaultAbi, functionName: 'setPayoutCap', args: [token, cap] }))
  }
  for (const raise of raises)
    await onVault(encodeFunctionData({ abi: poolVaultAbi, functionName: 'announce', args: [raise] }))
  await chain.mine(1)
  if (raises.length > 0) await moveClock(world, NOTICE_SECONDS)
  for (const raise of raises) await onVault(raise)
  await chain.mine(1)
}

export async function capsOf({ chain }: Pick<World, 'chain'>): Promise<Map<Address, bigint>> {
  const { vault, usdt, btn, btc } = chain.contracts
  const caps = new Map<Address, bigint>()
  for (const token of [usdt, btn, btc]) {
    const read = { address: vault, abi: poolVaultAbi, functionName: 'payoutCap', args: [token] } as const
    caps.set(token, (await chain.client.readContract(read))[0])
  }
  return caps
}
