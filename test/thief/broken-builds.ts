import type pg from 'pg'
import { applyEdit } from '../sim/broken-builds/broken-build.ts'
import type { Role } from './catalog.ts'

/** A pool in which one protection is missing, the role that must notice, and what the checker must say. */
export type BrokenBuild = {
  readonly name: string
  readonly role: Role
  readonly caughtBy: RegExp
  /** The play that shows it, if random statements rarely do. */
  readonly play?: string
  /** Whether every transaction of the thief began long ago. */
  readonly isStale?: boolean
  change(client: pg.Client): Promise<unknown>
}

const withoutTrigger = (table: string, trigger: string) => (client: pg.Client) =>
  client.query(`alter table lode.${table} disable trigger ${trigger}`)

/** Replaces a text in the body of a function. Fails if the text is missing or not unique. */
const edit = (name: string, find: string, replace: string) => async (client: pg.Client) => {
  const { rows } = await client.query<{ text: string }>(
    `select pg_get_functiondef(oid) as text from pg_proc where pronamespace = 'lode'::regnamespace and proname = $1`,
    [name],
  )
  await client.query(applyEdit(rows[0]?.text ?? '', { file: `lode.${name}`, find, replace }))
}

export const brokenBuilds: readonly BrokenBuild[] = [
  {
    name: 'a ledger transaction needs no cause',
    role: 'lode_api',
    caughtBy: /of member/,
    change: withoutTrigger('ledger_transaction', 'check_cause'),
  },
  {
    name: 'an order needs no ledger transaction',
    role: 'lode_api',
    caughtBy: /are set aside|can never end/,
    change: withoutTrigger('pay_order', 'order_is_posted'),
  },
  {
    name: 'a transfer needs no frozen money',
    role: 'lode_api',
    caughtBy: /frozenOut of .* are set aside/,
    play: 'request a transfer whose money is not frozen, or with the id of a payment that operators prepare',
    change: withoutTrigger('payout', 'payout_is_posted'),
  },
  {
    name: 'the cause of a promotion gives every receiver’s part to anybody',
    role: 'lode_api',
    caughtBy: /the plan gives|another part than the plan/,
    play: 'buy a promotion from a member’s balance',
    change: edit(
      'is_caused',
      'expected := lode.promotion_legs(posted);',
      'return lode.promotion_legs(posted) is not null;',
    ),
  },
  {
    name: 'a signed transfer can be canceled',
    role: 'lode_api',
    caughtBy: /signed/,
    play: 'cancel or unfreeze a transfer that exists',
    change: edit('cancel_transfer', 'found_payout.release_number is not null', 'false'),
  },
  {
    name: 'the log line of another transfer can be ended',
    role: 'lode_api',
    caughtBy: /can never end/,
    play: 'cancel a transfer under the log line of another',
    change: edit(
      'is_caused',
      'on line.member = owner and line.asset = (posting.account >> 6) & 3 and line.id = posting.line',
      'on line.member = owner and line.asset = (posting.account >> 6) & 3 and line.id = posting.line and line.transaction = posted.id',
    ),
  },
  {
    name: 'an order freezes under the log line of another kind of order',
    role: 'lode_api',
    caughtBy: /^order .* has no log line/,
    play: 'freeze an order under the log line of another kind',
    change: edit('is_caused', 'or line.type <> line_type) is not true)\n        from', ') is not true)\n        from'),
  },
  {
    name: 'the api says that a wallet has signed an address',
    role: 'lode_api',
    caughtBy: /counts as checked by the signer/,
    play: 'bind an address in a member’s name and transfer to it',
    change: (client) => client.query('grant execute on function lode.record_address_check to lode_api'),
  },
  {
    name: 'an output address needs no signature of the wallet',
    role: 'lode_api',
    caughtBy: /which is not its member’s/,
    play: 'bind an address in a member’s name and transfer to it',
    change: async (client) => {
      await edit(
        'ask_output_address',
        'not is_own and (signed_message is null or wallet_signature is null)',
        'false',
      )(client)
      await edit('bound_output_address', 'or signature_valid)', 'or signature_valid is not false)')(client)
    },
  },
  {
    name: 'an output address stays bound when the signer has refused its signature',
    role: 'lode_api',
    caughtBy: /which is not its member’s/,
    play: 'transfer to an address that the signer has refused',
    change: async (client) => {
      await edit('record_address_check', 'perform lode.drop_waiting_address(of_member, null);', '')(client)
      await edit('bound_output_address', 'or signature_valid)', 'or signature is not null)')(client)
    },
  },
  {
    name: 'a transfer can take the id of a payment that operators prepare',
    role: 'lode_api',
    caughtBy: /needs the id of transfer/,
    play: 'request a transfer whose money is not frozen, or with the id of a payment that operators prepare',
    change: edit(
      'request_transfer',
      "exists (select from lode.decision where subject in ('treasury:' || of_id, 'suspense:' || of_id))",
      'false',
    ),
  },
  {
    name: 'rows are written in a transaction that sees an old snapshot',
    role: 'lode_api',
    caughtBy: /claims to be older than it is|does not wait 48 hours/,
    isStale: true,
    change: edit('refuse_stale_transaction', "current_setting('transaction_isolation') <> 'read committed'", 'false'),
  },
  {
    name: 'a pledge is paid more than is due',
    role: 'lode_api',
    caughtBy: /was paid .* of /,
    play: 'collect dividends, too much, twice or for somebody else',
    change: edit('pay_pledges', 'else reckoned.amount <= div(reckoned.scaled, scale) end', 'else true end'),
  },
  {
    name: 'the last dividend of a pledge is paid under the key of another pledge',
    role: 'lode_worker',
    caughtBy: /the key pledge:.*:rest of member 0 is spent/,
    play: 'return pledges, and pay their rest to another pledge',
    change: edit('share_legs', ' and settled_at is not null', ''),
  },
  {
    name: 'a day shares out more than the plan lets in',
    role: 'lode_worker',
    caughtBy: /more than the plan lets in/,
    play: 'close a day',
    change: async (client) => {
      await edit('close_day', 'if (f = least(inputs.funding, most) and f + x', 'if (f + x')(client)
      await edit('close_day', 'elsif inputs.funding > plan_most and', 'elsif false and')(client)
    },
  },
  {
    name: 'a paid order fails although its level can be bought',
    role: 'lode_worker',
    caughtBy: /was paid and failed, although/,
    play: 'close an order early, and give its money away',
    change: edit('fail_order', ' and member.level + 1 <> pay_order.level', ''),
  },
  {
    name: 'a partner day gives each partner more than was shared out',
    role: 'lode_worker',
    caughtBy: /^partner day .* has other figures/,
    play: 'close a day',
    change: edit('close_partner_day', 'a = coalesce(last.per_partner, 0) + q', 'a >= q'),
  },
  {
    name: 'a partner day shares out money that stays where it was',
    role: 'lode_worker',
    caughtBy: /^partner day .* and the ledger has/,
    play: 'close a day',
    change: edit('close_partner_day', 'of_amount = coalesce((', 'of_amount >= coalesce(('),
  },
]
