import { setTimeout as sleep } from 'node:timers/promises'
import { someLineWorks, whoCanAct } from '../conditions.ts'
import { cancelTransfer, someWish, transferOut } from '../members/transfer.ts'
import type { Command, World } from '../world.ts'

const mayAct = (world: World): boolean => someLineWorks(world) && whoCanAct(world).length > 0

export const transfer: Command = {
  name: 'transfer out',
  weight: 30,
  may: mayAct,
  async run(world, random) {
    const actor = random.pick(whoCanAct(world))
    const { told } = await transferOut(world, actor, someWish(random))
    return told
  },
}

/** Several members at the same time, so that one release has several transfers. */
export const transfersAtOnce: Command = {
  name: 'transfers at once',
  weight: 16,
  may: mayAct,
  async run(world, random) {
    const actors = random.shuffled(whoCanAct(world)).slice(0, 4)
    const wishes = actors.map((actor) => ({ actor, wish: { ...someWish(random), times: 1 } }))
    const all = await Promise.all(wishes.map(({ actor, wish }) => transferOut(world, actor, wish)))
    return all.map(({ told }) => told).join('; ')
  },
}

/** Cancels a transfer in any state. A signed one can no longer be canceled. */
export const cancel: Command = {
  name: 'cancel a transfer',
  weight: 8,
  may: (world) => mayAct(world) && world.asked.some(({ actor }) => whoCanAct(world).includes(actor)),
  async run(world, random) {
    const able = whoCanAct(world)
    const { actor, id } = random.pick(world.asked.filter((each) => able.includes(each.actor)).slice(-8))
    const key = random.hex32().slice(2, 34)
    if (id === null) return `${actor.name} has nothing to cancel`
    return `${actor.name} wants to cancel ${id}: ${await cancelTransfer(world, actor, id, key)}`
  },
}

/** The signer signs at the same time: either the cancellation or the signature comes first. */
export const transferAndCancel: Command = {
  name: 'transfer and cancel',
  weight: 10,
  may: mayAct,
  async run(world, random) {
    const actor = random.pick(whoCanAct(world))
    const wish = { ...someWish(random), size: random.pick(['small', 'least'] as const) }
    const delay = random.between(0, 150)
    const key = random.hex32().slice(2, 34)
    const { id, told } = await transferOut(world, actor, wish)
    if (id === null) return told
    await sleep(delay)
    return `${told}, and cancels after ${delay} ms: ${await cancelTransfer(world, actor, id, key)}`
  },
}
