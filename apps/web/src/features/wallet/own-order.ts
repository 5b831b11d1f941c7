import type { WalletLogLine } from './use-log.ts'

/** The order of the member to which a line belongs. */
export type OwnOrder = { readonly kind: 'transfer' | 'order'; readonly id: string }

const LINE_ID = /^(\w+):([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/** The types whose reference is an order of the member. The reference of a reward is the order of another member. */
const ownTypes = ['upLevelByBalance', 'createPledge', 'pledgeReturn', 'airdropForActive', 'airdropForPromotion']

/** Null if the line belongs to no order of the member. */
export function findOwnOrder({ id }: Pick<WalletLogLine, 'id'>): OwnOrder | null {
  const [, type = '', order] = LINE_ID.exec(id) ?? []
  if (order === undefined) return null
  if (type === 'transferOut') return { kind: 'transfer', id: order }
  return ownTypes.includes(type) ? { kind: 'order', id: order } : null
}
