import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkAfterTampering } from '../../testing/check-after-tampering.ts'
import { codeOf } from '../ledger/index.ts'
import { partnerFindings } from './check.ts'
import { BTN, openPartnerFixture, type PartnerFixture } from './testing/partner-fixture.ts'

let fixture: PartnerFixture
beforeAll(async () => {
  fixture = await openPartnerFixture()
  await fixture.fund(10_000_000n * BTN)
  const [expert, partner, rejected] = [await fixture.member(), await fixture.member(), await fixture.member()]
  for (const member of [partner, rejected]) {
    await fixture.activate(member)
    await fixture.invite(member, 363)
    await fixture.applyFor(member)
  }
  for (const by of [fixture.alice, fixture.bob]) {
    await fixture.authorise(expert.wallet.account, by)
    await fixture.approve(partner.wallet.account, by)
    await fixture.reject(rejected.wallet.account, by, 'another day')
  }
  expect(await fixture.apply()).toMatchObject({ done: 3, refused: 0 })
}, 60_000)
afterAll(() => fixture.close())

it('finds nothing if nothing was changed', async () => {
  expect(await partnerFindings(fixture.owner)).toEqual([])
})

const takeSignature = (verb: string) => `
  delete from lode.decision_signature where place = 1 and decision_id = (select id from lode.decision where verb = '${verb}')`
const moveTo = (table: string) => `update lode.${table} set member_id = 1`

it.each([
  ['the signatures for an expert', takeSignature('authorise-expert'), 'sharing expert on other terms'],
  ['the signatures for a partner', takeSignature('approve-partner'), 'partner on other terms'],
  ['the signatures for a rejection', takeSignature('reject-partner'), 'rejected as a partner on other terms'],
  ['the member who is an expert', moveTo('sharing_expert'), 'sharing expert on other terms'],
  ['the member who is a partner', moveTo('partner'), 'partner on other terms'],
  ['an approved partner that was deleted', 'delete from lode.partner', 'rejected as a partner on other terms'],
  [
    'the note of a rejection',
    `update lode.partner_application set note = 'never' where note is not null`,
    'rejected as a partner',
  ],
  ['an expert’s airdrop', 'update lode.sharing_expert set airdrop = airdrop + 1', 'another airdrop'],
  ['a paid airdrop to unpaid', 'update lode.sharing_expert set airdrop_paid = false', 'another airdrop'],
  ['a partner’s airdrop', 'update lode.partner set airdrop = 1', 'another airdrop'],
  [
    'the type of an airdrop in the ledger',
    `update lode.ledger_transaction set type = ${codeOf('type.airdropForAgent')} where type = ${codeOf('type.airdropForPartner')}`,
    'another airdrop',
  ],
  [
    'a partner’s team, which is no longer full',
    `update lode.team_place set headcounts[15] = headcounts[15] - 1 where member_id in (select member_id from lode.partner)`,
    'five full layers',
  ],
])('finds this change: %s', async (_what, statement, finding) => {
  expect(await checkAfterTampering(fixture.owner, statement, partnerFindings)).toContainEqual(
    expect.stringContaining(finding),
  )
})
