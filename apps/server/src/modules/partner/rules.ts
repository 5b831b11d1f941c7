import type { DataOf, PartnerStanding } from '@lode/wire'
import type { Address } from 'viem'
import type { BodyOf, VerifiedDecision } from '../operators/index.ts'

/**
 * Two operators appoint sharing experts, whom they choose, and partners, who apply.
 *
 *     none ── applies: activated, five full layers ──► applied ── two operators ──┬──► approved, forever
 *                                                         ▲                       └──► rejected, with a note
 *                                                         └──── applies again ─────────────┘
 */

export type Appointment = BodyOf<'authorise-expert' | 'approve-partner' | 'reject-partner'>

export const isAppointment = (decision: VerifiedDecision): decision is VerifiedDecision<Appointment> =>
  decision.verb === 'authorise-expert' || decision.verb === 'approve-partner' || decision.verb === 'reject-partner'

export const expertSubject = (address: Address): string => `expert:${address.toLowerCase()}`
/** Each application has its own subject, so that a decision about one does not count for the next. */
export const applicationSubject = (application: bigint): string => `partner:${application}`

/** Whether the subject has the form that its verb needs. The subject of an expert must also name the address. */
export const hasMatchingSubject = ({ body }: VerifiedDecision<Appointment>): boolean =>
  body.verb === 'authorise-expert'
    ? body.subject === expertSubject(body.address)
    : /^partner:[1-9]\d*$/.test(body.subject)

/** The member's last application. */
export type Application = {
  readonly appliedAt: Date
  readonly decidedAt: Date | null
  /** Why the application was rejected; null if it was not. */
  readonly note: string | null
}

export function determinePartnerStanding(application: Application | null, isPartner: boolean): PartnerStanding {
  if (isPartner) return 'approved'
  if (!application) return 'none'
  return application.decidedAt ? 'rejected' : 'applied'
}

type Layer = { readonly headcount: number; readonly capacity: number }

type PartnerRequirements = {
  readonly activated: boolean
  /** From the first layer to the fifth. */
  readonly layers: readonly Layer[]
}

type Status = DataOf<'partner/status'>

export function formatRequirements({ activated, layers }: PartnerRequirements): Pick<Status, 'activated' | 'layers'> {
  return {
    activated,
    layers: layers.map(({ headcount, capacity }, index) => ({
      layer: index + 1,
      members: headcount,
      needed: capacity,
    })),
  }
}

export const mayApply = (standing: PartnerStanding, { activated, layers }: PartnerRequirements): boolean =>
  (standing === 'none' || standing === 'rejected') &&
  activated &&
  layers.every(({ headcount, capacity }) => headcount === capacity)
