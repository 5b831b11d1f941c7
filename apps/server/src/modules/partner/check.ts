import { collectFindings } from '../../platform/db/collect-findings.ts'
import type { Database } from '../../platform/db/database.ts'
import { codeOf } from '../ledger/index.ts'

/** SQL condition: two different keys signed this verb, subject and terms. The worker has verified the signatures. */
const signedByTwo = (verb: string, subject: string, terms: string) => `
  exists (
    select from lode.decision
    where decision.id = decision_id and decision.verb = '${verb}' and decision.subject = ${subject}
      and lower(decision.body::jsonb ->> 'address') = '0x' || encode(member.account, 'hex') and ${terms}
      and (select count(distinct operator) from lode.decision_signature given where given.decision_id = decision.id) >= 2)`

const hasSignedAirdrop = (record: string) => `
  (decision.body::jsonb ->> 'airdrop')::numeric = ${record}.airdrop
  and (decision.body::jsonb ->> 'planVersion')::int = ${record}.plan_version`

const CHECKS = {
  'is a sharing expert on other terms than two operators signed': `
    select member.id from lode.sharing_expert expert join lode.member on member.id = expert.member_id
    where not ${signedByTwo('authorise-expert', `'expert:0x' || encode(member.account, 'hex')`, hasSignedAirdrop('expert'))}`,
  'is a partner on other terms than two operators signed': `
    select member.id
    from lode.partner
    left join lode.partner_application application
      on application.id = partner.application_id and application.member_id = partner.member_id
    join lode.member on member.id = partner.member_id
    where not ${signedByTwo('approve-partner', `'partner:' || application.id`, hasSignedAirdrop('partner'))}`,
  'was rejected as a partner on other terms than two operators signed': `
    select member.id
    from lode.partner_application application join lode.member on member.id = application.member_id
    where application.decision_id is not null
      and not exists (select from lode.partner where partner.application_id = application.id)
      and not ${signedByTwo('reject-partner', `'partner:' || application.id`, `decision.body::jsonb ->> 'note' = application.note`)}`,
  'is a partner without being activated, or without five full layers': `
    select partner.member_id as id from lode.partner join lode.team_place place on place.member_id = partner.member_id
    where not (place.activated and lode.has_full_layers(place))`,
  'was given another airdrop for an appointment than its record says': `
    select coalesce(entry.member, recorded.member) as id
    from (
      select entry.member, entry.type, sum(posting.amount) as amount
      from lode.ledger_transaction entry
      join lode.posting on posting.transaction = entry.id and posting.member = entry.member
      where entry.type in (${codeOf('type.airdropForAgent')}, ${codeOf('type.airdropForPartner')}) group by 1, 2
    ) entry
    full join (
      select member_id as member, ${codeOf('type.airdropForAgent')}::smallint as type, airdrop from lode.sharing_expert where airdrop_paid
      union all
      select member_id, ${codeOf('type.airdropForPartner')}, airdrop from lode.partner where airdrop_paid
    ) recorded on recorded.member = entry.member and recorded.type = entry.type
    where entry.amount is distinct from recorded.airdrop`,
} as const

/** Checks that experts and partners are those whom operators signed for, and that they got the recorded airdrops. */
export const partnerFindings = (db: Database): Promise<string[]> => collectFindings(db, CHECKS)
