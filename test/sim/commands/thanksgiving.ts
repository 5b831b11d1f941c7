import { isAnyNodeReachable, membersOf, membersWhoCanSign } from '../conditions.ts'
import type { Actor } from '../members/actor.ts'
import { unitsOf } from '../members/amount.ts'
import { callAs, tryCallAs } from '../members/call-as.ts'
import { operatorNames } from '../stack/operators.ts'
import { type Command, Violation, type World } from '../world.ts'

const isNamed = ({ acknowledged }: World, { account }: Actor): boolean =>
  acknowledged.appointments.has(`expert ${account.toLowerCase()}`)

/** By both operators, or by only one, which is not enough. */
export const authorizeExpert: Command = {
  name: 'authorise an expert',
  weight: 4,
  isPossible: (world) => membersOf(world).some((actor) => !isNamed(world, actor)),
  async run(world, random) {
    const actor = random.pick(membersOf(world).filter((each) => !isNamed(world, each)))
    const names = random.shuffled(operatorNames).slice(0, random.pick([1, 2, 2, 2, 2]))
    const said: string[] = []
    for (const name of names) {
      const refusal = await world.operators.appoint(world, name, 'expert', ['authorise', actor.account])
      said.push(`${name}${refusal === null ? '' : ` (${refusal})`}`)
    }
    return `${said.join(' and ')} authorise ${actor.name} as a sharing expert`
  },
}

/** Claims everything that waits, once. A member who is not an expert has nothing to claim. */
export const claimThanksgiving: Command = {
  name: 'claim Thanksgiving',
  weight: 6,
  isPossible: (world) => isAnyNodeReachable(world) && membersWhoCanSign(world).length > 0,
  async run(world, random) {
    const able = membersWhoCanSign(world)
    const experts = able.filter((actor) => isNamed(world, actor))
    const actor = random.pick(experts.length > 0 && random.chance(0.85) ? experts : able)
    const { account } = actor
    const [key, times] = [random.hex32().slice(2, 34), random.pick([1, 1, 2])]
    const { thanksgiving } = await callAs(world, actor, 'promotion/overview', { account })
    const pending = unitsOf('USDT', thanksgiving.pending)
    const answers = await Promise.all(
      Array.from({ length: times }, () => tryCallAs(world, actor, 'promotion/claim', { account, key })),
    )
    const said = answers.map((answer) => (answer.ok ? answer.data.amount : answer.reason))
    if (new Set(said).size > 1) throw new Violation(`${actor.name} was told different things about one claim: ${said}`)
    const [answer] = answers
    if (!answer?.ok) {
      const isRight = answer?.reason === 'expert-only' ? !thanksgiving.expert : pending === 0n
      if (!isRight) throw new Violation(`${actor.name} was shown ${thanksgiving.pending} and told ${answer?.reason}`)
      return `${actor.name} wants to claim: ${answer?.reason}`
    }
    const amount = unitsOf('USDT', answer.data.amount)
    if (amount < pending) throw new Violation(`${actor.name} was shown ${pending} and claimed ${amount}`)
    const { claims } = world.acknowledged
    claims.set(account, (claims.get(account) ?? 0n) + amount)
    return `${actor.name} claims ${answer.data.amount}`
  },
}
