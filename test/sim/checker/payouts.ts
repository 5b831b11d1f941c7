import type { Acknowledged, AcknowledgedTransfer } from '../acknowledged.ts'
import { plan } from '../stack/plan.ts'
import { ASSET_CODES, assetOf, type Books, KIND, kindOf, ownerOf, type PayoutRow, type ReleaseRow } from './books.ts'
import type { Entry } from './chain-entries.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Tolerance for events at the same time: a hold that began this shortly before a signature may have come too late. */
const SAME_MOMENT = 5_000

type PayoutCheckInput = {
  readonly books: Books
  /** The chain's present entries, final or not. */
  readonly entries: readonly Entry[]
  readonly acknowledged: Acknowledged
}

/** Remembers every payout that was read, to check that no fact of it changes and that it ends once. */
export class PayoutHistory {
  readonly #known = new Map<string, PayoutRow>()

  findings(books: Books): string[] {
    return Array.from(this.#compare(books))
  }

  *#compare(books: Books): Generator<string> {
    const { payouts } = books
    const present = new Set(payouts.map(({ id }) => id))
    for (const { id } of this.#known.values()) if (!present.has(id)) yield `payout ${id} is not there any more`
    for (const payout of payouts) {
      const before = this.#known.get(payout.id)
      if (before && factsOf(before) !== factsOf(payout))
        yield `payout ${payout.id} was ${factsOf(before)} and is ${factsOf(payout)}`
      if (before?.ended && (before.ended !== payout.ended || before.paidBy !== payout.paidBy))
        yield `payout ${payout.id} had ended as ${before.ended} and is ${payout.ended}`
      // Checked when the payout is new: when the clock goes back, output addresses change back, but the payout stays
      // right.
      if (!before && payout.kind === 'transfer') yield* addressFindings(books, payout)
      this.#known.set(payout.id, payout)
    }
  }
}

const factsOf = ({ kind, asset, amount, fee, feeBurned, address, member, requestedAt }: PayoutRow): string =>
  [kind, asset, amount, fee, feeBurned, address, member, requestedAt].join(' ')

/** Checks the rules of payouts, with the tables and the chain alone. */
export function* payoutFindings(seen: PayoutCheckInput): Generator<string> {
  yield* releasedFindings(seen)
  yield* frozenFindings(seen.books)
  yield* quotaFindings(seen.books)
  yield* acknowledgedFindings(seen)
  const releases = new Map(seen.books.releases.map((release) => [release.number, release]))
  for (const payout of seen.books.payouts) {
    if (payout.kind !== 'transfer') continue
    const release = payout.release === null ? undefined : releases.get(payout.release)
    if (release) yield* heldFindings(seen, payout, release)
  }
}

/**
 * The chain pays each id at most once, to the right address, in the right token and amount, and never after it was
 * unfrozen.
 */
function* releasedFindings({ books, entries }: PayoutCheckInput): Generator<string> {
  const payouts = new Map(books.payouts.map((payout) => [payout.id, payout]))
  const paid = new Map<string, Entry>()
  for (const entry of entries) {
    if (entry.what.kind !== 'payout') continue
    const { id, to } = entry.what
    if (paid.has(id)) yield `payout ${id} was paid twice, by ${paid.get(id)?.log} and ${entry.log}`
    paid.set(id, entry)
    const payout = payouts.get(id)
    if (!payout) {
      yield `${entry.log} paid ${id}, which nobody asked for`
      continue
    }
    if (payout.asset !== entry.asset || payout.amount !== entry.amount || payout.address !== to)
      yield `${entry.log} paid ${entry.amount} ${entry.asset} to ${to} for payout ${id} of ${payout.amount} ${payout.asset} to ${payout.address}`
    if (payout.ended !== null && payout.ended !== 'final')
      yield `payout ${id} is ${payout.ended}, and ${entry.log} paid it`
    if (payout.release === null) yield `payout ${id} is in no release, and ${entry.log} paid it`
    if (books.posted && entry.block <= books.posted.number && payout.paidBy !== entry.log)
      yield `${entry.log} paid payout ${id}, is posted, and the payout says ${payout.ended} by ${payout.paidBy}`
  }
  for (const { id, ended, paidBy } of books.payouts)
    if ((ended === 'final') !== (paidBy !== null) || (paidBy !== null && paid.get(id)?.log !== paidBy))
      yield `payout ${id} is ${ended} by ${paidBy}, and the chain has ${paid.get(id)?.log}`
}

/** The frozen money of transfers is exactly what the open ones need, with their fees. */
function* frozenFindings(books: Books): Generator<string> {
  const key = (member: bigint, asset: number) => `asset ${asset} of member ${member}`
  const needed = new Map<string, bigint>()
  for (const { member, asset, amount, fee, ended } of books.payouts) {
    if (member === null || ended !== null) continue
    const whose = key(member, ASSET_CODES[asset])
    needed.set(whose, (needed.get(whose) ?? 0n) + amount + fee)
  }
  const frozen = new Map<string, bigint>()
  for (const [account, { balance }] of books.accounts)
    if (kindOf(account) === KIND.frozenOut && balance !== 0n)
      frozen.set(key(ownerOf(account), assetOf(account)), balance)
  for (const whose of new Set([...needed.keys(), ...frozen.keys()]))
    if ((needed.get(whose) ?? 0n) !== (frozen.get(whose) ?? 0n))
      yield `${frozen.get(whose) ?? 0n} of ${whose} are frozen for transfers that need ${needed.get(whose) ?? 0n}`
  for (const [kind, account] of [
    ['treasury', KIND.paying],
    ['suspense', KIND.suspenseReturning],
  ] as const)
    for (const [asset, code] of Object.entries(ASSET_CODES)) {
      const open = books.payouts.filter(
        (payout) => payout.kind === kind && payout.asset === asset && payout.ended === null,
      )
      const sum = open.reduce((total, { amount }) => total + amount, 0n)
      const held = Array.from(books.accounts)
        .filter(([number]) => kindOf(number) === account && assetOf(number) === code)
        .reduce((total, [, { balance }]) => total + balance, 0n)
      if (sum !== held) yield `${held} ${asset} are put aside for ${kind} payouts that need ${sum}`
    }
}

/**
 * No period of 24 hours contains more than the quota of the member's level at its end. Unfrozen transfers do not count.
 */
function* quotaFindings({ payouts, people }: Books): Generator<string> {
  const givenBack = ['cancelled', 'rejected', 'reverted']
  const counted = payouts.filter(({ kind, ended }) => kind === 'transfer' && !givenBack.includes(ended ?? ''))
  for (const [who, own] of Map.groupBy(counted, ({ member, asset }) => `${asset} of member ${member}`))
    for (const last of own) {
      const within = own.filter(({ requestedAt: at }) => at > last.requestedAt - DAY && at <= last.requestedAt)
      const sum = within.reduce((total, { amount }) => total + amount, 0n)
      const quota = plan.quota(last.asset, last.level ?? 0)
      if ((last.level ?? 0) > (people.get(last.member ?? 0n)?.written.level ?? 0))
        yield `payout ${last.id} was asked for at level ${last.level}, which its member never had`
      if (sum > quota)
        yield `${sum} ${who} were asked for in the 24 hours to ${new Date(last.requestedAt).toISOString()}, and the quota is ${quota}`
    }
}

/** Everything that the api answered is true and stays true. */
function* acknowledgedFindings({ books, acknowledged }: PayoutCheckInput): Generator<string> {
  const payouts = new Map(books.payouts.map((payout) => [payout.id, payout]))
  for (const { id, account, asset, amount, address } of acknowledged.transfers.values()) {
    const row = payouts.get(id)
    const of = books.members.get(account.toLowerCase())?.id
    if (!row || row.member !== of || row.asset !== asset || row.amount !== amount || row.address !== address)
      yield `${account} was told of transfer ${id} of ${amount} ${asset} to ${address}, and there is ${row && factsOf(row)}`
  }
  for (const id of acknowledged.canceledTransfers)
    if (payouts.get(id)?.ended !== 'cancelled')
      yield `transfer ${id} was cancelled, its member was told, and it is ${payouts.get(id)?.ended}`
  for (const { id, ended } of books.payouts)
    if (ended === 'rejected' && !acknowledged.rejections.has(id)) yield `payout ${id} is rejected, which nobody did`
}

/**
 * The output address was bound to the member at the time of the request: its own wallet, or an address asked for at
 * least 48 hours before.
 */
function* addressFindings(books: Books, { id, member, address, requestedAt }: PayoutRow): Generator<string> {
  const bound = boundAt(books, member, requestedAt)
  const own = ownAddress(books, member)
  const due = bound?.address ?? own
  if (address !== due) yield `payout ${id} goes to ${address}, and ${due} was bound when it was asked for`
}

const boundAt = ({ outputAddresses }: Books, member: bigint | null, at: number) =>
  outputAddresses.findLast(
    (each) => each.member === member && !each.cancelled && each.bindsAt <= at && each.askedAt + 2 * DAY <= at,
  )

const ownAddress = ({ members }: Books, member: bigint | null): string | undefined =>
  Array.from(members).find(([, { id }]) => id === member)?.[0]

/** No payout is signed while a hold applies. */
function* heldFindings(
  { books, acknowledged }: PayoutCheckInput,
  payout: PayoutRow,
  { madeAt }: ReleaseRow,
): Generator<string> {
  const { id, asset, amount, member, requestedAt } = payout
  const held = (why: string, from: number, to: number): string[] =>
    madeAt > from + SAME_MOMENT && madeAt < to - SAME_MOMENT
      ? [`payout ${id} was signed at ${iso(madeAt)}, held since ${iso(from)} until ${iso(to)}: ${why}`]
      : []
  if (payout.address !== ownAddress(books, member)) {
    const bound = boundAt(books, member, requestedAt)
    if (bound) yield* held('its address was new', requestedAt, bound.bindsAt + 2 * DAY)
  }
  const transfer: AcknowledgedTransfer | undefined = acknowledged.transfers.get(id)
  if (transfer?.browserSeenAt) yield* held('its browser was new', requestedAt, transfer.browserSeenAt * 1_000 + DAY)
  const lines = books.securityLines.filter((line) => line.member === member)
  for (const [place, { kind, at, until }] of lines.entries()) {
    if (kind === 'fund-password-changed') yield* held('the fund password was changed', at, at + DAY)
    if (kind === 'transfers-locked' && until !== null) yield* held('the member had locked transfers', at, until)
    if (kind === 'reset-asked' && until !== null) {
      const cancelled = lines.slice(place + 1).find((line) => line.kind === 'reset-cancelled')
      const isCancelled = cancelled !== undefined && cancelled.at < until
      yield* held('the fund password was being reset', at, isCancelled ? cancelled.at : until + DAY)
    }
  }
  const { reviewAbove, decisionAbove } = plan.transfer[asset]
  const approvedBy = acknowledged.approvals.get(id)?.size ?? 0
  if (amount > decisionAbove && approvedBy < 2)
    yield `payout ${id} of ${amount} ${asset} was signed with the approval of ${approvedBy} operators`
  if (amount > reviewAbove && amount <= decisionAbove && approvedBy < 1)
    yield* held('nobody had approved it', requestedAt, requestedAt + 72 * HOUR)
  for (const { from, until } of acknowledged.pauses) yield* held('payouts were paused', from * 1_000, until * 1_000)
}

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString()

/**
 * At the end of a run, when all timed holds are over and everything works: reports each open payout with its reason.
 */
export function* unendedFindings({ books, acknowledged }: Omit<PayoutCheckInput, 'entries'>): Generator<string> {
  for (const { id, kind, asset, amount, ended, release, waits } of books.payouts) {
    if (ended !== null) continue
    const { decisionAbove } = plan.transfer[asset]
    const awaitsOperators = amount > decisionAbove && (acknowledged.approvals.get(id)?.size ?? 0) < 2
    if (kind !== 'transfer' || !awaitsOperators)
      yield `payout ${id} of ${amount} ${asset} is open without a reason (${waits}, release ${release})`
  }
  for (const { number, ended } of books.releases) if (!ended) yield `release ${number} has not ended`
}
