import { type Mutant, mutantsOf } from '../mutant.ts'

const folder = 'apps/server/src/modules/protection'
const guesses = `${folder}/guesses.integration.test.ts`
const fundPassword = `${folder}/fund-password.integration.test.ts`
const signatures = `${folder}/address-signatures.integration.test.ts`

export const protection: readonly Mutant[] = [
  ...mutantsOf(
    `${folder}/holds.ts`,
    [`${folder}/holds.test.ts`],
    [
      ["'device-new': 24,", "'device-new': 23,"],
      ['endsAt > now ? [{', 'endsAt >= now ? [{'],
      ['WAIT_HOURS.reset + HOLD_HOURS.reset', 'HOLD_HOURS.reset'],
      ["['own-lock', facts.transfersLockedUntil],", ''],
      ['hours * HOUR_MS)', 'hours * HOUR_MS - 1)'],
    ],
  ),
  ...mutantsOf(
    `${folder}/commands.ts`,
    [fundPassword],
    [
      ["  if (isEasilyGuessed(choice.newPassword)) return refused('password-easily-guessed')\n", ''],
      ["  if (isEasilyGuessed(change.newPassword)) return refused('password-easily-guessed')\n", ''],
      ["  if (isEasilyGuessed(newPassword)) return refused('password-easily-guessed')\n", ''],
    ],
  ),
  ...mutantsOf(
    `${folder}/address-signatures.ts`,
    [signatures],
    [
      [
        "claim?.purpose.kind === 'output-address' &&\n    isAddressEqual(claim.purpose.address, addressFromColumn(address)) &&",
        "claim?.purpose.kind === 'output-address' &&",
      ],
      ['    asked_at < expiryOf(claim)\n', '    true\n'],
      ["return verified.error === 'chain-unavailable' ? 'unavailable' : 'invalid'", "return 'invalid'"],
    ],
  ),
  ...mutantsOf(
    `${folder}/functions/record_address_check.sql`,
    [signatures],
    [
      ['and signature is not null and signature_valid is null) then', 'and signature is not null) then'],
      ["greatest(binds_at, lode.now() + interval '24 hours')", 'binds_at'],
      ['perform lode.drop_waiting_address(of_member, null);', 'null;'],
    ],
  ),
  ...mutantsOf(
    `${folder}/functions/bound_output_address.sql`,
    [signatures],
    [['(address = own.account or signature_valid)', 'true']],
  ),
  ...mutantsOf(
    `${folder}/functions/waiting_output_address.sql`,
    [signatures],
    [
      [' or newest.signature is not null and newest.signature_valid is null', ''],
      [' and cancelled_at is null', ''],
    ],
  ),
  ...mutantsOf(
    `${folder}/functions/ask_output_address.sql`,
    [signatures],
    [['if not is_own and (signed_message is null or wallet_signature is null) then', 'if false then']],
  ),
  ...mutantsOf(
    `${folder}/member-queue.ts`,
    [`${folder}/member-queue.test.ts`],
    [
      ['queue.waiting >= limits.perMember', 'queue.waiting > limits.perMember'],
      ['waiting >= limits.total', 'waiting > limits.total'],
      ['queue.end = turn.catch(() => {})', 'queue.end = turn'],
      ['      waiting -= 1\n', ''],
    ],
  ),
  ...mutantsOf(
    `${folder}/functions/begin_fund_password_try.sql`,
    [guesses],
    [
      ['counted.tries = 4', 'counted.tries = 5'],
      ["interval '15 minutes'", "interval '14 minutes'"],
      ['then counted.tries + 1 else 1 end', 'then counted.tries + 1 else counted.tries end'],
    ],
  ),
  ...mutantsOf(
    `${folder}/functions/end_right_try.sql`,
    [guesses],
    [['set tries = 0, locked_until = null', 'set locked_until = null']],
  ),
  ...mutantsOf(
    `${folder}/functions/end_last_try.sql`,
    [guesses],
    [['locked_until > lode.now()', 'locked_until < lode.now()']],
  ),
  ...mutantsOf(
    `${folder}/functions/settle_reset.sql`,
    [fundPassword],
    [['if settled.reset_ends_at <= lode.now() then', 'if settled.reset_ends_at is not null then']],
  ),
  ...mutantsOf(
    `${folder}/functions/ask_reset.sql`,
    [fundPassword],
    [
      ['  delete from lode.session where member_id = of_member and id <> by_session;\n', ''],
      ["if found_row.reset_ends_at is not null then return 'reset-waiting'; end if;", ''],
    ],
  ),
  ...mutantsOf(
    `${folder}/functions/change_fund_password.sql`,
    [fundPassword],
    [
      ["if found_row.reset_ends_at is not null then return 'reset-waiting'; end if;", ''],
      ['changed_at = lode.now(), ', ''],
    ],
  ),
  ...mutantsOf(
    `${folder}/functions/issue_setup_code.sql`,
    [fundPassword],
    [
      [' or exists (select from lode.posting where member = of_member) then', ' then'],
      ['  delete from lode.setup_code where member_id = of_member;\n', ''],
    ],
  ),
  ...mutantsOf(
    `${folder}/functions/lock_transfers.sql`,
    [`${folder}/output-address.integration.test.ts`],
    [["if found_row.transfers_locked_until >= new_end then return 'transfer-lock-shorter'; end if;", '']],
  ),
]
