import { randomBytes } from 'node:crypto'
import type { DataOf } from '@lode/wire'
import { fillBooks } from './books.ts'
import { askFor, type Member, tellFor } from './member.ts'
import type { BrowserStack } from './stack.ts'
import { PASSWORD } from './transfer.ts'

type Pledging = { readonly quantity: string; readonly termDays: number; readonly fromBalance: string }

/** Orders a pledge by the call that the app makes; what comes from the balance is put there before. */
export async function orderPledge(
  stack: BrowserStack,
  member: Member,
  { quantity, termDays, fromBalance }: Pledging,
): Promise<DataOf<'pledge/order'>> {
  const { plan } = await askFor(stack, 'pledge/overview', member)
  if (!plan) throw new Error('There is no plan')
  if (fromBalance !== '0') await fillBooks(stack, member, [{ received: fromBalance, asset: 'BTN' }])
  return tellFor(stack, 'pledge/order', member, {
    ...{ key: randomBytes(16).toString('hex'), planVersion: plan.version, quantity, termDays },
    ...{ balancePart: fromBalance, ...(fromBalance !== '0' && { password: PASSWORD }) },
  })
}
