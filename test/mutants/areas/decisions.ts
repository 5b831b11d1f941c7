import { type Mutant, mutantsOf } from '../mutant.ts'

const modules = 'apps/server/src/modules'
const reverse = `${modules}/correction/reverse.integration.test.ts`
const signedDecisions = `${modules}/treasury/signed-decisions.integration.test.ts`

export const decisions: readonly Mutant[] = [
  ...mutantsOf(
    `${modules}/treasury/carry-out-by-function.ts`,
    [signedDecisions],
    [['if (signers.length < signaturesNeeded) return null', '']],
  ),
  ...mutantsOf(
    `${modules}/treasury/functions/take_decision.sql`,
    [signedDecisions],
    [
      ['decided.expires_at <= lode.now()', 'false', { only: 'expired' }],
      ['< signatures_needed then', '< 0 then', { only: 'takes all its signatures' }],
      [
        'return case when found then decided.body::jsonb end;',
        'return decided.body::jsonb;',
        { only: 'takes all its signatures' },
      ],
    ],
  ),
  ...mutantsOf(
    `${modules}/custody/functions/end_stop.sql`,
    [signedDecisions],
    [
      [
        "where date_trunc('milliseconds', stopped_at) = (decided ->> 'stoppedAt')::timestamptz",
        'where stopped_at is not null',
        { only: 'later stop' },
      ],
    ],
  ),
  ...mutantsOf(
    `${modules}/identity/functions/enable_member.sql`,
    [signedDecisions],
    [
      [
        "date_trunc('milliseconds', disabled_at) = (decided ->> 'disabledAt')::timestamptz",
        'disabled_at is not null',
        { only: 'disabled again' },
      ],
    ],
  ),
  ...mutantsOf(
    `${modules}/correction/functions/is_false.sql`,
    [reverse],
    [
      [
        'and posted.member = 0 and exists (select from lode.missing_log where key = posted.key));',
        'and posted.member = 0);',
        { only: 'whatever two operators sign' },
      ],
    ],
  ),
  ...mutantsOf(
    `${modules}/correction/functions/write_off.sql`,
    [reverse],
    [["if stop.tx is null and lode.has_false_posting(stop.asset) then return 'false'; end if;", '']],
  ),
  ...mutantsOf(
    `${modules}/correction/functions/has_false_posting.sql`,
    [reverse],
    [
      ['where asset = of_asset and ended is null', 'where false'],
      ['where found.problem is null', 'where false'],
    ],
  ),
  ...mutantsOf(
    `${modules}/correction/functions/announce_reversal.sql`,
    [reverse],
    [
      [
        'if found_posting.problem is not null then return found_posting.problem; end if;',
        '',
        { only: 'whatever two operators sign' },
      ],
    ],
  ),
  ...mutantsOf(
    `${modules}/correction/functions/reverse_posting.sql`,
    [reverse],
    [
      ["if announced.due_at > lode.now() then return 'early'; end if;", '', { only: '72 hours later' }],
      ['if not lode.is_false(undone) then', 'if false then', { only: 'its log after all' }],
    ],
  ),
  ...mutantsOf(
    `${modules}/correction/functions/reversal_legs.sql`,
    [reverse],
    [['greatest(opposite.amount, -stored.balance)', 'opposite.amount', { only: 'only as far as the member has it' }]],
  ),
  ...mutantsOf(
    `${modules}/payout/proof-rules.ts`,
    [`${modules}/payout/proof-rules.test.ts`],
    [
      ["!account.startsWith('custody:') && before > 0n", 'before > 0n'],
      ['change <= 0n && change > -before', 'change > -before'],
    ],
  ),
  ...mutantsOf(
    `${modules}/content/notices.ts`,
    [`${modules}/content/notices.integration.test.ts`],
    [['(notice.member_id is null or notice.member_id = member.id)', '(true)', { only: 'notices' }]],
  ),
  ...mutantsOf(
    `${modules}/plan/publication.ts`,
    [signedDecisions],
    [['if (signers.length < SIGNATURES_NEEDED) return null', '', { only: 'who was removed' }]],
  ),
]
