import type { Result } from '@lode/kernel'
import { inUtc, type Operators } from '../../modules/operators/index.ts'
import type { AppointmentQuestion, ListedAppointment, RefusedAppointment } from '../../modules/partner/index.ts'
import { createPlans, type Plans } from '../../modules/plan/index.ts'
import { decimalsOf, type PoolContracts } from '../../platform/config/pool-contracts.ts'
import { inCoins } from './amounts.ts'
import type { PoolContext } from './database.ts'
import { decide, type SigningOptions, wakeWorker } from './decide.ts'

type Deciding = { readonly operators: Operators; readonly plans: Plans }

/** Asks for a decision about a member. The worker carries it out when two operators have signed it. */
export async function appoint(
  context: PoolContext,
  ask: (deciding: Deciding) => Promise<Result<AppointmentQuestion, string>>,
  options: SigningOptions,
  said: { readonly done: string },
): Promise<Result<string, string>> {
  const { operators, contracts } = context
  const plans = createPlans({ decimals: decimalsOf(contracts), operators: null })
  const asked = await ask({ operators, plans })
  if (!asked.ok) return asked
  const { question, alsoCheck } = asked.value
  return decide(context, question, options, {
    ...said,
    alsoDo: async (inside, decided) => {
      const checked = await alsoCheck(inside, decided)
      return checked.ok ? wakeWorker(inside) : checked
    },
  })
}

export const appointmentLines = (
  heading: string,
  appointments: readonly ListedAppointment[],
  contracts: PoolContracts,
): string[] => [
  heading,
  ...(appointments.length > 0
    ? appointments.map(
        ({ address, at, airdrop, airdropPaid }) =>
          `  ${address}  since ${inUtc(at)}; ${
            airdropPaid === null
              ? 'nothing was to be given'
              : airdropPaid
                ? `was given ${inCoins(contracts, 'BTN', airdrop)}`
                : `was not given ${inCoins(contracts, 'BTN', airdrop)}: the airdrop reserve held less`
          }`,
      )
    : ['  none']),
]

export const refusedLines = (appointments: readonly RefusedAppointment[]): string[] =>
  appointments.length > 0
    ? [
        'What could not be done, the newest first:',
        ...appointments.map(({ address, at, reason }) => `  ${address}  on ${inUtc(at)}: ${reason}`),
      ]
    : []
