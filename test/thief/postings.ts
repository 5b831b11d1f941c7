import type { Random } from '../sim/random.ts'
import { amount, bytes, chainKey, key, member } from './arguments.ts'
import { literal } from './literal.ts'
import type { Sample, TypeRule } from './sample.ts'

/** One change of one account. `owner` is a member, or the address of an account in suspense. */
export type Leg = {
  readonly kind: string
  readonly asset: string
  readonly owner?: string | Buffer
  readonly amount: bigint
  /** The type of the log line, as its position in the list of the transaction's type. */
  readonly log?: number
}

export type Posting = {
  readonly type: string
  readonly member: string
  readonly key: string
  readonly legs: readonly Leg[]
  /** The name of the log lines. */
  readonly operation: string
}

/** The call of lode.post for these transactions. */
export function postStatement(random: Random, sample: Sample, postings: readonly Posting[]): string {
  const accounts: { number: bigint; address: Buffer | null }[] = []
  const lines: { type: number; operation: string; name: string }[] = []
  const legs: { transaction: number; account: number; amount: bigint; line: number }[] = []
  postings.forEach((posting, place) => {
    const rule = ruleOf(sample, posting.type)
    for (const leg of posting.legs.filter((each) => each.amount !== 0n)) {
      const kind = kindOf(sample, leg.kind)
      const asset = sample.assets.find(({ name }) => name === leg.asset)?.code ?? 0
      const address = Buffer.isBuffer(leg.owner) ? leg.owner : null
      const owner = address || leg.owner === undefined ? 0n : BigInt(String(leg.owner))
      const number = (owner << 14n) + BigInt((kind.code << 8) + (asset << 6))
      let account = accounts.findIndex((each) => each.number === number && each.address === address)
      if (account < 0) account = accounts.push({ number, address }) - 1
      let line = 0
      if (kind.isLogged) {
        const type = rule.logs[leg.log ?? 0] ?? 1
        const name = `${place} ${owner} ${asset} ${type}`
        const found = lines.findIndex((each) => each.name === name)
        line = found >= 0 ? found + 1 : lines.push({ type, operation: posting.operation, name })
      }
      legs.push({ transaction: place + 1, account: account + 1, amount: leg.amount, line })
    }
  })
  const hasAddress = accounts.some(({ address }) => address !== null)
  const given: readonly [string, string][] = [
    [
      'accounts',
      literal(
        accounts.map(({ number }) => number),
        'bigint[]',
      ),
    ],
    [
      'addresses',
      hasAddress
        ? literal(
            accounts.map(({ address }) => address),
            'bytea[]',
          )
        : 'null',
    ],
    [
      'members',
      literal(
        postings.map((each) => each.member),
        'bigint[]',
      ),
    ],
    [
      'keys',
      literal(
        postings.map((each) => each.key),
        'text[]',
      ),
    ],
    [
      'hashes',
      literal(
        postings.map(() => bytes(random, 32)),
        'bytea[]',
      ),
    ],
    [
      'types',
      literal(
        postings.map(({ type }) => ruleOf(sample, type).code),
        'smallint[]',
      ),
    ],
    [
      'leg_transactions',
      literal(
        legs.map(({ transaction }) => transaction),
        'int[]',
      ),
    ],
    [
      'leg_accounts',
      literal(
        legs.map(({ account }) => account),
        'int[]',
      ),
    ],
    [
      'leg_amounts',
      literal(
        legs.map((each) => each.amount),
        'numeric[]',
      ),
    ],
    [
      'leg_lines',
      literal(
        legs.map(({ line }) => line),
        'int[]',
      ),
    ],
    [
      'line_types',
      literal(
        lines.map(({ type }) => type),
        'smallint[]',
      ),
    ],
    [
      'line_operations',
      literal(
        lines.map(({ operation }) => operation),
        'text[]',
      ),
    ],
    [
      'line_fees',
      literal(
        lines.map(() => 0),
        'numeric[]',
      ),
    ],
    ['together', 'false'],
  ]
  return `select lode.post(${given.map(([name, value]) => `${name} => ${value}`).join(', ')}) as answer`
}

const ruleOf = (sample: Sample, type: string): TypeRule => {
  const rule = sample.types.find(({ name }) => name === type)
  if (!rule) throw new Error(`there is no type ${type}`)
  return rule
}

const kindOf = (sample: Sample, name: string) => {
  const kind = sample.kinds.find((each) => each.name === name)
  if (!kind) throw new Error(`there is no kind ${name}`)
  return kind
}

const positive = (random: Random, sample: Sample): bigint => {
  const drawn = String(amount(random, sample, 'numeric'))
  return /^[1-9][0-9]{0,37}$/.test(drawn) ? BigInt(drawn) : 1n
}

