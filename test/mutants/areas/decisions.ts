import { type Mutant, mutantsOf } from '../mutant.ts'

const modules = 'apps/server/src/modules'
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
    `${modules}/plan/publication.ts`,
    [signedDecisions],
    [['if (signers.length < SIGNATURES_NEEDED) return null', '', { only: 'who was removed' }]],
  ),
]
