import { isAnyNodeReachable, membersWhoCanSign } from '../conditions.ts'
import type { Actor } from '../members/actor.ts'
import { callAs, tryCallAs } from '../members/call-as.ts'
import { withClient } from '../query.ts'
import { operatorNames } from '../stack/operators.ts'
import { type Command, Violation, type World } from '../world.ts'

const FULL_TEAM = 363
const FIRST_MEMBERS = 4

/** The first members are at the top of the tree and have the most members below. */
const firstMembers = (world: World): Actor[] => {
  const early = Array.from(world.acknowledged.members).slice(0, FIRST_MEMBERS)
  return membersWhoCanSign(world).filter(({ account }) => early.includes(account))
}

const canSomeoneAct = (world: World): boolean => isAnyNodeReachable(world) && firstMembers(world).length > 0

/** As many new members register below one member as fill its five layers. They do nothing else. */
export const fillTeam: Command = {
  name: 'a team fills up',
  weight: 2,
  isPossible: (world) => canSomeoneAct(world) && world.memberWithFullTeam === null,
  async run(world, random) {
    const actor = random.pick(firstMembers(world))
    world.memberWithFullTeam = actor
    const strangers = await withClient(world.stack.ownerUrl, async (client) => {
      await client.query('begin')
      const { rowCount } = await client.query(
        `with sponsor as (
           select id, (select sum(count) from unnest(headcounts) count) as headcount
           from lode.member join lode.team_place on member_id = id where account = $1)
         insert into lode.member (account, invite_code, sponsor_id, lang)
         select substring(sha256(convert_to('stranger ' || number, 'UTF8')) for 20), lpad(number::text, 8, '0'), sponsor.id, 'en'
         from sponsor, generate_series(1, $2 - sponsor.headcount) as number order by number`,
        [Buffer.from(actor.account.slice(2), 'hex'), FULL_TEAM],
      )
      await client.query(`
        select lode.place_member(id) from (select id from lode.member where invite_code < '00000364' order by id) stranger`)
      await client.query('commit')
      return rowCount
    })
    return `${strangers} strangers register below ${actor.name}`
  },
}

const possibleApplicants = (world: World): Actor[] =>
  firstMembers(world).filter((actor) => world.memberWithFullTeam === null || actor === world.memberWithFullTeam)

export const applyForPartner: Command = {
  name: 'apply as a partner',
  weight: 2,
  isPossible: (world) => canSomeoneAct(world) && possibleApplicants(world).length > 0,
  async run(world, random) {
    const actor = random.pick(possibleApplicants(world))
    const key = random.hex32().slice(2, 34)
    const { account } = actor
    const before = await callAs(world, actor, 'partner/status', { account })
    const answer = await tryCallAs(world, actor, 'partner/apply', { account, key })
    // The member may have been activated meanwhile, or the operators may have decided.
    if (!answer.ok && before.mayApply) throw new Violation(`${actor.name} may apply, and was told ${answer.reason}`)
    const members = before.layers.reduce((sum, layer) => sum + layer.members, 0)
    if (answer.ok && members !== FULL_TEAM) throw new Violation(`${actor.name} applied with ${members} below`)
    return `${actor.name} applies as a partner with ${members} below${answer.ok ? '' : `: ${answer.reason}`}`
  },
}

export const decideOnPartner: Command = {
  name: 'decide on a partner',
  weight: 2,
  isPossible: ({ memberWithFullTeam }) => memberWithFullTeam !== null,
  async run(world, random) {
    const { memberWithFullTeam: actor } = world
    const verb = random.pick(['approve', 'approve', 'reject'] as const)
    const names = random.shuffled(operatorNames).slice(0, random.pick([1, 2, 2]))
    if (!actor) return 'there is nobody to decide on'
    const said: string[] = []
    for (const name of names) {
      const args = [verb, actor.account, ...(verb === 'reject' ? ['not yet'] : []), '--new'] as const
      const refusal = await world.operators.appoint(world, name, 'partner', args)
      said.push(`${name}${refusal === null ? '' : ` (${refusal})`}`)
    }
    return `${said.join(' and ')} ${verb} ${actor.name} as a partner`
  },
}
