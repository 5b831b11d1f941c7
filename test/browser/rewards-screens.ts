import { patchAnswer } from './api-answers.ts'
import { promoteTo, registerPromotedMember } from './rewards.ts'
import type { ScreenFixtures } from './screens.ts'

/** The reward records, each with the steps that open them. */
export const rewardsScreens: Readonly<Record<string, (tools: ScreenFixtures) => Promise<void>>> = {
  rewards: async ({ page, stack, register, enter }) => {
    const sponsor = await registerPromotedMember(stack, register, { level: 1 })
    const first = await registerPromotedMember(stack, register, { level: 1, invitedBy: sponsor })
    await promoteTo(stack, first, 2)
    await patchAnswer(page, 'promotion/rewards', (data) => ({
      ...data,
      items: [
        {
          id: 'reward-900____________',
          type: 'agentReward',
          status: 'unClaim',
          amount: '5',
          tail: 'a1b2c3',
          level: 1,
          basisPoints: 500,
          layer: 4,
          at: new Date().toISOString(),
          claimedAt: null,
          reason: null,
          balanceAfter: null,
          line: null,
        },
        {
          id: 'reward-899____________',
          type: 'agentReward',
          status: 'claim',
          amount: '80.000001',
          tail: 'd4e5f6',
          level: 5,
          basisPoints: 500,
          layer: 5,
          at: new Date().toISOString(),
          claimedAt: new Date().toISOString(),
          reason: null,
          balanceAfter: '212.5',
          line: 'agentReward:7b1c3f5e-0000-4000-8000-000000000899',
        },
        {
          id: 'reward-898____________',
          type: 'promotionReward',
          status: 'failed',
          amount: '160',
          tail: 'd4e5f6',
          level: 5,
          basisPoints: 1000,
          layer: null,
          at: new Date().toISOString(),
          claimedAt: null,
          reason: 'count-reached',
          balanceAfter: null,
          line: null,
        },
        ...data.items,
      ],
    }))
    await patchAnswer(page, 'promotion/overview', (data) => ({
      ...data,
      thanksgiving: { expert: true, pending: '5' },
    }))
    await enter(sponsor)
    await page.goto('/promotion/reward')
    await page.getByText('of Thanksgiving rewards to claim').waitFor()
    await page.getByText('No more data available').waitFor()
  },
  'rewards-line': async (tools) => {
    await rewardsScreens.rewards?.(tools)
    await tools.page.getByRole('listitem').filter({ hasText: 'Received' }).first().getByRole('button').click()
    await tools.page.getByRole('dialog', { name: 'Thanksgiving reward' }).getByText('Available afterwards').waitFor()
  },
  'rewards-empty': async ({ page, register, enter }) => {
    await enter(await register())
    await page.goto('/promotion/reward')
    await page.getByRole('heading', { name: 'No data yet' }).waitFor()
  },
  'rewards-loading': async ({ page, register, enter }) => {
    await enter(await register())
    await page.route(/\/api\/promotion\//, () => new Promise(() => {}))
    await page.goto('/promotion/reward')
    await page.getByRole('combobox', { name: 'Type' }).waitFor()
  },
  'rewards-failed': async ({ page, register, enter }) => {
    await enter(await register())
    await page.route(/\/api\/promotion\/rewards/, (route) => route.fulfill({ status: 500, json: {} }))
    await page.goto('/promotion/reward')
    await page.getByRole('heading', { name: 'Your reward records could not be loaded' }).waitFor()
  },
}
