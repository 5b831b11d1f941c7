import { createHash } from 'node:crypto'
import type { Asset } from '@lode/kernel'
import { type KindName, kinds, type LogPhase, type LogType, type TypeName, types } from '../chart.ts'
import type { Outcome, Transaction } from '../transaction.ts'

/**
 * A simple model of the ledger in memory, written independently of lode.post. Tests compare the two. The model has no
 * stripes, versions, locks or numbers.
 */
export type ModelLine = {
  readonly member: bigint
  readonly asset: Asset
  readonly type: LogType
  readonly operation: string
  readonly change: bigint
  readonly fee: bigint
  phase: LogPhase
}

type State = {
  readonly balances: Map<string, bigint>
  readonly keys: Map<string, { hash: string; transaction: Transaction }>
  readonly lines: Map<string, ModelLine>
}

type Leg = {
  readonly kind: KindName
  readonly holder: string
  readonly asset: Asset
  readonly amount: bigint
  readonly line: { readonly type: LogType; readonly operation: string; readonly fee?: bigint } | null
}

/** Stands for the exception that the database raises on a request that no correct caller makes. */
export class ModelRefusal extends Error {}

export class Model {
  readonly #addresses: ReadonlyMap<bigint, string>
  /** The lines that the current batch begins. */
  readonly #begun = new Set<string>()
  #state: State = { balances: new Map(), keys: new Map(), lines: new Map() }

  /** `addresses`: the registered address of each member. */
  constructor(addresses: ReadonlyMap<bigint, string>) {
    this.#addresses = addresses
  }

  get balances(): ReadonlyMap<string, bigint> {
    return this.#state.balances
  }

