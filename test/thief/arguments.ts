import { createHash } from 'node:crypto'
import type { Random } from '../sim/random.ts'
import type { Catalog, Parameter } from './catalog.ts'
import { literal, type Value } from './literal.ts'
import type { Sample } from './sample.ts'

/**
 * How each argument and column is drawn, by its name. A name that is missing here fails the run (see `findUngenerated`),
 * so that nobody adds a function or a grant that the thief does not try.
 */
type Generator = (random: Random, sample: Sample, type: string) => Value

export const member: Generator = (random, { thief, victims, strangers }) =>
  random.pick([thief, thief, ...victims, ...victims, random.pick(strangers), '0', '999999'])

export const bytes = (random: Random, length: number): Buffer =>
  createHash('sha512').update(random.hex32()).digest().subarray(0, length)

export const uuid = (random: Random): string => {
  const hex = random.hex32().slice(2)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

export const NO_UUID = '00000000-0000-0000-0000-000000000000'

/** A job, a queue or a task of the job queue. All three count from one. */
const jobNumber: Generator = (random, { jobs }) => random.pick([...jobs.map((each) => each.id), '1', '2', '999999'])

const id: Generator = (random, sample, type) =>
  ['bigint', 'integer'].includes(type) ? jobNumber(random, sample, type) : uuidOfSomething(random, sample)

const uuidOfSomething = (random: Random, { orders, payouts, pledges, decisions }: Sample): string =>
  random.pick([
    ...orders.map((each) => each.id),
    ...payouts.map((each) => each.id),
    ...pledges.map((each) => each.id),
    ...decisions.flatMap(({ nonce }) => nonce ?? []),
    uuid(random),
    uuid(random),
  ])

const session: Generator = (random, { sessions }) =>
  random.chance(0.05) ? uuid(random) : random.pick(sessions.map((each) => each.id))

export const amount: Generator = (random, { orders, payouts, balances, suspense }) =>
  random.pick<Value>([
    ...orders.flatMap(({ amount, part }) => [amount, part]),
    ...payouts.flatMap(({ amount, fee }) => [amount, fee]),
    ...balances.map(({ balance }) => balance),
    ...suspense.map(({ balance }) => balance),
    ...['0', '1', '-1', '1000000', '0.5', 'NaN', '340282366920938463463374607431768211456'],
  ])

/** Around the pool's present, up to thirty days ahead or behind. */
const time: Generator = (random) => ({
  sql: `lode.now() + interval '${random.pick([0, 0, 0, -1, 1, -49, 49, -720, 720])} hours'`,
})

const day: Generator = (random, { lastDay }) => lastDay + random.pick([0, 1, 1, 1, 2, -1, -3])
const decision: Generator = (random, { decisions }) =>
  random.pick<Value>([...decisions.map((each) => each.id), '999999', null])
const log = (random: Random, { logs }: Sample) =>
  random.chance(0.5) ? random.pick(logs) : { tx: bytes(random, 32), index: random.between(0, 3) }
const tx: Generator = (random, sample) => (random.chance(0.3) ? null : log(random, sample).tx)
const logIndex: Generator = (random, sample) => (random.chance(0.3) ? null : log(random, sample).index)
const blockNumber: Generator = (random, { postedBlock }) => random.pick([postedBlock, postedBlock, '0', '999999'])
const symbol: Generator = (random) => random.pick(['USDT', 'BTN', 'BTC'])
const hash: Generator = (random) => bytes(random, 32)
const address: Generator = (random, { addresses, suspense }) =>
  random.pick([...addresses, ...suspense.map((each) => each.address), bytes(random, 20)])
const words: Generator = (random) => random.pick(['a word', '', 'x'.repeat(250)])
const truth: Generator = (random) => random.chance(0.5)
const code: Generator = (random) => random.between(1, 60)
const passwordHash: Generator = (random) =>
  random.pick<Value>([`$argon2id$v=19$m=19456,t=2,p=1$${random.hex32().slice(2)}`, 'plain', null])
const small: Generator = (random) => random.pick([0, 1, 1, 2, 3, 30, -1, 100])
const figure: Generator = (random, sample, type) => random.pick<Value>(['0', '1', '1000', amount(random, sample, type)])

const newestTransaction: Generator = () => ({ sql: 'select max(id) from lode.ledger_transaction' })

/** A key that a ledger transaction has, will have, or could have. */
export const key: Generator = (random, sample, type) => {
  const of = uuidOfSomething(random, sample)
  return random.pick([
    ...['', ':settle', ':release', ':airdrop'].map((step) => `order:${of}${step}`),
    ...['', ':release'].map((step) => `transfer:${of}${step}`),
    ...['return', 'rest'].map((step) => `pledge:${of}:${step}`),
    `claim:${of}`,
    `collect:${of}`,
    'appointed:expert',
    'appointed:partner',
    `day:${day(random, sample, type)}:${random.pick(['dividend', 'partner'])}`,
    `suspense:${symbol(random, sample, type)}:${random.between(0, 4)}`,
    `treasury:${of}`,
    `suspense:${of}`,
    chainKey(random, sample),
    chainKey(random, sample),
    random.pick(sample.keys),
  ])
}

export function chainKey(random: Random, sample: Sample): string {
  const { tx, index } = log(random, sample)
  return `chain:${sample.chainId}:0x${tx.toString('hex')}:${index}`
}

const taskName: Generator = (random, { jobs }) =>
  random.pick([...jobs.map((each) => each.task), 'close-days', 'apply-decisions', 'seal-ledger', 'another'])

/** What a task would like to hear, if it trusted its payload. */
const jobPayload = (random: Random, sample: Sample) => ({
  id: uuidOfSomething(random, sample),
  member: member(random, sample, 'bigint'),
  decision: decision(random, sample, 'bigint'),
  day: day(random, sample, 'int'),
  amount: amount(random, sample, 'numeric'),
})

const list =
  (each: Generator): Generator =>
  (random, sample, type) =>
    Array.from({ length: random.between(1, 3) }, () => each(random, sample, type.replace('[]', '')))

const generators: Readonly<Record<string, Generator>> = {
  // stops of one asset
  why: words,
  after_block: blockNumber,
  at_block: (random, sample, type) => (random.chance(0.5) ? null : blockNumber(random, sample, type)),
  missing: (random, sample, type) => random.pick<Value>([null, amount(random, sample, type)]),
  arrived_in_cold: (random, sample, type) => random.pick<Value>([null, '0', amount(random, sample, type)]),
  missing_from: (random) => random.pick<Value>([null, 'vault', 'cold']),
  of_tx: tx,
  of_log: logIndex,
  // looking up a member
  by_operator: hash,
  with_signature: (random) => bytes(random, 64),
  of_look: small,
  // what the worker reports about itself
  trouble: words,
  final_block: blockNumber,
  nodes: (random) => random.pick(['[]', '[{"name": "a node", "failure": null}]']),
  failing_jobs: list(taskName),
  // members, sessions and what protects them
  of_member: member,
  new_member: member,
  given_member: member,
  member,
  member_id: member,
  sponsor_id: member,
  buyers: list(member),
  by_session: session,
  revoked: (random, sample, type) => (random.chance(0.5) ? null : session(random, sample, type)),
  mode: (random) => random.pick(['full', 'exit']),
  new_address: address,
  of_address: address,
  address,
  account: (random, sample, type) =>
    type === 'bytea' ? address(random, sample, type) : random.between(1, 40) << random.pick([6, 8, 14]),
  signed_message: (random, sample, type) => random.pick<Value>([null, words(random, sample, type)]),
  wallet_signature: (random) => random.pick<Value>([null, bytes(random, 65), bytes(random, 65)]),
  is_valid: truth,
  new_hash: passwordHash,
  old_hash: passwordHash,
  right_hash: passwordHash,
  with_code: hash,
  new_code: hash,
  code_hash: hash,
  of_hash: (random, { devices }) => random.pick([...devices, bytes(random, 32)]),
  device_hash: (random, { devices }) => random.pick<Value>([...devices, bytes(random, 32), null]),
  token_hash: hash,
  user_agent: words,
  invite_code: (random) => random.hex32().slice(2, 10).toUpperCase(),
  lang: (random) => random.pick(['en', 'zh_tw', 'zh_cn']),
  days: small,
  notice_id: small,
  nonce: (random, _, type) => (type === 'bytea' ? bytes(random, 16) : random.between(0, 30)),
  // times
  at_moment: time,
  moment: time,
  at_time: time,
  given_at: time,
  time,
  hour: time,
  at: time,
  seen_at: time,
  signed_at: time,
  block_time: time,
  broadcast_at: time,
  look_at: time,
  posted_time: time,
  stopped_at: time,
  expires_at: time,
  last_login_at: time,
  last_action_at: time,
  previous_login_at: time,
  // orders, transfers, pledges, decisions and days
  of_id: id,
  id,
  of_operation: id,
  of_payout: id,
  payout_id: id,
  order_id: id,
  ids: list(id),
  amounts: list(amount),
  of_type: (random) => random.pick([1, 3, 2]),
  of_plan: (random) => random.pick([1, 1, 1, 2, 0]),
  by_plan: (random) => random.pick([1, 1, 1, 2]),
  of_asset: symbol,
  asset: symbol,
  of_amount: amount,
  of_balance_part: amount,
  of_fee: amount,
  of_fee_burned: amount,
  quota_total: (random) => random.pick(['1e30', '0']),
  quote_minutes: (random, { plan }) => random.pick([plan.quoteMinutes, 5, 100_000]),
  of_level: (random) => random.between(0, 6),
  of_power: (random, { plan }) => random.pick(plan.levels).power,
  of_airdrop: (random, { plan }) => `${random.pick(plan.levels).airdrop}000000000000000000`,
  of_term_days: (random, { plan }) => random.pick<Value>([random.pick(plan.pledgeTerms).days, null]),
  of_term_weight: (random, { plan }) => random.pick<Value>([random.pick(plan.pledgeTerms).weight, null]),
  of_weight: amount,
  of_day: day,
  day,
  of_decision: decision,
  by_decision: decision,
  decision_id: decision,
  place: (random) => random.between(1, 3),
  operator: hash,
  by_operators: list(hash),
  signature: (random) => bytes(random, 64),
  subject: (random, { payouts, nextDay }) =>
    random.pick([...payouts.map((each) => `transfer:${each.id}`), `day:${nextDay}`, 'operators', 'plan:2']),
  verb: (random) =>
    random.pick([
      'approve',
      'reject',
      'pause',
      'resume',
      'pay',
      'return',
      'publish',
      'list',
      'approve-day',
      'authorise-expert',
      'end-stop',
      'rewind',
      'migrate-vault',
      'disable',
      'enable',
      'end-sessions',
      'prove-again',
      'publish-notice',
      'publish-help',
      'withdraw',
    ]),
  of_verb: (random) => random.pick(['list', 'pay', 'return', 'approve']),
  body: (random, sample, type) =>
    JSON.stringify({
      verb: generators.verb?.(random, sample, type),
      subject: generators.subject?.(random, sample, type),
      nonce: uuid(random),
      amount: '100000000',
      symbol: 'USDT',
      from: 'pool:mining',
      address: `0x${(address(random, sample, type) as Buffer).toString('hex')}`,
    }),
  at_most: small,
  after_day: (random, sample, type) => (random.chance(0.5) ? 0 : day(random, sample, type)),
  after_id: (random, sample) => (random.chance(0.5) ? NO_UUID : uuidOfSomething(random, sample)),
  for_good: truth,
  makes_leaving_harder: truth,
  of_number: (random, { releases }) => random.pick([...releases, '99']),
  release_number: (random, { releases }) => random.pick<Value>([...releases, null]),
  because: (random) => random.pick(['cap', 'balance', 'token']),
  why_not: words,
  with_note: words,
  reason: words,
  held_check: (random) => random.pick<Value>([null, 'no']),
  waits_for: (random) => random.pick<Value>([null, 'cap', 'float', 'chain']),
  // the figures of a day
  ...Object.fromEntries(['f', 'x', 't', 'c', 'z', 's', 'q', 'a', 'r'].map((name) => [name, figure])),
  // the chain
  by_tx: tx,
  tx: hash,
  hash,
  by_log_index: logIndex,
  log_index: small,
  block_number: (random) => random.between(1, 400),
  number: (random) => random.between(1, 400),
  posted_number: (random) => random.between(1, 400),
  booked_number: (random) => random.between(1, 400),
  checked_number: (random) => random.between(1, 400),
  since_block: (random) => random.between(1, 400),
  posted_hash: hash,
  genesis_hash: hash,
  vault: address,
  former_vaults: () => [],
  chain_id: (random, { chainId }) => random.pick([chainId, '1']),
  one: truth,
  only_row: truth,
  stopped_reason: words,
  node: words,
  role: (random) => random.pick(['cold', 'funder']),
  funder: address,
  bitcoin_txid: hash,
  bitcoin_output: small,
  bitcoin_value: amount,
  result: (random) => random.pick(['found', 'less', 'unconfirmed', 'missing', 'unanswered']),
  call_hash: hash,
  arguments: () => '{}',
  price: amount,
  source: hash,
  // the ledger
  given_key: key,
  of_key: key,
  given_hash: hash,
  given_type: code,
  given_debit: (random, { kinds, assets }) => (random.pick(kinds).code << 8) + (random.pick(assets).code << 6),
  given_credit: (random, { kinds, assets }) => (random.pick(kinds).code << 8) + (random.pick(assets).code << 6),
  given_amount: amount,
  given_log: code,
  given_operation: id,
  of_transaction: newestTransaction,
  by_transaction: newestTransaction,
  transactions: list(newestTransaction),
  given_number: small,
  given_previous: hash,
  given_transactions: (random) => `{[1,${random.between(2, 90)})}`,
  given_complete: small,
  given_last: small,
  given_maker: () => ({ sql: 'pg_current_xact_id()' }),
  version: small,
  // the job queue
  identifier: taskName,
  job_key: taskName,
  queue_name: (random) => random.pick<Value>([null, 'a queue']),
  payload: (random, sample) => JSON.stringify(jobPayload(random, sample)),
  specs: (random, sample) => [
    {
      sql: `row(${literal(taskName(random, sample, 'text'))}, ${literal(JSON.stringify(jobPayload(random, sample)))}, null, null, ${random.between(1, 25)}, ${literal(random.pick<Value>([null, taskName(random, sample, 'text')]))}, ${random.between(-9, 9)}, null)`,
    },
  ],
  job_ids: list(jobNumber),
  worker_ids: list(words),
  job_key_mode: (random) => random.pick(['replace', 'preserve_run_at', 'unsafe_dedupe', 'another']),
  job_key_preserve_run_at: truth,
  job_queue_id: (random, sample, type) => (random.chance(0.5) ? null : jobNumber(random, sample, type)),
  task_id: jobNumber,
  run_at: time,
  locked_at: (random, sample, type) => (random.chance(0.3) ? null : time(random, sample, type)),
  locked_by: (random) => random.pick<Value>([null, 'a thief']),
  created_at: time,
  updated_at: time,
  known_since: time,
  last_execution: time,
  attempts: small,
  max_attempts: small,
  priority: small,
  revision: small,
  flags: (random, _, type) => (type === 'jsonb' ? random.pick([null, '{}']) : random.pick([null, ['a flag']])),
  error_message: words,
  last_error: words,
  is_available: truth,
  // stored answers, releases and the rest
  key,
  name: words,
  input_hash: hash,
  done: truth,
  answer: () => '{}',
  amount,
  burned: (random, sample, type) => random.pick([null, amount(random, sample, type)]),
  kind: (random) => random.pick(['payouts', 'burn']),
  payer: address,
  call: (random) => bytes(random, 40),
  gas: () => 100_000,
  attempt: small,
  raw: (random) => bytes(random, 60),
  max_fee: amount,
  max_priority_fee: amount,
  ceremony: hash,
  kept: () => 'lode.payout',
  given: words,
  open_depths: () => [1, 1, 1],
}

/** These have generators of their own, in postings.ts. */
export const DIRECTED_FUNCTIONS: readonly string[] = ['lode.post']

export const hasGenerator = (name: string): boolean => generators[name] !== undefined

export function drawArgument(random: Random, sample: Sample, { name, type }: Parameter): Value {
  const generator = generators[name]
  if (!generator) throw new Error(`no generator draws ${name}`)
  return generator(random, sample, type)
}

/** What the role may do and no generator covers, in words. */
export function findUngenerated({
  functions,
  insertable,
  updatable,
  deletable,
  readable,
  unexpected,
}: Catalog): string[] {
  const missing: string[] = unexpected.map((right) => `it may ${right}`)
  for (const [name, parameters] of functions)
    for (const parameter of parameters)
      if (!DIRECTED_FUNCTIONS.includes(name) && !generators[parameter.name])
        missing.push(`the function ${name} has the argument ${parameter.name || 'without a name'}`)
  for (const [right, tables] of [
    ['inserted into', insertable],
    ['updated', updatable],
  ] as const)
    for (const [table, columns] of tables)
      for (const { name } of columns) if (!generators[name]) missing.push(`the column ${table}.${name} may be ${right}`)
  for (const table of deletable)
    if (!readable.get(table)?.some(({ name }) => generators[name])) missing.push(`rows of ${table} may be deleted`)
  return missing
}
