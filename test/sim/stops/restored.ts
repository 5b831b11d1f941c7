import { assets } from '@lode/kernel'
import { transferOut } from '../members/transfer.ts'
import { Violation, type World } from '../world.ts'
import { plainMembers } from './probes.ts'
import { endByTwo, mineUntil, NONE, readReadiness, type Stop, waitForReadiness } from './stop.ts'

const processesOf = ({ stack }: World) => [stack.api, stack.worker, stack.signer]

const killAll = (world: World) => Promise.all(processesOf(world).map((process) => process.kill()))

const startAll = (world: World) => Promise.all(processesOf(world).map((process) => process.ready()))

/** Replaces the database by a copy of another one. Nobody may be connected to either. */
async function replaceDatabase({ stack }: World, name: string, by: string): Promise<void> {
  await stack.database.drop(name)
  await stack.database.create(name, by)
  await stack.database.drop(by)
}

/** The database goes back to the moment after a request. Meanwhile the request was signed, paid and posted. */
async function losePayment(world: World, id: string): Promise<void> {
  const name = new URL(world.stack.ownerUrl).pathname.slice(1)
  const backup = `${name}_backup`
  await killAll(world)
  await world.stack.database.create(backup, name)
  await startAll(world)
  await mineUntil(world, 'pays what the backup has as open', () => world.checker.openOf([id]))
  await killAll(world)
  await replaceDatabase(world, name, backup)
}

const restoredDatabase: Stop = {
  name: 'the database was restored to an earlier moment',
  how: 'a backup forgets a payout that was paid',
  credits: NONE,
  payouts: assets,
  isQuick: false,
  async begin(world, random, member) {
    const { stack, operators, acknowledged } = world
    const { ownerUrl, signer, journal } = stack
    const other = plainMembers(world).find((each) => each !== member)
    if (!other) throw new Error('there is no second plain member')
    await signer.kill()
    const wish = { symbol: 'USDT', size: 'least', times: 1, key: random.hex32().slice(2, 34) } as const
    const { id, told } = await transferOut(world, other, wish)
    if (id === null) throw new Violation(told)
    await losePayment(world, id)
    await signer.ready()
    await waitForReadiness(world, signer, /the database lacks release/)
    await signer.kill()
    const nodes = stack.nodeProxies.map(({ rpcUrl }, place) => `node${place}=${rpcUrl}`).join(',')
    await operators.runAsOwner(ownerUrl, ['restored', '--journal', journal, '--chain', nodes, '--yes'])
    // All sessions have ended.
    for (const account of acknowledged.members) acknowledged.recordRevokedSessions(account, null)
    await startAll(world)
    await waitForReadiness(world, signer, /two operators must acknowledge/)
    return () =>
      endByTwo(world, random, {
        args: ['restored', 'acknowledge', 'the disk broke'],
        isStopped: async () => /two operators must acknowledge/.test(await readReadiness(signer)),
      })
  },
}

export const restoreStops = [restoredDatabase] as const