  get lines(): readonly ModelLine[] {
    return Array.from(this.#state.lines.values())
  }

  get transactions(): readonly Transaction[] {
    return Array.from(this.#state.keys.values(), ({ transaction }) => transaction)
  }

  balance(kind: KindName, holder: bigint | string, asset: Asset): bigint {
    return this.#state.balances.get(`${kind} ${holder} ${asset}`) ?? 0n
  }

  post(role: 'api' | 'worker', batch: readonly Transaction[], together: boolean): Outcome['outcome'][] {
    const before = copyOf(this.#state)
    try {
      this.#begun.clear()
      const outcomes = batch.map((transaction) => this.#postOne(role, transaction))
      if (together && outcomes.some((outcome) => outcome === 'insufficient' || outcome === 'conflict')) {
        this.#state = before
        return outcomes.map((outcome) => (outcome === 'posted' ? 'undone' : outcome))
      }
      // The database finds lines of earlier batches by its unique index, at the insert at the end of the batch.
      if (Array.from(this.#begun).some((name) => before.lines.has(name))) throw new ModelRefusal('line exists')
      return outcomes
    } catch (error) {
      this.#state = before
      throw error
    }
  }

  #postOne(role: 'api' | 'worker', transaction: Transaction): Outcome['outcome'] {
    const rule = types[transaction.type]
    if (!(rule.roles as readonly string[]).includes(role)) throw new ModelRefusal('role')
    const member = 'member' in transaction ? transaction.member : 0n
    if (rule.keys === 'member' ? member <= 0n : !transaction.key.startsWith(`${rule.keys}:`))
      throw new ModelRefusal('key')

    const hash = hashOf(transaction)
    const spent = this.#state.keys.get(`${member} ${transaction.key}`)
    if (spent) return spent.hash === hash ? 'repeated' : 'conflict'

    const legs = legsOf(transaction)
    this.#checkLegs(transaction.type, member, legs)
    if (this.#isShort(legs)) return 'insufficient'
    const lines = this.#linesAfter(transaction.type, legs)
    if (rule.sameAddress) this.#checkAddress(member, legs)
    if (rule.undoes !== null) this.#checkUndoing(transaction, rule.undoes)

    for (const leg of legs)
      this.#state.balances.set(accountOf(leg), (this.#state.balances.get(accountOf(leg)) ?? 0n) + leg.amount)
    for (const [name, line] of lines) this.#state.lines.set(name, line)
    this.#state.keys.set(`${member} ${transaction.key}`, { hash, transaction })
    return 'posted'
  }

  #checkLegs(type: TypeName, member: bigint, legs: readonly Leg[]): void {
    const rule = types[type]
    if (legs.length === 0) throw new ModelRefusal('empty')
    const payers = new Set<string>(member > 0n ? [String(member)] : [])
    for (const leg of legs) {
      const allowed: readonly KindName[] = leg.amount < 0n ? rule.debits : rule.credits
      if (!allowed.includes(leg.kind)) throw new ModelRefusal('kind')
      if (!(kinds[leg.kind].assets as readonly Asset[]).includes(leg.asset)) throw new ModelRefusal('asset')
      if (kinds[leg.kind].holder === 'member' && !(rule.creditsOthers && leg.amount > 0n)) payers.add(leg.holder)
      if (leg.line && !(rule.logs as readonly LogType[]).includes(leg.line.type)) throw new ModelRefusal('log type')
    }
    if (payers.size > 1) throw new ModelRefusal('member')
  }

  #isShort(legs: readonly Leg[]): boolean {
    const after = new Map<string, bigint>()
    for (const leg of legs)
      after.set(
        accountOf(leg),
        (after.get(accountOf(leg)) ?? this.#state.balances.get(accountOf(leg)) ?? 0n) + leg.amount,
      )
    return legs.some((leg) => kinds[leg.kind].floored && (after.get(accountOf(leg)) ?? 0n) < 0n)
  }

  #linesAfter(type: TypeName, legs: readonly Leg[]): Map<string, ModelLine> {
    const { phase } = types[type]
    const after = new Map<string, ModelLine>()
    for (const [name, its] of Map.groupBy(
      legs.filter(({ line }) => line),
      lineOf,
    )) {
      const [{ asset, holder, line } = throwEmptyGroup()] = its
      if (!line || phase === null) throw new ModelRefusal('line')
      const sum = (log: 'available' | 'frozen') =>
        its.filter((leg) => kinds[leg.kind].log === log).reduce((total, leg) => total + leg.amount, 0n)
      const available = sum('available')
      const frozen = sum('frozen')
      const known = frozen < 0n || this.#begun.has(name) ? this.#state.lines.get(name) : undefined
      if (frozen < 0n) {
        if (known?.phase !== 'confirming' || frozen !== known.change) throw new ModelRefusal('line cannot end')
        if (phase === 'confirming' || available !== (phase === 'canceled' ? -known.change : 0n))
          throw new ModelRefusal('line cannot end')
        after.set(name, { ...known, phase })
        continue
      }
      const fee = its.find((leg) => leg.line?.fee !== undefined)?.line?.fee ?? 0n
      const begins =
        phase === 'confirmed'
          ? available !== 0n && frozen === 0n
          : phase === 'confirming' && available < 0n && frozen === -available
      const signKept = available > 0n || available + fee < 0n
      if (known || !begins || !signKept) throw new ModelRefusal('line cannot begin')
      const { type: logType, operation } = line
      this.#begun.add(name)
      after.set(name, { member: BigInt(holder), asset, type: logType, operation, change: available, fee, phase })
    }
    return after
  }

  #checkAddress(member: bigint, legs: readonly Leg[]): void {
    const from = legs.filter(({ kind }) => kind === 'suspense:address').map(({ holder }) => holder)
    if (from.some((address) => address !== this.#addresses.get(member))) throw new ModelRefusal('address')
  }

  #checkUndoing({ key, moves }: Transaction, undone: string): void {
    const done = this.#state.keys.get(`0 ${key.replace(/:undone$/, '')}`)?.transaction
    if (done?.type !== undone || !key.endsWith(':undone')) throw new ModelRefusal('undoes')
    const net = new Map<string, bigint>()
    for (const leg of [...legsOf(done), ...legsOf({ moves } as Transaction)])
      net.set(accountOf(leg), (net.get(accountOf(leg)) ?? 0n) + leg.amount)
    if (Array.from(net.values()).some((amount) => amount !== 0n)) throw new ModelRefusal('undoes')
  }
}

const accountOf = ({ kind, holder, asset }: Leg): string => `${kind} ${holder} ${asset}`
const lineOf = ({ holder, asset, line }: Leg): string => `${holder} ${asset} ${line?.type} ${line?.operation}`

function legsOf({ moves }: Transaction): Leg[] {
  return moves.flatMap(({ asset, amount, from, to }): Leg[] => {
    const leg = (account: typeof from | typeof to, signed: bigint): Leg => ({
      kind: typeof account === 'string' ? account : account.kind,
      holder:
        typeof account === 'string'
          ? '0'
          : 'address' in account
            ? account.address.toLowerCase()
            : String(account.member),
      asset,
      amount: signed,
      line: typeof account === 'object' && 'line' in account ? account.line : null,
    })
    return amount === 0n ? [] : [leg(to, amount), leg(from, -amount)]
  })
}

const hashOf = ({ terms, type, moves }: Transaction): string =>
  createHash('sha256')
    .update(terms ?? JSON.stringify([type, moves], (_, value) => (typeof value === 'bigint' ? String(value) : value)))
    .digest('hex')

const copyOf = ({ balances, keys, lines }: State): State => ({
  balances: new Map(balances),
  keys: new Map(keys),
  lines: new Map(Array.from(lines, ([name, line]) => [name, { ...line }])),
})

function throwEmptyGroup(): never {
  throw new Error('a group without members')
}
