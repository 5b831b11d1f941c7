import { rewardStatuses } from '@lode/wire'
import type { Reward } from './use-rewards.ts'

type ShownStatus = (typeof rewardStatuses)[number] | 'undefined'

/** A newer server may send a status that this app does not know. It is shown as undefined. */
export const rewardStatusOf = ({ status }: Reward): ShownStatus =>
  rewardStatuses.find((known) => known === status) ?? 'undefined'

/** Whether the reward is the member's: credited, or waiting to be claimed. */
export const isGained = (status: ShownStatus): boolean => status === 'claim' || status === 'unClaim'
