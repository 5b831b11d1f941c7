import { assets } from '@lode/kernel'
import { zeroHash } from 'viem'
import { approve } from '../commands/operators.ts'
import { transferOut } from '../members/transfer.ts'
import { moveClock, setDatabaseClock } from '../stack/clock.ts'
import { operatorNames } from '../stack/operators.ts'
import { Violation, type World } from '../world.ts'
import { plainMembers } from './probes.ts'
import { mineUntil, NONE, resumeByTwo, type Stop, waitForReadiness, waitForStop } from './stop.ts'

/** Stops because of a wrong variable or a wrong clock. The processes are started again with the right ones. */

/** The watcher stops with these variables. The worker gets the right ones again, and two operators end the stop. */
const stopOfWorker = (
  named: Pick<Stop, 'name' | 'how'>,
  variables: (world: World) => Readonly<Record<string, string>>,
  reason: RegExp,
): Stop => ({
  ...named,
  credits: assets,
  payouts: assets,
  isQuick: false,
  async begin(world, random) {
    const { worker } = world.stack
    await worker.restart(variables(world))
    await waitForStop(world, reason)
    return async () => {
      await worker.restart({})
      await resumeByTwo(world, random)
      await worker.ready()
    }
  },
})

const otherGenesis = stopOfWorker(
  { name: 'a node has another genesis block', how: 'CHAIN_GENESIS_HASH is of another chain' },
  () => ({ CHAIN_GENESIS_HASH: zeroHash }),
  /begins with/,
)

const otherTokens = stopOfWorker(
  { name: "the configured tokens or price feeds are not the vault's", how: 'USDT_ADDRESS is of another token' },
  ({ pool }) => ({ USDT_ADDRESS: pool.fakeToken }),
  /USDT_ADDRESS is/,
)

const otherVault: Stop = {
  name: 'the database belongs to another chain or vault; tokens were sent before `VAULT_FIRST_BLOCK`',
  how: 'VAULT_ADDRESS of worker and signer is another vault',
  credits: assets,
  payouts: assets,
  isQuick: false,
  async begin(world) {
    const { worker, signer } = world.stack
    const both = [worker, signer]
    await Promise.all(both.map((process) => process.restart({ VAULT_ADDRESS: world.pool.foreignVault })))
    await waitForReadiness(world, worker, /the ledger belongs to vault/)
    await signer.ready()
    return async () => {
      await Promise.all(both.map((process) => process.restart({})))
      await Promise.all(both.map((process) => process.ready()))
    }
  },
}

const withoutOperators: Stop = {
  name: 'the signer does not know the operators',
  how: 'the signer is started without OPERATORS_CEREMONY',
  credits: NONE,
  payouts: NONE,
  isQuick: false,
  async begin(world, random, member) {
    const { signer } = world.stack
    await signer.restart({ OPERATORS_CEREMONY: '' })
    await signer.ready()
    const other = plainMembers(world).find((each) => each !== member)
    if (!other) throw new Error('there is no second plain member')
    const wish = { symbol: 'USDT', size: 'decided', times: 1, key: random.hex32().slice(2, 34) } as const
    const { id, told } = await transferOut(world, other, wish)
    if (id === null) throw new Violation(told)
    for (const name of operatorNames) await approve(world, id, name)
    return async () => {
      // The probes were paid meanwhile, so the signer had its turns.
      if (await isSigned(world, id)) throw new Violation(`${id} was signed by a signer that knows no operators`)
      await signer.restart({})
      await signer.ready()
      await mineUntil(world, 'pays what the operators approved', () => world.checker.openOf([id]))
    }
  },
}

const isSigned = async ({ checker }: World, id: string): Promise<boolean> => !(await checker.openIds()).has(id)

/** More than any difference by blocks that were mined quickly: each has another second. */
const CLOCK_ERROR_SECONDS = 3 * 3_600

const wrongClock: Stop = {
  name: 'clock of the database and time of the chain differ',
  how: "the database's clock goes back by three hours",
  credits: NONE,
  payouts: assets,
  isQuick: false,
  async begin(world) {
    const { worker, signer, ownerUrl } = world.stack
    const both = [worker, signer]
    // The plan must be in force three hours earlier, too.
    await moveClock(world, 86_400)
    const compared = { CLOCK_MAX_DIFFERENCE_SECONDS: '3600' }
    await Promise.all(both.map((process) => process.restart(compared)))
    await Promise.all(both.map((process) => process.ready()))
    const move = async (seconds: number) => {
      await setDatabaseClock(ownerUrl, world.clockShift + seconds)
      world.clockShift += seconds
    }
    await move(-CLOCK_ERROR_SECONDS)
    for (const process of both) await waitForReadiness(world, process, /clock/)
    return async () => {
      await move(CLOCK_ERROR_SECONDS)
      for (const process of both) await waitForReadiness(world, process, /"ready"/)
      await Promise.all(both.map((process) => process.restart({})))
      await Promise.all(both.map((process) => process.ready()))
    }
  },
}

export const settingStops = [otherGenesis, otherTokens, otherVault, withoutOperators, wrongClock] as const
