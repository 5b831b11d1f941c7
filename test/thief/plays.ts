import { NO_UUID, uuid } from './arguments.ts'
import type { Role } from './catalog.ts'
import type { Leg, Posting } from './postings.ts'
import type { Order, Payout } from './sample.ts'
import type { Session } from './session.ts'

/**
 * A directed attempt. Many do what the product does, step by step, and would be right if the session did not now and
 * then replace an argument, a receiver or a key, or leave a step out. Others are attacks as they are.
 */
export type Play = { readonly name: string; readonly roles: readonly Role[]; run(session: Session): Promise<void> }

const api: readonly Role[] = ['lode_api']
const worker: readonly Role[] = ['lode_worker']
/** The worker collects for members after a restore. */
const collectors: readonly Role[] = [...api, ...worker]

const sessionOf = ({ sample, random }: Session, member: string): string =>
  random.pick([...sample.sessions.filter((each) => each.member === member), ...sample.sessions.slice(0, 1)]).id

/** A victim, or sometimes the thief. */
const someone = ({ sample, random }: Session): string =>
  random.pick([...sample.victims, ...sample.victims, sample.thief])

const freeze = (
  type: 'orderReserve' | 'orderRelease',
  order: Pick<Order, 'id' | 'member' | 'asset' | 'part' | 'type'>,
): Posting => {
  const part = BigInt(order.part) * (type === 'orderReserve' ? 1n : -1n)
  const log = order.type === 1 ? 0 : 1
  return {
    type,
    member: order.member,
    key: `order:${order.id}${type === 'orderRelease' ? ':release' : ''}`,
    operation: order.id,
    legs: [
      { kind: 'available', asset: order.asset, owner: order.member, amount: -part, log },
      { kind: 'frozenOrder', asset: order.asset, owner: order.member, amount: part, log },
    ],
  }
}

const aside = (
  type: 'transferRequest' | 'transferRelease',
  payout: Pick<Payout, 'id' | 'asset' | 'amount' | 'fee'> & { member: string },
): Posting => {
  const total = (BigInt(payout.amount) + BigInt(payout.fee)) * (type === 'transferRequest' ? 1n : -1n)
  return {
    type,
    member: payout.member,
    key: `transfer:${payout.id}${type === 'transferRelease' ? ':release' : ''}`,
    operation: payout.id,
    legs: [
      { kind: 'available', asset: payout.asset, owner: payout.member, amount: -total },
      { kind: 'frozenOut', asset: payout.asset, owner: payout.member, amount: total },
    ],
  }
}

