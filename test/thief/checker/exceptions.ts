import type { Role } from '../catalog.ts'

type Exception = { readonly roles: readonly Role[]; readonly why: string }

/** What a thief can do by nature. The checker accepts exactly this, only from these roles, and counts it. */
const exceptions = {
  'order in a member’s name': {
    roles: ['lode_api'],
    why: 'Only the api knows whether the member wanted the order. It costs what the plan says and gives what the plan sells.',
  },
  'transfer in a member’s name': {
    roles: ['lode_api'],
    why: 'Only the api checks the fund password. The money goes to an address of the member.',
  },
  'signature called verified': {
    roles: ['lode_signer'],
    why: 'The signer says what it has verified. With the payer’s key a thief of the signer pays anybody, up to the caps.',
  },
  'invented chain log': {
    roles: ['lode_worker'],
    why: 'The database cannot see the chain. The signer looks up every log before it pays anything.',
  },
  'step back of a signed transfer': {
    roles: ['lode_worker'],
    why: 'Only the worker knows what became of a signed transfer. A payment that ended otherwise stops the worker.',
  },
  'transfer rejected': {
    roles: ['lode_worker'],
    why: 'The worker verifies the operators’ signatures. The money stays with its member.',
  },
  'order ended early': {
    roles: ['lode_worker'],
    why: 'The worker says which block is posted, and so whether a deadline has passed. The money stays with its member.',
  },
  'partners’ part left for later': {
    roles: ['lode_worker'],
    why: 'The worker says how much of the partners’ money a day shares out. The rest waits in partner:funded for the next day.',
  },
} as const satisfies Record<string, Exception>

export type ExceptionName = keyof typeof exceptions

/** Counts the exceptions that a run used, so that one that is never used can be removed. */
export class Uses {
  readonly counts = new Map<ExceptionName, number>()

  /** Null if the role may do this by nature, otherwise the finding. */
  accept(role: Role, name: ExceptionName, finding: string): string | null {
    const { roles }: Exception = exceptions[name]
    if (!roles.includes(role)) return finding
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1)
    return null
  }
}
