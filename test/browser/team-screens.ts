import type { ScreenFixtures } from './screens.ts'
import { activateMember, createTeam } from './team.ts'

/** The screens of the team, each with the steps that open it. */
export const teamScreens: Readonly<Record<string, (tools: ScreenFixtures) => Promise<void>>> = {
  teams: async ({ page, stack, register, enter }) => {
    const member = await register()
    await createTeam(stack, member, { invited: 50, activatedEvery: 3 })
    await activateMember(stack, member)
    await enter(member)
    await page.goto('/teams')
    await page.getByText('50 of 363').waitFor()
    await page.getByRole('listitem').first().waitFor()
  },
  'teams-empty': async ({ page, register, enter }) => {
    await enter(await register())
    await page.goto('/teams')
    await page.getByText('0 of 363').waitFor()
    await page.getByRole('heading', { name: 'No data yet' }).waitFor()
  },
  'teams-loading': async ({ page, register, enter }) => {
    await enter(await register())
    await page.route(/\/api\/team\//, () => new Promise(() => {}))
    await page.goto('/teams')
    await page.getByText('Your layers').waitFor()
  },
  'teams-failed': async ({ page, register, enter }) => {
    await enter(await register())
    await page.route(/\/api\/team\//, (route) => route.fulfill({ status: 500, json: {} }))
    await page.goto('/teams')
    await page.getByRole('heading', { name: 'Your team could not be loaded' }).waitFor()
  },
  net: async ({ page, stack, register, enter }) => {
    const member = await register()
    await createTeam(stack, member, { invited: 50, activatedEvery: 3 })
    await activateMember(stack, member)
    await enter(member)
    await page.goto('/teams/maps')
    await page.getByRole('button', { name: /^Left/ }).waitFor()
    await page.getByText('50 of 363').waitFor()
  },
  'net-below': async ({ page, stack, register, enter }) => {
    const member = await register()
    await createTeam(stack, member, { invited: 45, activatedEvery: 2 })
    await enter(member)
    await page.goto('/teams/maps')
    for (const layer of [1, 2]) {
      await page
        .getByRole('button', { name: /^Left L/ })
        .first()
        .click()
      await page.getByText(`Layer ${layer}, Left`).waitFor()
    }
    await page.getByRole('button', { name: 'Up one layer' }).waitFor()
  },
  'net-list': async ({ page, stack, register, enter }) => {
    const member = await register()
    await createTeam(stack, member, { invited: 5, activatedEvery: 3 })
    await enter(member)
    await page.goto('/teams/maps')
    await page.getByRole('button', { name: 'List' }).click()
    await page.getByRole('button', { name: /^Left/ }).click()
    await page.getByText('Layer 1, Left').waitFor()
  },
  'net-empty': async ({ page, register, enter }) => {
    await enter(await register())
    await page.goto('/teams/maps')
    await page.getByRole('heading', { name: 'This account has no child nodes' }).waitFor()
  },
  'net-loading': async ({ page, register, enter }) => {
    await enter(await register())
    await page.route(/\/api\/team\//, () => new Promise(() => {}))
    await page.goto('/teams/maps')
    await page.getByText('Your layers').waitFor()
  },
  'net-failed': async ({ page, register, enter }) => {
    await enter(await register())
    await page.route(/\/api\/team\//, (route) => route.fulfill({ status: 500, json: {} }))
    await page.goto('/teams/maps')
    await page.getByRole('heading', { name: 'Your team could not be loaded' }).waitFor()
  },
}
