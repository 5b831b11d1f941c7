import { type Asset, larger, least, units } from '@lode/kernel'
import fc from 'fast-check'
import type { Address } from 'viem'
import { type KindName, kinds, type LogType, type TypeName, types } from '../chart.ts'
import type { Transaction } from '../transaction.ts'
import type { Model, ModelLine } from './model.ts'

/** Drawn before the run, so that fast-check can shrink it. The actual batch also depends on the state of the ledger. */
export type BatchDraw = {
  readonly role: 'api' | 'worker'
  readonly together: boolean
  /** Draws any type, account kind and role, also forbidden ones. */
  readonly includesForbidden: boolean
  readonly transactions: readonly (readonly number[])[]
}

const oneIn = (odds: number): fc.Arbitrary<boolean> => fc.nat(odds - 1).map((roll) => roll === 0)

export const arbitraryDraws = (length: number): fc.Arbitrary<BatchDraw[]> =>
  fc.array(
    fc.record({
      role: fc.constantFrom('api', 'worker', 'worker'),
      together: oneIn(6),
      includesForbidden: oneIn(12),
      transactions: fc.array(fc.array(fc.nat(), { minLength: 20, maxLength: 20 }), { minLength: 1, maxLength: 4 }),
    }),
    { minLength: length, maxLength: length },
  )

type BatchContext = {
  readonly members: readonly bigint[]
  readonly addresses: readonly Address[]
  readonly model: Model
}
type Side = 'debits' | 'credits'

/** A batch of transactions: most are valid; some lack money, some are repeated, some are forbidden. */
export function buildBatch({ role, includesForbidden, transactions }: BatchDraw, world: BatchContext): Transaction[] {
  const known = Object.keys(types) as TypeName[]
  const choices = includesForbidden
    ? known
    : known.filter((type) => (types[type].roles as readonly string[]).includes(role))
  return transactions.map((numbers) => {
    const picks = new Picker(numbers)
    const able = choices.filter((type) =>
      world.members.some((member) => affordableSources(type, member, world).length > 0),
    )
    const type = picks.from(able.length > 0 && picks.below(8) > 0 ? able : choices)
    return buildTransaction(type, includesForbidden, picks, world)
  })
}

function buildTransaction(type: TypeName, wild: boolean, picks: Picker, world: BatchContext): Transaction {
  const rule = types[type]
  const before = world.model.transactions
  if (before.length > 0 && picks.below(12) === 0) return picks.from(before)
  // Usually a member who has enough money.
  const able = world.members.filter((each) => affordableSources(type, each, world).length > 0)
  const member = picks.from(able.length > 0 && picks.below(5) > 0 ? able : world.members)
  const system = { key: `${rule.keys}:${picks.below(400)}` }
  const keyed = rule.keys === 'member' ? { member, key: `key:${picks.below(400)}` } : system
  if (!wild && rule.undoes !== null) {
    const done = world.model.transactions.filter((transaction) => transaction.type === rule.undoes)
    if (done.length > 0) return buildUndo(type, picks.from(done))
  }
  if (!wild) {
    const line = pickOpenLine(type, picks, world.model)
    if (line) {
      const owner = rule.keys === 'member' ? { ...keyed, member: line.member } : keyed
      return { ...owner, type, moves: buildEndingMoves(type, line, picks, world) } as Transaction
    }
  }
  // Several moves under one line only if the line may have them.
  const length = rule.phase === 'confirming' ? 1 : 1 + picks.below(3)
  const moves = Array.from({ length }, () => randomMove(type, wild, member, picks, world))
  return { ...keyed, type, moves } as Transaction
}

function buildUndo(type: TypeName, done: Transaction): Transaction {
  const moves = done.moves.map(({ asset, amount, from, to }) => ({ asset, amount, from: to, to: from }))
  return { type, key: `${done.key}:undone`, moves } as unknown as Transaction
}

const frozenKindOf = (line: ModelLine): KindName => (line.type === 'transferOut' ? 'frozenOut' : 'frozenOrder')

function pickOpenLine(type: TypeName, picks: Picker, model: Model): ModelLine | undefined {
  const logs: readonly LogType[] = types[type].logs
  const open = model.lines.filter(
    (line) =>
      line.phase === 'confirming' &&
      logs.includes(line.type) &&
      kindsOf(type, 'debits', line.asset).includes(frozenKindOf(line)) &&
      kindsOf(type, 'credits', line.asset).length > 0,
  )
  return open.length > 0 ? picks.from(open) : undefined
}

function buildEndingMoves(type: TypeName, line: ModelLine, picks: Picker, world: BatchContext): unknown[] {
  const from = { kind: frozenKindOf(line), member: line.member, line: { type: line.type, operation: line.operation } }
  const whole = -line.change
  if (types[type].phase === 'canceled')
    return [{ asset: line.asset, amount: units(line.asset, whole), from, to: { ...from, kind: 'available' } }]
  const part = whole / 3n
  return [whole - part, part]
    .filter((amount) => amount > 0n)
    .map((amount) => {
      const kind = picks.from(kindsOf(type, 'credits', line.asset))
      return {
        asset: line.asset,
        amount: units(line.asset, amount),
        from,
        to: buildAccount(type, kind, line.member, picks, world),
      }
    })
}