const smallest = (text: string, decimals: number): bigint => {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

const DECIMALS: Readonly<Record<string, number>> = { USDT: 6, BTN: 18, BTC: 8 }

/** The level that a member can buy next. */
async function nextLevel(session: Session, member: string): Promise<number> {
  const [row] = await session.peek<{ level: number }>(`select level + 1 as level from lode.member where id = ${member}`)
  return Math.min(row?.level ?? 1, session.sample.plan.levels.length - 1)
}

async function makePromotion(
  session: Session,
  member: string,
  onlinePart: bigint,
  freezing = (order: Order) => freeze('orderReserve', order),
): Promise<Order & { level: number }> {
  const { sample, random } = session
  const level = await nextLevel(session, member)
  const terms = sample.plan.levels[level]
  const amount = smallest(terms?.price ?? '0', 6)
  const part = amount - (onlinePart > amount ? amount : onlinePart)
  const order = {
    id: uuid(random),
    member,
    type: 1,
    asset: 'USDT',
    amount: String(amount),
    part: String(part),
    open: true,
    level,
  }
  await session.call('make_order', {
    of_member: member,
    by_session: sessionOf(session, member),
    of_id: order.id,
    of_type: 1,
    of_plan: sample.plan.version,
    of_asset: 'USDT',
    of_amount: amount,
    of_balance_part: part,
    quote_minutes: sample.plan.quoteMinutes,
    of_level: level,
    of_power: terms?.power ?? 0,
    of_airdrop: smallest(terms?.airdrop ?? '0', 18),
    of_term_days: null,
    of_term_weight: null,
    of_weight: null,
  })
  if (part > 0n && !session.leavesOut()) await session.post(freezing(order))
  return order
}

async function makePledge(session: Session, member: string, onlineShare: bigint): Promise<Order> {
  const { sample, random } = session
  const term = random.pick(sample.plan.pledgeTerms)
  const whole = BigInt(sample.plan.pledgeAbove) + BigInt(random.between(1, 50))
  const amount = whole * 10n ** 18n
  const part = amount - (amount * onlineShare) / 100n
  const order = {
    id: uuid(random),
    member,
    type: 3,
    asset: 'BTN',
    amount: String(amount),
    part: String(part),
    open: true,
  }
  await session.call('make_order', {
    of_member: member,
    by_session: sessionOf(session, member),
    of_id: order.id,
    of_type: 3,
    of_plan: sample.plan.version,
    of_asset: 'BTN',
    of_amount: amount,
    of_balance_part: part,
    quote_minutes: sample.plan.quoteMinutes,
    of_level: null,
    of_power: null,
    of_airdrop: null,
    of_term_days: term.days,
    of_term_weight: term.weight,
    of_weight: whole * BigInt(term.weight),
  })
  if (part > 0n && !session.leavesOut()) await session.post(freeze('orderReserve', order))
  return order
}

/** What the settlement of a promotion must post, from the rewards that the database has just written. */
async function promotionPosting(session: Session, order: Order, log: string | null): Promise<Posting> {
  const rewards = await session.peek<{ member: string; type: string; amount: string }>(
    `select member_id::text as member, type, amount::text from lode.reward where order_id = '${order.id}' and failed is null`,
  )
  const { allocation } = session.sample.plan
  const share = (points = 0): bigint => (BigInt(order.amount) * BigInt(points)) / 10_000n
  const legs: Leg[] = [
    { kind: 'frozenOrder', asset: 'USDT', owner: order.member, amount: -BigInt(order.part), log: 0 },
    { kind: 'custody:vault', asset: 'USDT', amount: BigInt(order.part) - BigInt(order.amount) },
    { kind: 'pool:liquidity', asset: 'USDT', amount: share(allocation.liquidity) },
    { kind: 'pool:operations', asset: 'USDT', amount: share(allocation.operations) },
    { kind: 'partner:funded', asset: 'USDT', amount: share(allocation.partner) },
    ...rewards.map(
      ({ member, type, amount }): Leg =>
        type === 'agentReward'
          ? { kind: 'agentUnclaimed', asset: 'USDT', owner: member, amount: BigInt(amount) }
          : {
              kind: 'available',
              asset: 'USDT',
              owner: member,
              amount: BigInt(amount),
              log: type === 'promotionReward' ? 1 : 2,
            },
    ),
  ]
  const rest = -legs.reduce((sum, { amount }) => sum + amount, 0n)
  return {
    type: log === null ? 'promotionByBalance' : 'promotionPaid',
    member: log === null ? order.member : '0',
    key: log ?? `order:${order.id}:settle`,
    operation: order.id,
    legs: [...legs, { kind: 'pool:mining', asset: 'USDT', amount: rest }],
  }
}

const airdrop = (order: Order & { level: number }, amount: bigint): Posting => ({
  type: order.level === 1 ? 'airdropForActive' : 'airdropForPromotion',
  member: order.member,
  key: `order:${order.id}:airdrop`,
  operation: order.id,
  legs: [
    { kind: order.level === 1 ? 'reserve:airdrop' : 'reserve:promotion', asset: 'BTN', amount: -amount },
    { kind: 'available', asset: 'BTN', owner: order.member, amount },
  ],
})

async function settlePromotion(
  session: Session,
  order: Order & { level: number },
  by: { tx: Buffer; index: number } | null,
): Promise<void> {
  const amount = smallest(session.sample.plan.levels[order.level]?.airdrop ?? '0', 18)
  const reserve = order.level === 1 ? 'reserve:airdrop' : 'reserve:promotion'
  const [held] = await session.peek<{ enough: boolean }>(
    `select sum(balance) >= ${amount} as enough from lode.ledger_account
     where (id >> 8) & 63 = (select code from lode.ledger_kind where name = '${reserve}') and id >> 14 = 0`,
  )
  if (held?.enough && !session.leavesOut()) await session.post(airdrop(order, amount))
  await session.call('settle_promotion', {
    of_id: order.id,
    by_tx: by?.tx ?? null,
    by_log_index: by?.index ?? null,
    at_time: by ? { sql: 'lode.now()' } : null,
  })
  if (!session.leavesOut())
    await session.post(await promotionPosting(session, order, by ? keyOfLog(session, by) : null))
}

const keyOfLog = ({ sample }: Session, { tx, index }: { tx: Buffer; index: number }): string =>
  `chain:${sample.chainId}:0x${tx.toString('hex')}:${index}`

const inventedLog = ({ random }: Session) => ({
  tx: Buffer.from(random.hex32().slice(2), 'hex'),
  index: random.between(0, 3),
})

async function settlePledge(session: Session, order: Order, by: { tx: Buffer; index: number } | null): Promise<void> {
  await session.call('settle_pledge', {
    of_id: order.id,
    by_tx: by?.tx ?? null,
    by_log_index: by?.index ?? null,
    at_time: by ? { sql: 'lode.now()' } : null,
  })
  if (session.leavesOut()) return
  await session.post({
    type: by ? 'pledgePaid' : 'pledgeByBalance',
    member: by ? '0' : order.member,
    key: by ? keyOfLog(session, by) : `order:${order.id}:settle`,
    operation: order.id,
    legs: [
      { kind: 'frozenOrder', asset: 'BTN', owner: order.member, amount: -BigInt(order.part) },
      { kind: 'custody:vault', asset: 'BTN', amount: BigInt(order.part) - BigInt(order.amount) },
      { kind: 'pledged', asset: 'BTN', owner: order.member, amount: BigInt(order.amount) },
    ],
  })
}

/** What pledges have not been paid yet, by the days that are closed. */
const duePledges = (session: Session) =>
  session.peek<{ id: string; member: string; due: string; fresh: string; over: boolean }>(`
    select * from (
      select id::text, member_id::text as member, end_day <= (select max(day) + 1 from lode.production_day) as over,
             div(weight * (lode.per_weight_at(end_day - 1) - lode.per_weight_at(start_day - 1)), 1e36::numeric)::text as due,
             (div(weight * (lode.per_weight_at(end_day - 1) - lode.per_weight_at(start_day - 1)), 1e36::numeric) - paid)::text as fresh
      from lode.pledge where settled_at is null) reckoned
    order by member, due::numeric, id`)

const LAST_TRANSACTION = { sql: 'select max(id) from lode.ledger_transaction' }

const dividend = (type: 'pointReward' | 'pledgeRest', key: string, member: string, amount: bigint): Posting => ({
  type,
  member: type === 'pointReward' ? member : '0',
  key,
  operation: /:([0-9a-f-]{36})/.exec(key)?.[1] ?? key,
  legs: [
    { kind: 'dividend:payable', asset: 'BTC', amount: -amount },
    { kind: 'available', asset: 'BTC', owner: member, amount },
  ],
})

const callTransferRequest = (
  session: Session,
  { id, member, asset, amount, fee }: Payout & { member: string },
): Promise<string> =>
  session.call('request_transfer', {
    of_member: member,
    by_session: sessionOf(session, member),
    of_id: id,
    of_asset: asset,
    of_amount: amount,
    of_fee: fee,
    of_fee_burned: asset === 'BTN' ? BigInt(fee) / 2n : 0n,
    of_plan: session.sample.plan.version,
    quota_total: '1e30',
  })

async function requestTransfer(
  session: Session,
  member: string,
  chosenId?: string,
): Promise<Payout & { member: string }> {
  const { sample, random } = session
  const asset = random.pick(['USDT', 'BTN', 'BTC'])
  const terms = sample.plan.transfer[asset]
  const decimals = DECIMALS[asset] ?? 0
  const amount = smallest(terms?.min ?? '1', decimals) * BigInt(random.between(1, 5))
  const fee = smallest(terms?.fee ?? '0', decimals)
  const payout = {
    id: chosenId ?? uuid(random),
    kind: 'transfer',
    member,
    asset,
    amount: String(amount),
    fee: String(fee),
    open: true,
    signed: false,
  }
  await callTransferRequest(session, payout)
  if (!session.leavesOut()) await session.post(aside('transferRequest', payout))
  return payout
}

const transfers = ({ sample }: Session): (Payout & { member: string })[] =>
  sample.payouts.flatMap((each) => (each.member === null ? [] : [{ ...each, member: each.member }]))

export const plays: readonly Play[] = [
  {
    name: 'take a member’s money by an order that does not exist',
    roles: api,
    async run(session) {
      const { sample, random } = session
      const victim = random.pick(sample.victims)
      const id = random.chance(0.5) ? uuid(random) : random.pick(sample.orders).id
      await session.transaction(async () => {
        const part = '50000000'
        await session.post(freeze('orderReserve', { id, member: victim, asset: 'USDT', part, type: 1 }))
        await session.post({
          type: 'promotionByBalance',
          member: victim,
          key: `order:${id}:settle`,
          operation: id,
          legs: [
            { kind: 'frozenOrder', asset: 'USDT', owner: victim, amount: -BigInt(part), log: 0 },
            { kind: 'available', asset: 'USDT', owner: sample.thief, amount: BigInt(part), log: 1 },
          ],
        })
      })
    },
  },
  {
    name: 'buy a promotion from a member’s balance',
    roles: api,
    async run(session) {
      const member = someone(session)
      await session.transaction(async () => {
        const order = await makePromotion(session, member, 0n)
        await session.call('lock_places', { buyers: [member] })
        if (!session.leavesOut()) await settlePromotion(session, order, null)
      })
    },
  },
  {
    name: 'buy a pledge from a member’s balance',
    roles: api,
    async run(session) {
      const member = someone(session)
      await session.transaction(async () => {
        const order = await makePledge(session, member, 0n)
        if (!session.leavesOut()) await settlePledge(session, order, null)
      })
    },
  },
  {
    name: 'order online, cancel, and unfreeze',
    roles: api,
    async run(session) {
      const { random } = session
      const member = someone(session)
      let order: Order | undefined
      await session.transaction(async () => {
        order = random.chance(0.5)
          ? await makePromotion(session, member, 5_000_000n)
          : await makePledge(session, member, 30n)
      })
      const made = order
      if (!made) return
      if (random.chance(0.5))
        await session.transaction(
          async () => void (await session.call('cancel_order', { of_member: member, of_id: made.id })),
        )
      if (random.chance(0.5)) await session.wait(random.pick([1, 48, 720]))
      await session.transaction(async () => void (await session.post(freeze('orderRelease', made))))
      await session.transaction(async () => {
        if (made.type === 1)
          await settlePromotion(session, { ...made, level: 1 }, random.chance(0.5) ? inventedLog(session) : null)
        else await settlePledge(session, made, random.chance(0.5) ? inventedLog(session) : null)
      })
    },
  },
  {
    name: 'settle or unfreeze an order of somebody else',
    roles: ['lode_api', 'lode_worker'],
    async run(session) {
      const { sample, random } = session
      const open = sample.orders.filter((each) => each.open)
      const order = random.pick(open.length > 0 ? open : sample.orders)
      if (random.chance(0.3))
        await session.transaction(async () => void (await session.post(freeze('orderRelease', order))))
      const log = session.role === 'lode_worker' || random.chance(0.5) ? inventedLog(session) : null
      await session.transaction(async () => {
        const level = await nextLevel(session, order.member)
        if (order.type === 1) await settlePromotion(session, { ...order, level }, log)
        else await settlePledge(session, order, log)
      })
    },
  },
  {
    name: 'request a transfer, cancel it, and unfreeze it twice',
    roles: api,
    async run(session) {
      const { random } = session
      const member = someone(session)
      let made: (Payout & { member: string }) | undefined
      await session.transaction(async () => {
        made = await requestTransfer(session, member)
      })
      const payout = made
      if (!payout) return
      if (random.chance(0.3)) await session.wait(random.pick([1, 25, 72]))
      for (let time = 0; time < 2; time += 1)
        await session.transaction(async () => {
          await session.call('cancel_transfer', { of_member: member, of_id: payout.id })
          if (!session.leavesOut()) await session.post(aside('transferRelease', payout))
        })
    },
  },
  {
    name: 'freeze an order under the log line of another kind',
    roles: api,
    async run(session) {
      await session.transaction(async () => {
        await makePromotion(session, someone(session), 5_000_000n, (order) =>
          freeze('orderReserve', { ...order, type: 3 }),
        )
      })
    },
  },
  {
    name: 'cancel a transfer under the log line of another',
    roles: api,
    async run(session) {
      const { random } = session
      const member = someone(session)
      let made: (Payout & { member: string }) | undefined
      await session.transaction(async () => {
        made = await requestTransfer(session, member)
      })
      const canceled = made
      if (!canceled) return
      const other = { ...canceled, id: uuid(random) }
      await session.transaction(async () => {
        await callTransferRequest(session, other)
        await session.post(aside('transferRequest', other))
      })
      await session.transaction(async () => {
        await session.call('cancel_transfer', { of_member: member, of_id: canceled.id })
        await session.post({ ...aside('transferRelease', canceled), operation: other.id })
      })
    },
  },
  {
    name: 'cancel or unfreeze a transfer that exists',
    roles: api,
    async run(session) {
      const { random } = session
      const payout = random.pick(transfers(session))
      await session.transaction(async () => {
        if (random.chance(0.6)) await session.call('cancel_transfer', { of_member: payout.member, of_id: payout.id })
        if (!session.leavesOut()) await session.post(aside('transferRelease', payout))
      })
    },
  },
  {
    name: 'request a transfer whose money is not frozen, or with the id of a payment that operators prepare',
    roles: api,
    async run(session) {
      const { sample, random } = session
      const nonces = sample.decisions.flatMap(({ nonce }) => nonce ?? [])
      const id = nonces.length > 0 && random.chance(0.7) ? random.pick(nonces) : uuid(random)
      const member = random.chance(0.5) ? sample.thief : someone(session)
      await session.transaction(async () => {
        if (random.chance(0.7)) await requestTransfer(session, member, id)
        else
          await session.call('request_transfer', {
            of_member: member,
            by_session: sessionOf(session, member),
            of_id: id,
            of_plan: 1,
            quota_total: '1e30',
          })
      })
    },
  },
  {
    name: 'bind an address in a member’s name and transfer to it',
    roles: api,
    async run(session) {
      const { sample, random } = session
      const member = random.pick(sample.victims)
      const own = sessionOf(session, member)
      if (random.chance(0.4))
        await session.transaction(
          async () => void (await session.call('cancel_output_address', { of_member: member, by_session: own })),
        )
      const unsigned = random.chance(0.2) ? { signed_message: null, wallet_signature: null } : {}
      await session.transaction(
        async () =>
          void (await session.call('ask_output_address', { of_member: member, by_session: own, ...unsigned })),
      )
      if (random.chance(0.3))
        await session.transaction(
          async () =>
            void (await session.call('record_address_check', {
              of_member: member,
              of_number: { sql: `select max(number) from lode.output_address where member_id = ${member}` },
              is_valid: true,
            })),
        )
      await session.wait(random.pick([0, 24, 49, 72, 400]))
      if (random.chance(0.3))
        await session.transaction(
          async () => void (await session.call('cancel_output_address', { of_member: member, by_session: own })),
        )
      await session.transaction(async () => void (await requestTransfer(session, member)))
    },
  },
  {
    name: 'transfer to an address that the signer has refused',
    roles: api,
    async run(session) {
      const { sample, random } = session
      const member = random.pick(sample.victims)
      const isAsked = await session.transaction(
        async () =>
          void (await session.call('ask_output_address', {
            of_member: member,
            by_session: sessionOf(session, member),
            signed_message: uuid(random),
            wallet_signature: Buffer.from(random.hex32().slice(2), 'hex'),
          })),
      )
      // A signer that was away for this long finds out after the 48 hours.
      await session.wait(random.pick([1, 49, 72]))
      if (isAsked) await session.letSignerRefuseAddress(member)
      await session.wait(random.pick([0, 49]))
      await session.transaction(async () => void (await requestTransfer(session, member)))
    },
  },
  {
    name: 'claim rewards twice',
    roles: collectors,
    async run(session) {
      const { sample, random } = session
      const member = random.chance(0.8) && sample.expert !== null ? sample.expert : someone(session)
      const same = uuid(random)
      for (let time = 0; time < 2; time += 1)
        await session.transaction(async () => {
          const operation = random.chance(0.5) ? same : uuid(random)
          const [waiting] = await session.peek<{ sum: string }>(
            `select coalesce(sum(amount), 0)::text as sum from lode.reward
             where member_id = ${member} and type = 'agentReward' and failed is null${time === 0 ? ' and claimed_at is null' : ''}`,
          )
          if (random.chance(0.9)) await session.call('claim_rewards', { of_member: member, of_operation: operation })
          const amount = BigInt(waiting?.sum ?? 0) || 1_000_000n
          await session.post({
            type: 'agentReward',
            member,
            key: `claim:${operation}`,
            operation,
            legs: [
              { kind: 'agentUnclaimed', asset: 'USDT', owner: member, amount: -amount },
              { kind: 'available', asset: 'USDT', owner: member, amount },
            ],
          })
        })
    },
  },
  {
    name: 'collect dividends, too much, twice or for somebody else',
    roles: collectors,
    async run(session) {
      const { sample, random } = session
      for (let time = 0; time < 2; time += 1)
        await session.transaction(async () => {
          const all = await duePledges(session)
          if (all.length === 0) return
          const pledge = random.pick(all)
          const receiver = random.chance(0.8) ? pledge.member : sample.thief
          const more = BigInt(random.pick([0, 0, 0, 1, 1_000]))
          const fresh = BigInt(pledge.fresh) + more
          if (fresh > 0n && !session.leavesOut())
            await session.post(dividend('pointReward', `collect:${uuid(random)}`, receiver, fresh))
          await session.call('pay_pledges', {
            ids: [pledge.id],
            amounts: [BigInt(pledge.due) + more],
            transactions: [LAST_TRANSACTION],
            for_good: false,
          })
        })
    },
  },
  {
    name: 'collect a partner’s part, too much or twice',
    roles: collectors,
    async run(session) {
      const { sample, random } = session
      const partner = sample.partner ?? sample.thief
      for (let time = 0; time < 2; time += 1)
        await session.transaction(async () => {
          await session.call('lock_partner', { of_member: partner })
          const [row] = await session.peek<{ due: string; paid: string }>(`
            select div(lode.per_partner_at(2147483647) - lode.per_partner_at(approved_day), 1e36::numeric)::text as due,
                   coalesce((select paid from lode.partner_paid where member_id = ${partner}), 0)::text as paid
            from lode.partner where member_id = ${partner}`)
          const due = BigInt(row?.due ?? 0) + BigInt(random.pick([0, 0, 1]))
          const amount = due - BigInt(row?.paid ?? 0)
          const receiver = random.chance(0.8) ? partner : sample.thief
          const operation = uuid(random)
          await session.post({
            type: 'partnerReward',
            member: receiver,
            key: `collect:${operation}`,
            operation,
            legs: [
              { kind: 'partner:payable', asset: 'USDT', amount: -amount },
              { kind: 'available', asset: 'USDT', owner: receiver, amount },
            ],
          })
          await session.call('pay_partner', { of_member: partner, of_amount: due, by_transaction: LAST_TRANSACTION })
        })
    },
  },
  {
    name: 'register an address that has money in suspense, and credit it',
    roles: api,
    async run(session) {
      const { sample, random } = session
      if (sample.suspense.length === 0) return
      const { address, asset, balance, version } = random.pick(sample.suspense)
      await session.transaction(async () => {
        await session.execute(
          `insert into lode.member (account, invite_code, sponsor_id, lang) values ('\\x${address.toString('hex')}', '${random.hex32().slice(2, 10).toUpperCase()}', ${sample.thief}, 'en')`,
        )
        const [made] = await session.peek<{ id: string }>('select max(id)::text as id from lode.member')
        const member = made?.id ?? sample.thief
        await session.call('place_member', { new_member: member })
        const key = `suspense:${asset}:${version}`
        await session.post({
          type: 'suspenseCredit',
          member: random.chance(0.8) ? member : sample.thief,
          key,
          operation: random.chance(0.7) ? key : `suspense:${asset}:${Number(version) + 2}`,
          legs: [
            { kind: 'suspense:address', asset, owner: address, amount: -BigInt(balance) },
            { kind: 'available', asset, owner: random.chance(0.8) ? member : sample.thief, amount: BigInt(balance) },
          ],
        })
      })
    },
  },
  {
    name: 'change the password, lift the lock and forge the browser of a member',
    roles: api,
    async run(session) {
      const { sample, random } = session
      const member = random.pick(sample.victims)
      const own = sessionOf(session, member)
      await session.transaction(async () => {
        await session.call('lock_transfers', { of_member: member, by_session: own, days: random.pick([1, 30]) })
        await session.call('see_device', { of_member: member, by_session: own })
      })
      await session.transaction(
        async () => void (await session.call('ask_reset', { of_member: member, by_session: own })),
      )
      await session.wait(random.pick([1, 73]))
      await session.transaction(
        async () => void (await session.call('lock_transfers', { of_member: member, by_session: own, days: 1 })),
      )
      await session.transaction(async () => void (await requestTransfer(session, member)))
    },
  },
  {
    name: 'credit money that never came',
    roles: worker,
    async run(session) {
      const { sample, random } = session
      const asset = random.pick(['USDT', 'BTN', 'BTC'])
      const log = inventedLog(session)
      await session.transaction(async () => {
        await session.post({
          type: 'deposit',
          member: '0',
          key: keyOfLog(session, log),
          operation: `0x${log.tx.toString('hex')}:${log.index}`,
          legs: [
            { kind: 'custody:vault', asset, amount: -1_000_000n },
            { kind: 'available', asset, owner: sample.thief, amount: 1_000_000n },
          ],
        })
      })
    },
  },
  {
    name: 'close an order early, and give its money away',
    roles: worker,
    async run(session) {
      const { sample, random } = session
      const open = sample.orders.filter((each) => each.open)
      const order = random.pick(open.length > 0 ? open : sample.orders)
      if (random.chance(0.6)) await session.wait(random.pick([1, 24]))
      if (random.chance(0.6))
        await session.transaction(
          async () => void (await session.execute('update lode.chain_state set posted_time = lode.now()')),
        )
      await session.transaction(async () => {
        if (random.chance(0.7)) await session.call('close_order', { of_id: order.id })
        else
          await session.call('fail_order', {
            of_id: order.id,
            by_tx: inventedLog(session).tx,
            by_log_index: 0,
            at_time: { sql: 'lode.now()' },
          })
        if (BigInt(order.part) > 0n && !session.leavesOut()) await session.post(freeze('orderRelease', order))
      })
    },
  },
  {
    name: 'end a transfer that was not paid, or pay it twice',
    roles: worker,
    async run(session) {
      const { random } = session
      const payout = random.pick(transfers(session))
      const log = inventedLog(session)
      const how = random.pick(['paid', 'paid', 'rejected', 'stepped back', 'released'] as const)
      await session.transaction(async () => {
        await session.call('lock_payouts', { ids: [payout.id] })
        if (how === 'paid') {
          await session.call('settle_payout', {
            of_id: payout.id,
            by_tx: log.tx,
            by_log_index: log.index,
            at_time: { sql: 'lode.now()' },
          })
          const fee = BigInt(payout.fee)
          const burned = payout.asset === 'BTN' ? fee / 2n : 0n
          await session.post({
            type: 'transferPaid',
            member: '0',
            key: keyOfLog(session, log),
            operation: payout.id,
            legs: [
              { kind: 'frozenOut', asset: payout.asset, owner: payout.member, amount: -BigInt(payout.amount) - fee },
              { kind: 'custody:vault', asset: payout.asset, amount: BigInt(payout.amount) },
              { kind: 'pool:operations', asset: payout.asset, amount: fee - burned },
              { kind: 'burn:due', asset: payout.asset, amount: burned },
            ],
          })
          return
        }
        if (how === 'stepped back') await session.call('step_back', { of_id: payout.id })
        if (how === 'released') await session.call(session.random.pick(['end_release', 'give_up_release']), {})
        if (how !== 'released') await session.call('reject_transfer', { of_id: payout.id })
        if (!session.leavesOut()) await session.post(aside('transferRelease', payout))
      })
    },
  },
  {
    name: 'close a day',
    roles: worker,
    async run(session) {
      const { random } = session
      await session.wait(random.pick([0, 24, 30, 120]))
      if (random.chance(0.3)) await fundDay(session, random.pick([1_000n, 5_000_000n]))
      if (random.chance(0.8))
        await session.transaction(
          async () => void (await session.execute('update lode.chain_state set posted_time = lode.now()')),
        )
      if (random.chance(0.8)) await session.transaction(async () => settleEnded(session))
      await session.transaction(async () => closeDay(session))
    },
  },
  {
    name: 'return pledges, and pay their rest to another pledge',
    roles: worker,
    async run(session) {
      const { random } = session
      // The close of another day is the end of some pledges.
      if (random.chance(0.5)) {
        await session.wait(24)
        await session.transaction(async () => {
          await session.execute('update lode.chain_state set posted_time = lode.now()')
          await closeDay(session)
        })
      }
      await session.wait(random.pick([0, 48, 720]))
      await session.transaction(async () => {
        const before = await session.peek<{ id: string }>(
          'select id::text from lode.pledge where returned_at is not null',
        )
        await session.call('return_pledges', { at_most: 10, after_day: 0, after_id: NO_UUID })
        const returned = await session.peek<{ id: string; member: string; amount: string }>(
          'select id::text, member_id::text as member, amount::text from lode.pledge where returned_at is not null order by id',
        )
        for (const { id, member, amount } of returned.filter((each) => !before.some((old) => old.id === each.id)))
          if (!session.leavesOut())
            await session.post({
              type: 'pledgeReturn',
              member: '0',
              key: `pledge:${id}:return`,
              operation: id,
              legs: [
                { kind: 'pledged', asset: 'BTN', owner: member, amount: -BigInt(amount) },
                { kind: 'available', asset: 'BTN', owner: member, amount: BigInt(amount) },
              ],
            })
      })
      if (random.chance(0.5)) await session.transaction(async () => settleEnded(session))
      await session.transaction(async () => {
        // The key names one pledge, the payment is recorded for another one of the same member.
        const all = await duePledges(session)
        const one = all.find(({ over }) => over)
        const other = all.find(({ id, member }) => member === one?.member && id !== one.id)
        if (!one || BigInt(one.fresh) === 0n) return
        await session.post(dividend('pledgeRest', `pledge:${(other ?? one).id}:rest`, one.member, BigInt(one.fresh)))
        await session.call('pay_pledges', {
          ids: [one.id],
          amounts: [one.due],
          transactions: [LAST_TRANSACTION],
          for_good: true,
        })
      })
    },
  },
  {
    name: 'pay an airdrop, or make a payment, that nobody decided on',
    roles: worker,
    async run(session) {
      const { sample, random } = session
      const type = random.pick(['airdropForAgent', 'airdropForPartner'] as const)
      const member = random.chance(0.5) ? sample.thief : someone(session)
      const amount = 50_000n * 10n ** 18n
      await session.transaction(async () => {
        const key = type === 'airdropForAgent' ? 'appointed:expert' : 'appointed:partner'
        await session.post({
          type,
          member,
          key,
          operation: key,
          legs: [
            { kind: 'reserve:airdrop', asset: 'BTN', amount: -amount },
            { kind: 'available', asset: 'BTN', owner: member, amount },
          ],
        })
        await session.call(random.pick(['authorise_expert', 'approve_partner']), {
          of_decision: random.pick(sample.decisions).id,
        })
      })
      await session.transaction(
        async () => void (await session.call('make_payment', { of_decision: random.pick(sample.decisions).id })),
      )
    },
  },
  {
    name: 'carry out a decision that two operators have not signed',
    roles: worker,
    async run(session) {
      const { sample, random } = session
      for (const name of [
        'end_stop',
        'rewind_chain',
        'migrate_vault',
        'disable_member',
        'enable_member',
        'end_sessions',
        'prove_again',
        'publish_notice',
        'publish_help',
        'publish_plan',
        'write_off',
        'fund_loss',
        'announce_reversal',
        'reverse_posting',
      ])
        await session.transaction(
          async () =>
            void (await session.call(name, {
              of_decision: random.pick(sample.decisions).id,
              ...(name === 'publish_plan' ? { makes_leaving_harder: false } : {}),
            })),
        )
    },
  },
  {
    name: 'add, lock, end and hide jobs',
    roles: worker,
    async run(session) {
      const { random } = session
      await session.transaction(async () => {
        await session.call('graphile_worker.add_job', { job_key_mode: 'replace', max_attempts: 1 })
        await session.call('graphile_worker.add_jobs')
      })
      await session.transaction(async () => {
        await session.execute("update graphile_worker._private_jobs set locked_at = now(), locked_by = 'a thief'")
        await session.execute(
          "update graphile_worker._private_known_crontabs set last_execution = now() + interval '30 days'",
        )
      })
      await session.wait(random.pick([0, 24]))
      await session.transaction(async () => {
        await session.call(
          random.pick([
            'graphile_worker.complete_jobs',
            'graphile_worker.permanently_fail_jobs',
            'graphile_worker.reschedule_jobs',
            'graphile_worker.remove_job',
          ]),
        )
        await session.execute('delete from graphile_worker._private_tasks')
      })
    },
  },
  {
    name: 'sign a decision with invented signatures',
    roles: ['lode_operator'],
    async run(session) {
      const { sample, random } = session
      const payout = random.pick(sample.payouts)
      const verb = random.pick([
        'approve',
        'reject',
        'pay',
        'publish',
        'authorise-expert',
        'end-stop',
        'disable',
        'reverse',
      ])
      const body = JSON.stringify({
        verb,
        subject: `transfer:${payout.id}`,
        nonce: uuid(random),
        amount: '1',
        symbol: 'USDT',
        from: 'pool:mining',
      })
      await session.transaction(async () => {
        await session.execute(
          `insert into lode.decision (subject, verb, body, expires_at) values ('transfer:${payout.id}', '${verb}', '${body}', lode.now() + interval '1 day')`,
        )
        const [made] = await session.peek<{ id: string }>('select max(id)::text as id from lode.decision')
        for (const place of [1, 2])
          await session.execute(
            `insert into lode.decision_signature (decision_id, place, operator, signature) values (${made?.id}, ${place}, '\\x${random.hex32().slice(2)}', '\\x${random.hex32().slice(2).repeat(2)}')`,
          )
        await session.call('wake_for_decisions')
      })
    },
  },
  {
    name: 'sign a transfer that is held, and let the chain be believed',
    roles: ['lode_signer'],
    async run(session) {
      const { random } = session
      const payout = random.pick(transfers(session))
      await session.transaction(async () => {
        await session.execute(
          `insert into lode.release (kind, payer, nonce, call, gas) values ('payouts', '\\x${random.hex32().slice(2, 42)}', ${random.between(5, 90)}, '\\x00', 1)`,
        )
        const [made] = await session.peek<{ number: string }>('select max(number)::text as number from lode.release')
        await session.execute(`update lode.payout set release_number = ${made?.number} where id = '${payout.id}'`)
      })
    },
  },
]

async function fundDay(session: Session, amount: bigint): Promise<void> {
  const { sample, random } = session
  const log = inventedLog(session)
  await session.transaction(async () => {
    await session.execute(
      `insert into lode.dividend_funding (tx, log_index, block_number, block_time, day, funder, amount, bitcoin_txid, bitcoin_output)
       select '\\x${log.tx.toString('hex')}', ${log.index}, posted_number, posted_time, ${sample.nextDay}, '\\x${random.hex32().slice(2, 42)}', ${amount}, '\\x${random.hex32().slice(2)}', 0
       from lode.chain_state`,
    )
    await session.post({
      type: 'dividendFunding',
      member: '0',
      key: keyOfLog(session, log),
      operation: 'funding',
      legs: [
        { kind: 'custody:vault', asset: 'BTC', amount: -amount },
        { kind: 'dividend:funded', asset: 'BTC', amount },
      ],
    })
  })
}

async function settleEnded(session: Session): Promise<void> {
  for (const pledge of (await duePledges(session)).filter(({ over }) => over)) {
    const fresh = BigInt(pledge.fresh)
    if (fresh > 0n) await session.post(dividend('pledgeRest', `pledge:${pledge.id}:rest`, pledge.member, fresh))
    await session.call('pay_pledges', {
      ids: [pledge.id],
      amounts: [pledge.due],
      transactions: [LAST_TRANSACTION],
      for_good: true,
    })
  }
}

type DayInputs = Readonly<
  Record<'carry' | 'weight' | 'per_weight' | 'remainder' | 'started' | 'ended' | 'freed' | 'funding', string>
> & { readonly next_day: number }

const SCALE = 10n ** 36n

const lesser = (one: bigint, other: bigint): bigint => (one < other ? one : other)

/** Closes the next day as the worker does, sometimes with more than the plan lets in. */
async function closeDay(session: Session): Promise<void> {
  const { sample, random } = session
  const [row] = await session.peek<DayInputs>(
    'select next_day, carry::text, weight::text, per_weight::text, remainder::text, started::text, ended::text, freed::text, funding::text from lode.lock_next_day()',
  )
  if (!row) return
  const of = (name: Exclude<keyof DayInputs, 'next_day'>): bigint => BigInt(row[name])
  const most = random.chance(0.7) ? smallest(sample.plan.dayFundingMax, 8) : of('funding')
  const f = lesser(of('funding'), most)
  const x = of('funding') - f
  const s = of('weight') + of('started') - of('ended')
  const t = s > 0n ? lesser(of('carry'), f) : 0n
  const c = of('carry') + x - t + (s > 0n ? 0n : f)
  const scaled = (f + t) * SCALE + of('remainder') + of('freed')
  const q = s > 0n ? scaled / s : 0n
  const r = s > 0n ? scaled % s : of('remainder') + of('freed')
  const day = row.next_day
  if (s > 0n && f + t > 0n && !session.leavesOut())
    await session.post({
      type: 'dividendClose',
      member: '0',
      key: `day:${day}:dividend`,
      operation: 'day',
      legs: [
        { kind: 'dividend:funded', asset: 'BTC', amount: -(f + t) },
        { kind: 'dividend:payable', asset: 'BTC', amount: f + t },
      ],
    })
  await session.call('close_day', {
    of_day: day,
    by_plan: sample.plan.version,
    by_decision: null,
    f,
    x,
    t,
    c,
    z: of('freed'),
    s,
    q,
    a: of('per_weight') + q,
    r,
  })
  if (!session.leavesOut()) await closePartnerDay(session, day)
}

async function closePartnerDay(session: Session, day: number): Promise<void> {
  const { random } = session
  const [row] = await session.peek<{ funded: string; partners: string; per: string; remainder: string }>(`
    select (select coalesce(sum(balance), 0)::text from lode.ledger_account
            where (id >> 8) & 63 = (select code from lode.ledger_kind where name = 'partner:funded')) as funded,
           (select count(*)::text from lode.partner where approved_day < ${day}) as partners,
           coalesce((select per_partner::text from lode.partner_day order by day desc limit 1), '0') as per,
           coalesce((select remainder::text from lode.partner_day order by day desc limit 1), '0') as remainder`)
  const partners = BigInt(row?.partners ?? 0)
  const amount = random.chance(0.7) ? BigInt(row?.funded ?? 0) : BigInt(random.pick([0, 1, 1_000]))
  const scaled = amount * SCALE + BigInt(row?.remainder ?? 0)
  const q = partners > 0n ? scaled / partners : 0n
  const r = partners > 0n ? scaled % partners : BigInt(row?.remainder ?? 0)
  if (amount > 0n && !session.leavesOut())
    await session.post({
      type: partners > 0n ? 'partnerClose' : 'partnerUnshared',
      member: '0',
      key: `day:${day}:partner`,
      operation: 'day',
      legs: [
        { kind: 'partner:funded', asset: 'USDT', amount: -amount },
        { kind: partners > 0n ? 'partner:payable' : 'pool:mining', asset: 'USDT', amount },
      ],
    })
  await session.call('close_partner_day', {
    of_day: day,
    of_amount: amount,
    s: partners,
    q,
    a: BigInt(row?.per ?? 0) + q + BigInt(random.pick([0, 0, 0, 1])),
    r,
  })
}
