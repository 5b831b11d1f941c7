type Answer = { readonly name: string; readonly answer: unknown }

const MAX_SHOWN = 3
const MAX_LENGTH = 300

/**
 * Returns null if all nodes gave the same answer. Otherwise a text that says what each said; of three or more nodes it
 * names the one that differs from all others. The text does not depend on the order of the answers.
 */
export function describeDisagreement(subject: string, answers: readonly Answer[]): string | null {
  const named = answers.map(({ name, answer }) => ({ name, text: serialize(answer), answer }))
  const groups = Array.from(Map.groupBy(named, ({ text }) => text).values(), (group) => ({
    names: group.map(({ name }) => name).toSorted(),
    answer: group[0]?.answer,
  })).sort(
    (one, other) => one.names.length - other.names.length || ((one.names[0] ?? '') < (other.names[0] ?? '') ? -1 : 1),
  )
  if (groups.length < 2) return null
  const partsByGroup = groups.map(({ answer }) => new Set(partsOf(answer)))
  const isCommon = (part: string): boolean => partsByGroup.every((parts) => parts.has(part))
  const sayings = groups.map(
    ({ names, answer }) => `${names.join(' and ')} ${names.length > 1 ? 'say' : 'says'} ${describe(answer, isCommon)}`,
  )
  const [odd, ...rest] = groups
  const isOneAgainstMany = odd?.names.length === 1 && rest.length === 1 && (rest[0]?.names.length ?? 0) > 1
  const who = isOneAgainstMany ? `${odd.names[0]} differs from all other nodes` : 'the nodes disagree'
  return `about ${subject}, ${who}: ${sayings.join('; ')}`
}

/** The entries of a list, or the answer itself. */
const partsOf = (answer: unknown): string[] => (Array.isArray(answer) ? answer.map(serialize) : [serialize(answer)])

/** What only this answer has. A list of logs is long, and mostly the same at both nodes. */
function describe(answer: unknown, isCommon: (part: string) => boolean): string {
  const own = partsOf(answer).filter((part) => !isCommon(part))
  if (own.length === 0) return 'nothing more'
  const shown = own
    .slice(0, MAX_SHOWN)
    .map((part) => (part.length > MAX_LENGTH ? `${part.slice(0, MAX_LENGTH)}…` : part))
  return shown.join(', ') + (own.length > MAX_SHOWN ? ` and ${own.length - MAX_SHOWN} more` : '')
}

const serialize = (answer: unknown): string =>
  JSON.stringify(answer, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)) ?? 'nothing'