/** A balanced transaction of any type, mostly one that the role may post, with a key of something that exists or not. */
export function drawPosting(random: Random, sample: Sample, role: string): Posting {
  const allowed = sample.types.filter(({ roles }) => roles.includes(role))
  const rule = random.pick(random.chance(0.95) && allowed.length > 0 ? allowed : sample.types)
  const own = String(member(random, sample, 'bigint'))
  const other = random.chance(0.5) ? sample.thief : own
  const debit = sample.kinds.find(({ code }) => code === random.pick(rule.debits)) ?? random.pick(sample.kinds)
  const asset = random.pick(debit.assets)
  const credits = sample.kinds.filter(({ code, assets }) => rule.credits.includes(code) && assets.includes(asset))
  const credit = credits.length > 0 ? random.pick(credits) : debit
  const held = sample.balances.filter((each) => each.member === own && each.kind === debit.code && each.asset === asset)
  const moved = held.length > 0 && random.chance(0.5) ? BigInt(random.pick(held).balance) : positive(random, sample)
  const assetName = sample.assets.find(({ code }) => code === asset)?.name ?? 'USDT'
  const isOfMember = rule.keySpace === 'member'
  const drawnKey = rule.keySpace === 'chain' ? chainKey(random, sample) : String(key(random, sample, 'text'))
  return {
    type: rule.name,
    member: isOfMember ? own : '0',
    key: random.chance(0.9) || drawnKey.startsWith(`${rule.keySpace}:`) ? drawnKey : `${rule.keySpace}:${drawnKey}`,
    operation: /:([0-9a-f-]{36})/.exec(drawnKey)?.[1] ?? drawnKey,
    legs: [
      { kind: debit.name, asset: assetName, ...ownerOf(random, sample, debit.holder, own), amount: -moved },
      { kind: credit.name, asset: assetName, ...ownerOf(random, sample, credit.holder, other), amount: moved },
    ],
  }
}

const ownerOf = (random: Random, sample: Sample, holder: string, owner: string): { owner?: string | Buffer } => {
  if (holder === 'system') return {}
  if (holder === 'member') return { owner }
  return { owner: sample.suspense.length > 0 ? random.pick(sample.suspense).address : bytes(random, 20) }
}

/** A small wrong change of a right transaction: another receiver, another amount, another key, type or member. */
export function mutatePosting(random: Random, sample: Sample, posting: Posting): Posting {
  const { legs } = posting
  const place = random.between(0, legs.length - 1)
  const change = (at: number, changed: (leg: Leg) => Leg): Leg[] =>
    legs.map((leg, index) => (index === at ? changed(leg) : leg))
  switch (
    random.pick([
      'receiver',
      'receiver',
      'receiver',
      'amount',
      'amount',
      'key',
      'type',
      'member',
      'name',
      'line',
    ] as const)
  ) {
    case 'receiver': {
      const receivers = legs.flatMap((leg, index) => (leg.amount > 0n && typeof leg.owner === 'string' ? [index] : []))
      if (receivers.length > 0)
        return { ...posting, legs: change(random.pick(receivers), (leg) => ({ ...leg, owner: sample.thief })) }
      // A part of the system's share goes to the thief.
      const share = legs.find((leg) => leg.amount > 1n && leg.owner === undefined)
      if (!share) return posting
      const part = share.amount / 2n
      const reduced = legs.map((leg) => (leg === share ? { ...leg, amount: leg.amount - part } : leg))
      return {
        ...posting,
        legs: [...reduced, { kind: 'available', asset: share.asset, owner: sample.thief, amount: part, log: 1 }],
      }
    }
    case 'amount': {
      const other = legs.findIndex((leg, index) => index !== place && leg.asset === legs[place]?.asset)
      const by = random.pick([1n, -1n, 1_000_000n, positive(random, sample)])
      if (other < 0) return posting
      return {
        ...posting,
        legs: legs.map((leg, at) => ({
          ...leg,
          amount: at === place ? leg.amount + by : at === other ? leg.amount - by : leg.amount,
        })),
      }
    }
    case 'key':
      return { ...posting, key: String(key(random, sample, 'text')) }
    case 'type':
      return { ...posting, type: random.pick(sample.types).name }
    case 'member':
      return { ...posting, member: String(member(random, sample, 'bigint')) }
    case 'name': {
      const ids = [...sample.payouts, ...sample.orders].map(({ id }) => id)
      return { ...posting, operation: random.chance(0.5) ? random.pick(ids) : String(key(random, sample, 'text')) }
    }
    case 'line':
      return { ...posting, legs: legs.map((leg) => ({ ...leg, log: 1 - (leg.log ?? 0) })) }
  }
}
