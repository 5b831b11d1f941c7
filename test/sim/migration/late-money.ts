import { btnTokenAbi } from '@lode/contracts'
import type { Address } from 'viem'
import { waitUntilCaughtUp } from '../open-world.ts'
import { BLOCKS_TO_FINALITY } from '../stack/chain.ts'
import { moveClock } from '../stack/clock.ts'
import { moveCalls } from '../stack/next-vault.ts'
import { administrator, NOTICE_SECONDS } from '../stack/pool.ts'
import { Violation, type World } from '../world.ts'
import { announceMoves, type Migrated } from './migrate.ts'

/** What arrived in the old vault after the move follows to the next one, and the ledger stays as it was. */
export async function moveLateMoney(world: World, { old, next }: Migrated): Promise<string> {
  const { chain } = world
  const before = await readHeld(world, old)
  if (before.every((amount) => amount === 0n)) throw new Violation('nothing arrived in the old vault after the move')
  await announceMoves(world, next)
  await moveClock(world, NOTICE_SECONDS)
  for (const data of moveCalls(world, next.address)) await chain.send(administrator, { to: old, data })
  await chain.mine(BLOCKS_TO_FINALITY + 2)
  const after = await readHeld(world, old)
  if (after.some((amount) => amount > 0n)) throw new Violation(`the old vault still holds ${after.join(', ')}`)
  await waitUntilCaughtUp(world)
  await world.checker.check()
  return `${before.join(', ')} followed late`
}

/** What the address holds of USDT, BTN and BTC. */
const readHeld = ({ chain }: World, holder: Address): Promise<bigint[]> =>
  Promise.all(
    [chain.contracts.usdt, chain.contracts.btn, chain.contracts.btc].map((address) =>
      chain.client.readContract({ address, abi: btnTokenAbi, functionName: 'balanceOf', args: [holder] }),
    ),
  )
