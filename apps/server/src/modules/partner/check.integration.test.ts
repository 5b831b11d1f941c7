import { afterAll, beforeAll, expect, it } from 'vitest'
import { findingsAfter } from '../../testing/breaking.ts'
import { codeOf } from '../ledger/index.ts'
import { partnerFindings } from './check.ts'
import { BTN, type Club, openClub } from './testing/club.ts'

let club: Club
beforeAll(async () => {
  club = await openClub()
  await club.fund(10_000_000n * BTN)
  const [expert, partner, rejected] = [await club.member(), await club.member(), await club.member()]
  for (const member of [partner, rejected]) {
    await club.activate(member)
    await club.invite(member, 363)
    await club.applyFor(member)
  }
  for (const by of [club.alice, club.bob]) {
    await club.authorise(expert.wallet.account, by)
    await club.approve(partner.wallet.account, by)
    await club.reject(rejected.wallet.account, by, 'another day')
  }
  expect(await club.apply()).toMatchObject({ done: 3, refused: 0 })
}, 60_000)
afterAll(() => club.close())

it('finds nothing wrong where nothing is', async () => {
  expect(await partnerFindings(club.owner)).toEqual([])
})

const takeSignature = (verb: string) => `
  delete from lode.decision_signature where place = 1 and decision_id = (select id from lode.decision where verb = '${verb}')`
const moveTo = (table: string) => `update lode.${table} set member_id = 1`

it.each([
  ['a signature under an expert', takeSignature('authorise-expert'), 'sharing expert otherwise'],
  ['a signature under a partner', takeSignature('approve-partner'), 'partner otherwise'],
  ['a signature under a rejection', takeSignature('reject-partner'), 'rejected as a partner otherwise'],
  ['an expert', moveTo('sharing_expert'), 'sharing expert otherwise'],
  ['a partner', moveTo('partner'), 'partner otherwise'],
  ['a partner who was none', 'delete from lode.partner', 'rejected as a partner otherwise'],
  ['a note', `update lode.partner_application set note = 'never' where note is not null`, 'rejected as a partner'],
  ['an expert’s airdrop', 'update lode.sharing_expert set airdrop = airdrop + 1', 'another airdrop'],
  ['whether it was paid', 'update lode.sharing_expert set airdrop_paid = false', 'another airdrop'],
  ['a partner’s airdrop', 'update lode.partner set airdrop = 1', 'another airdrop'],
  [
    'an airdrop in the books',
    `update lode.ledger_transaction set type = ${codeOf('type.airdropForAgent')} where type = ${codeOf('type.airdropForPartner')}`,
    'another airdrop',
  ],
  [
    'a team that was full',
    `update lode.team_place set headcounts[15] = headcounts[15] - 1 where member_id in (select member_id from lode.partner)`,
    'five full layers',
  ],
])('finds %s that somebody changed', async (_what, statement, finding) => {
  expect(await findingsAfter(club.owner, statement, partnerFindings)).toContainEqual(expect.stringContaining(finding))
})
