import type { Result } from '@lode/kernel'
import { formatUtc, type Operators } from '../../modules/operators/index.ts'
import type { AppointmentProposal, ListedAppointment, RefusedAppointment } from '../../modules/partner/index.ts'
import { createPlans, type Plans } from '../../modules/plan/index.ts'
import { decimalsOf, formatCoins, formatNumber, type PoolContracts } from '../../platform/config/pool-contracts.ts'
import { decide, type SigningOptions, wakeWorker } from './decide.ts'
import type { PoolContext } from './with-database.ts'

type AppointmentContext = { readonly operators: Operators; readonly plans: Plans }

/** Lets an operator sign an appointment or a rejection. The worker carries it out when two operators have signed. */
export async function appoint(
  context: PoolContext,
  prepareProposal: (appointmentContext: AppointmentContext) => Promise<Result<AppointmentProposal, string>>,
  options: SigningOptions,
  messages: { readonly done: string },
): Promise<Result<string, string>> {
  const { operators, contracts } = context
  const plans = createPlans({ decimals: decimalsOf(contracts), operators: null })
  const prepared = await prepareProposal({ operators, plans })
  if (!prepared.ok) return prepared
  const { proposal, checkAtSigning } = prepared.value
  return decide(context, proposal, options, {
    ...messages,
    onSigned: async (trx, decided) => {
      const checked = await checkAtSigning(trx, decided)
      return checked.ok ? wakeWorker(trx) : checked
    },
  })
}

export const describeAppointments = (
  heading: string,
  appointments: readonly ListedAppointment[],
  contracts: PoolContracts,
): string[] => [
  heading,
  ...(appointments.length > 0
    ? appointments.map(
        ({ address, at, airdrop, airdropPaid }) =>
          `  ${address}  since ${formatUtc(at)}; ${
            airdropPaid === null
              ? 'no airdrop was due'
              : airdropPaid
                ? `received ${formatCoins(contracts, 'BTN', airdrop)}`
                : `did not receive ${formatCoins(contracts, 'BTN', airdrop)}: the airdrop reserve held less`
          }`,
      )
    : ['  none']),
]

/** The same for a program. */
export const appointmentData = (appointments: readonly ListedAppointment[], contracts: PoolContracts) =>
  appointments.map(({ airdrop, ...rest }) => ({ ...rest, airdrop: formatNumber(contracts, 'BTN', airdrop) }))

export const describeRefusedAppointments = (appointments: readonly RefusedAppointment[]): string[] =>
  appointments.length > 0
    ? [
        'Decisions that could not be carried out, the newest first:',
        ...appointments.map(({ address, at, reason }) => `  ${address}  on ${formatUtc(at)}: ${reason}`),
      ]
    : []