type Source = { readonly asset: Asset; readonly kind: KindName; readonly most: bigint }

const ASSETS = ['USDT', 'BTN', 'BTC'] as const
const LARGEST_MOVE = 60n
const LARGEST_INCOME = 500n

/** The sources from which this type can debit, of this member or the system, without being insufficient. */
const affordableSources = (type: TypeName, member: bigint, { model, addresses }: BatchContext): Source[] =>
  ASSETS.filter((asset) => canMove(type, asset)).flatMap((asset) =>
    kindsOf(type, 'debits', asset).flatMap((kind): Source[] => {
      if (!kinds[kind].floored) return [{ asset, kind, most: LARGEST_INCOME }]
      const holders = { member: [member], system: [0n], suspense: addresses.map((address) => address.toLowerCase()) }
      const most = holders[kinds[kind].holder].map((holder) => model.balance(kind, holder, asset)).reduce(larger)
      return most > 0n ? [{ asset, kind, most: least(most, LARGEST_MOVE) }] : []
    }),
  )

function randomMove(type: TypeName, wild: boolean, member: bigint, picks: Picker, world: BatchContext): unknown {
  const able = affordableSources(type, member, world)
  const source = !wild && able.length > 0 && picks.below(6) > 0 ? picks.from(able) : anySource(type, wild, picks)
  const { asset, kind } = source
  const everyKind = Object.keys(kinds) as KindName[]
  const targets = everyKind.filter((each) => (kinds[each].assets as readonly Asset[]).includes(asset))
  const to = picks.from(wild ? targets : kindsOf(type, 'credits', asset))
  const amount = 1n + BigInt(picks.below(Number(source.most)))
  // Both sides of a freeze are under one line.
  const operation = `op:${picks.below(300)}`
  const ends = [
    buildAccount(type, kind, member, picks, world, operation),
    buildAccount(type, to, member, picks, world, operation),
  ]
  return { asset, amount: units(asset, amount), from: ends[0], to: ends[1] }
}

function anySource(type: TypeName, wild: boolean, picks: Picker): Source {
  const asset = picks.from(ASSETS.filter((each) => wild || canMove(type, each)))
  const all = (Object.keys(kinds) as KindName[]).filter((kind) =>
    (kinds[kind].assets as readonly Asset[]).includes(asset),
  )
  return { asset, kind: picks.from(wild ? all : kindsOf(type, 'debits', asset)), most: LARGEST_MOVE }
}

const kindsOf = (type: TypeName, side: Side, asset: Asset): KindName[] =>
  types[type][side].filter((kind) => (kinds[kind].assets as readonly Asset[]).includes(asset))

const canMove = (type: TypeName, asset: Asset): boolean =>
  kindsOf(type, 'debits', asset).length > 0 && kindsOf(type, 'credits', asset).length > 0

function buildAccount(
  type: TypeName,
  kind: KindName,
  member: bigint,
  picks: Picker,
  world: BatchContext,
  operation?: string,
): unknown {
  const { holder, log } = kinds[kind]
  if (holder === 'system') return kind
  if (holder === 'suspense') {
    const own = world.addresses[world.members.indexOf(member)]
    return { kind, address: own && picks.below(3) > 0 ? own : picks.from(world.addresses) }
  }
  // In one of 40 cases, an account of another member.
  const whose = picks.below(40) === 0 ? picks.from(world.members) : member
  if (log === null) return { kind, member: whose }
  const logs = types[type].logs.filter(
    (each) => types[type].phase !== 'confirmed' || !['upLevelByBalance', 'createPledge'].includes(each),
  )
  const fee = log === 'available' && types[type].phase === 'confirming' && picks.below(4) === 0 ? { fee: 1n } : {}
  const line = {
    type: picks.from(logs.length > 0 ? logs : (['transferIn'] as const)),
    operation: operation ?? `op:${picks.below(300)}`,
  }
  return { kind, member: whose, line: { ...line, ...fee } }
}

class Picker {
  readonly #numbers: readonly number[]
  #next = 0

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers
  }

  below(bound: number): number {
    const number = this.#numbers[this.#next % this.#numbers.length] ?? 0
    this.#next += 1
    // When the numbers run out they are used again; the offset makes the later choices differ.
    return Math.floor((number + Math.floor(this.#next / this.#numbers.length) * 7_919) % bound)
  }

  from<T>(choices: readonly T[]): T {
    const choice = choices[this.below(choices.length)]
    if (choice === undefined) throw new Error('nothing to choose from')
    return choice
  }
}
