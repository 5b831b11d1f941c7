import type { DataOf } from '@lode/wire'
import type { Page } from '@playwright/test'
import { patchAnswer } from './api-answers.ts'

type NextDay = DataOf<'pool/next-day'>

/** The next production, in a state that would need a plan, operators or a chain that stands still. */
export const mockNextDay = (page: Page, change: (data: NextDay) => NextDay['next']): Promise<void> =>
  patchAnswer(page, 'pool/next-day', (data) => ({ ...data, next: change(data) }))

/** In some hours, as on most days. */
export const scheduled = ({ at }: Pick<NextDay, 'at'>) =>
  ({
    day: Math.floor(Date.parse(at) / 86_400_000),
    at: new Date(Date.parse(at) + 374 * 60_000).toISOString(),
    state: 'scheduled',
    until: null,
  }) satisfies NextDay['next']
