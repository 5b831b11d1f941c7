import { randomBytes } from 'node:crypto'
import type { DataOf } from '@lode/wire'
import { expect } from '@playwright/test'
import { chooseFundPassword, getAs, type Member, postAs } from './member.ts'
import { operatorsOf } from './operators.ts'
import { postHistory } from './post-history.ts'
import type { BrowserStack } from './stack.ts'
import { FUND_PASSWORD } from './transfer.ts'

export const formatAddressTail = ({ account }: Member): string => `…${account.address.slice(-6)}`

/** Orders the next level with the app's call. Posts the part from the balance first. */
export async function orderNextLevel(
  stack: BrowserStack,
  member: Member,
  { fromBalance }: { readonly fromBalance: string },
): Promise<DataOf<'promotion/order'>> {
  const { plan } = await getAs(stack, 'promotion/overview', member)
  if (!plan?.next) throw new Error('There is no next level')
  if (fromBalance !== '0') await postHistory(stack, member, [{ received: fromBalance, asset: 'USDT' }])
  return postAs(stack, 'promotion/order', member, {
    key: randomBytes(16).toString('hex'),
    planVersion: plan.version,
    level: plan.next.level,
    balancePart: fromBalance,
    ...(fromBalance !== '0' && { password: FUND_PASSWORD }),
  })
}

/** Promotes the member level by level, each paid from the balance, up to this one. */
export async function promoteTo(stack: BrowserStack, member: Member, level: number): Promise<void> {
  for (;;) {
    const { level: held, plan } = await getAs(stack, 'promotion/overview', member)
    if (held >= level) return
    await orderNextLevel(stack, member, { fromBalance: plan?.next?.price ?? '0' })
  }
}

/** A member with a fund password, promoted to this level. */
export async function registerPromotedMember(
  stack: BrowserStack,
  register: (options?: { invite: string }) => Promise<Member>,
  { level, invitedBy }: { readonly level: number; readonly invitedBy?: Member },
): Promise<Member> {
  const member = await register(invitedBy && { invite: invitedBy.inviteCode })
  await chooseFundPassword(stack, member, FUND_PASSWORD)
  await promoteTo(stack, member, level)
  return member
}

/** Both operators authorize the expert with the command line. */
export async function authorizeExpert(stack: BrowserStack, member: Member): Promise<void> {
  const operators = operatorsOf(stack)
  for (const name of ['ada', 'bo'] as const) await operators.decide(name, 'expert', 'authorise', member.account.address)
  await expect(async () => {
    expect((await getAs(stack, 'promotion/overview', member)).thanksgiving.expert).toBe(true)
  }).toPass({ timeout: 20_000 })
}
