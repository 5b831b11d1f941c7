import { setTimeout as sleep } from 'node:timers/promises'
import { isAnyNodeReachable, membersWhoCanSign } from '../conditions.ts'
import { cancelTransfer, drawTransfer, transferOut } from '../members/transfer.ts'
import type { Command, World } from '../world.ts'

const mayAct = (world: World): boolean => isAnyNodeReachable(world) && membersWhoCanSign(world).length > 0

export const transfer: Command = {
  name: 'transfer out',
  weight: 30,
  isPossible: mayAct,
  async run(world, random) {
    const actor = random.pick(membersWhoCanSign(world))
    const { told } = await transferOut(world, actor, drawTransfer(random))
    return told
  },
}

/** Several members at the same time, so that one release has several transfers. */
export const transfersAtOnce: Command = {
  name: 'transfers at once',
  weight: 16,
  isPossible: mayAct,
  async run(world, random) {
    const actors = random.shuffled(membersWhoCanSign(world)).slice(0, 4)
    const wishes = actors.map((actor) => ({ actor, wish: { ...drawTransfer(random), times: 1 } }))
    const all = await Promise.all(wishes.map(({ actor, wish }) => transferOut(world, actor, wish)))
    return all.map(({ told }) => told).join('; ')
  },
}

/** Cancels a transfer in any state. A signed one can no longer be canceled. */
export const cancel: Command = {
  name: 'cancel a transfer',
  weight: 8,
  isPossible: (world) =>
    mayAct(world) && world.requestedTransfers.some(({ actor }) => membersWhoCanSign(world).includes(actor)),
  async run(world, random) {
    const able = membersWhoCanSign(world)
    const { actor, id } = random.pick(world.requestedTransfers.filter((each) => able.includes(each.actor)).slice(-8))
    const key = random.hex32().slice(2, 34)
    if (id === null) return `${actor.name} has nothing to cancel`
    return `${actor.name} wants to cancel ${id}: ${await cancelTransfer(world, actor, id, key)}`
  },
}

/** The signer signs at the same time: either the cancellation or the signature comes first. */
export const transferAndCancel: Command = {
  name: 'transfer and cancel',
  weight: 10,
  isPossible: mayAct,
  async run(world, random) {
    const actor = random.pick(membersWhoCanSign(world))
    const wish = { ...drawTransfer(random), size: random.pick(['small', 'least'] as const) }
    const delay = random.between(0, 150)
    const key = random.hex32().slice(2, 34)
    const { id, told } = await transferOut(world, actor, wish)
    if (id === null) return told
    await sleep(delay)
    return `${told}, and cancels after ${delay} ms: ${await cancelTransfer(world, actor, id, key)}`
  },
}
