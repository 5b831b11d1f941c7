import { getAddress } from 'viem'
import { PASSWORD } from '../promotion-pool.ts'
import { accountOf } from './fill-pool.ts'

type Input = Readonly<Record<string, string | number>>
type Command = {
  readonly path: string
  readonly inputOf: (member: number) => Input
  readonly memberOf: (turn: number) => number
}

/** The members of `fill-pool.ts` who have a session. Each of them sends a command once. */
const buyer = (turn: number): number => 17 + 40 * turn
const pledger = (turn: number): number => 2 + 20 * turn

const fromBalance = (balancePart: string): Input => ({ planVersion: 1, balancePart, password: PASSWORD })

/**
 * The commands that move a member's money, all from the balance. `promotion/claim` and `partner/collect` are not among
 * them: the loaded pools have no experts and partners. They post one move, as `pledge/collect` does.
 */
export const commands: readonly Command[] = [
  { path: 'pledge/collect', memberOf: pledger, inputOf: () => ({}) },
  {
    path: 'promotion/order',
    memberOf: buyer,
    inputOf: () => ({ level: 2, ...fromBalance('200') }),
  },
  {
    path: 'pledge/order',
    memberOf: buyer,
    inputOf: () => ({ quantity: '12000', termDays: 360, ...fromBalance('12000') }),
  },
  {
    path: 'transfer/order',
    memberOf: buyer,
    inputOf: (member) => ({
      planVersion: 1,
      address: getAddress(accountOf(member)),
      symbol: 'USDT',
      amount: '50',
      password: PASSWORD,
    }),
  },
]
