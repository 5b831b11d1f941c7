import type { Locator, Page } from '@playwright/test'
import { patchAnswer } from '../browser/api-answers.ts'
import { returnToForeground } from '../browser/foreground.ts'
import type { Member } from '../browser/member.ts'
import { activateMember, createTeam } from '../browser/team.ts'
import { expect, test } from '../browser/test.ts'
import { visibleMain } from '../browser/views.ts'

const area = (page: Page, name: 'Left' | 'Center' | 'Right'): Locator =>
  visibleMain(page).getByRole('button', { name: new RegExp(`^${name} L`) })
const heading = (page: Page, name: string): Locator => visibleMain(page).getByRole('heading', { name, exact: true })
const formatAddressTail = (member: Member | undefined): string => `…${member?.account.address.slice(-6)}`

type Register = (options?: { invite: string }) => Promise<Member>

/**
 * All members of a run are below its first member, so the next registration may be placed below one that registered
 * just before. Within a run no member gets a place three layers deeper than that, so a member at that depth has a team
 * of its own.
 */
async function registerWithEmptyTeam(register: Register): Promise<Member> {
  let member = await register()
  for (let deeper = 0; deeper < 3; deeper += 1) member = await register({ invite: member.inviteCode })
  return member
}

/** A chain of members, each invited by the one above. */
async function registerInvitationChain(register: Register, length: number): Promise<Member[]> {
  const chain = [await registerWithEmptyTeam(register)]
  for (let last = chain[0]; last && chain.length < length; last = chain.at(-1))
    chain.push(await register({ invite: last.inviteCode }))
  return chain
}

test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))

test.describe('the team', () => {
  test('shows level, effective invites, active teams, performance, areas and layers', async ({
    page,
    stack,
    register,
    enter,
  }) => {
    const member = await registerWithEmptyTeam(register)
    await createTeam(stack, member, { invited: 41, activatedEvery: 2 })
    await enter(member)
    await page.goto('/home')
    await page.getByRole('navigation').getByRole('link', { name: 'Team' }).click()
    await expect(page).toHaveURL('/teams')
    const figure = (name: string): Locator =>
      visibleMain(page).locator('dt').getByText(name, { exact: true }).locator('xpath=following-sibling::dd[1]')
    await expect(figure('Member level')).toContainText('L0 Not activated')
    await expect(figure('Effective invites')).toHaveText('21')
    await expect(figure('Active teams')).toHaveText('2 of 3')
    await expect(figure('Total performance')).toHaveText('2,100.00 USDT')
    await expect(visibleMain(page)).toContainText(/Layers 1–3.*39 of 39/)
    await expect(visibleMain(page).getByText('Full')).toHaveCount(1)
    await expect(visibleMain(page)).toContainText(/Layers 1–5.*41 of 363/)
    // 39 members fill three layers, 13 in each area. The next two are at the far left.
    await expect(figure('Left')).toHaveText('15')
    await expect(figure('Center')).toHaveText('13')
    await expect(figure('Layer 3')).toHaveText('27 of 27')
    await expect(figure('Layer 4')).toHaveText('2 of 81')
  })

  test('lists invitees newest first, marks activated ones, and loads page by page', async ({
    page,
    stack,
    register,
    enter,
  }) => {
    const member = await registerWithEmptyTeam(register)
    await createTeam(stack, member, { invited: 22 })
    const last = await register({ invite: member.inviteCode })
    await activateMember(stack, last)
    await enter(member)
    await page.goto('/teams')
    const lines = visibleMain(page).getByRole('listitem')
    await expect(lines.first()).toContainText(formatAddressTail(last))
    await expect(lines.first()).toContainText('L1 · Activated')
    await expect(lines.nth(1)).toContainText('L0 · Not activated')
    await expect(async () => {
      await visibleMain(page).evaluate((main) => main.scrollTo(0, main.scrollHeight))
      await expect(page.getByText('No more data available')).toBeVisible({ timeout: 500 })
    }).toPass()
    await expect(lines).toHaveCount(23)
  })

  test('shows a large performance completely inside its card, even on the smallest phone', async ({
    page,
    register,
    enter,
  }) => {
    await enter(await register())
    await patchAnswer(page, 'team/overview', (data) => ({ ...data, performance: '1234567.5' }))
    await page.goto('/teams')
    const amount = visibleMain(page).getByText('1,234,567')
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 844 })
      await expect
        .poll(() =>
          amount.evaluate((element) => {
            const card = element.closest('dl')?.getBoundingClientRect().right ?? 0
            return element.getBoundingClientRect().right - card
          }),
        )
        .toBeLessThanOrEqual(0.5)
    }
  })

  test('of a new member is empty and explains how to invite', async ({ page, register, enter }) => {
    await enter(await registerWithEmptyTeam(register))
    await page.goto('/teams')
    await expect(heading(page, 'No data yet')).toBeVisible()
    await expect(visibleMain(page)).toContainText('0 of 39')
    await page.getByRole('button', { name: 'Invite friends' }).click()
    await expect(page).toHaveURL('/share')
  })

  test('shows why it cannot be loaded, loads on retry, and later says how old it is', async ({
    page,
    register,
    enter,
    toasts,
  }) => {
    await enter(await registerWithEmptyTeam(register))
    const fail = () => page.route(/\/api\/team\//, (route) => route.fulfill({ status: 500, json: {} }))
    await page.clock.install()
    await fail()
    await page.goto('/teams')
    await expect(heading(page, 'Your team could not be loaded')).toBeVisible()
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(visibleMain(page)).toContainText('0 of 363')
    await fail()
    await returnToForeground(page)
    await expect(visibleMain(page)).toContainText('Could not be refreshed. Shown as of')
    expect(toasts).toEqual([])
  })
})

test.describe('the team tree', () => {
  test('can be opened five layers down and back, and ends there', async ({ page, register, enter }) => {
    // Seven members: the last is below the fifth layer of the first.
    const chain = await registerInvitationChain(register, 7)
    const [first] = chain
    if (!first) throw new Error('nobody registered')
    await enter(first)
    await page.goto('/teams')
    await page.getByRole('link', { name: 'Open my net' }).click()
    await expect(page).toHaveURL('/teams/maps')
    await expect(heading(page, 'You')).toBeVisible()
    await expect(page.getByRole('navigation').getByRole('link', { name: 'Team' })).toHaveAttribute(
      'aria-current',
      'true',
    )
    await expect(visibleMain(page).getByRole('button', { name: 'Up one layer' })).toHaveCount(0)

    for (let layer = 1; layer <= 5; layer += 1) {
      // The counts contain only members whom the first one may see.
      await expect(area(page, 'Left')).toContainText(
        new RegExp(`${formatAddressTail(chain[layer])}.*${6 - layer}\\s*0 activated`, 's'),
      )
      await area(page, 'Left').tap()
      await expect(heading(page, formatAddressTail(chain[layer]))).toBeVisible()
      await expect(heading(page, formatAddressTail(chain[layer]))).toBeFocused()
      await expect(visibleMain(page)).toContainText(`Layer ${layer}, Left`)
    }
    await expect(heading(page, 'This account has no child nodes')).toBeVisible()
    await expect(visibleMain(page)).toContainText('Your net ends with the fifth layer.')
    await expect(visibleMain(page)).not.toContainText(formatAddressTail(chain[6]))
    await expect(page.getByRole('navigation', { name: 'Where you are in the net' }).getByRole('listitem')).toHaveCount(
      6,
    )

    for (let layer = 4; layer >= 1; layer -= 1) {
      // Going back leads up too.
      if (layer > 2) await page.goBack()
      else await page.getByRole('button', { name: 'Up one layer' }).tap()
      await expect(heading(page, formatAddressTail(chain[layer]))).toBeVisible()
      await expect(area(page, 'Left')).toContainText(formatAddressTail(chain[layer + 1]))
    }
    await page.getByRole('button', { name: 'Up one layer' }).tap()
    await expect(heading(page, 'You')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Up one layer' })).toHaveCount(0)
  })

  test('has a path that leads back up, and keeps its position while another page is open', async ({
    page,
    stack,
    register,
    enter,
  }) => {
    const member = await registerWithEmptyTeam(register)
    await createTeam(stack, member, { invited: 30, activatedEvery: 4 })
    await enter(member)
    await page.goto('/teams/maps')
    await area(page, 'Right').click()
    await expect(visibleMain(page)).toContainText('Layer 1, Right')
    await area(page, 'Center').click()
    await expect(visibleMain(page)).toContainText('Layer 2, Center')
    await page.getByRole('navigation').getByRole('link', { name: 'Home' }).click()
    await expect(page).toHaveURL('/home')
    await page.goBack()
    await expect(visibleMain(page)).toContainText('Layer 2, Center')
    const path = page.getByRole('navigation', { name: 'Where you are in the net' })
    await path.getByRole('button', { name: /^Right/ }).click()
    await expect(visibleMain(page)).toContainText('Layer 1, Right')
    await path.getByRole('button', { name: 'You' }).click()
    await expect(heading(page, 'You')).toBeVisible()
  })

  test('has its place in the address, can be searched by address, and opens from an invitation', async ({
    page,
    register,
    enter,
  }) => {
    const chain = await registerInvitationChain(register, 4)
    const [first, second, third, fourth] = chain
    if (!first || !second || !third || !fourth) throw new Error('nobody registered')
    await enter(first)
    await page.goto('/teams/maps')
    const search = visibleMain(page).getByRole('searchbox', { name: 'Find a member in your five layers' })
    await search.fill('abc')
    await search.press('Enter')
    await expect(visibleMain(page)).toContainText('Enter a whole address, or the last six digits')
    await search.fill(first.account.address)
    await search.press('Enter')
    await expect(visibleMain(page)).toContainText('This member is not in your five layers.')
    await search.fill(fourth.account.address)
    await search.press('Enter')
    await expect(heading(page, formatAddressTail(fourth))).toBeVisible()
    await page.reload()
    await expect(heading(page, formatAddressTail(fourth))).toBeVisible()
    await page.goBack()
    await expect(heading(page, 'You')).toBeVisible()
    await search.fill(formatAddressTail(third))
    await search.press('Enter')
    await expect(heading(page, formatAddressTail(third))).toBeVisible()

    await page.goto('/teams')
    await visibleMain(page)
      .getByRole('listitem')
      .filter({ hasText: formatAddressTail(second) })
      .getByRole('link')
      .click()
    await expect(page).toHaveURL(/\/teams\/maps#/)
    await expect(heading(page, formatAddressTail(second))).toBeVisible()
    await page.goBack()
    await expect(page).toHaveURL('/teams')
  })

  test('cannot be searched without a network, and says so', async ({ page, context, register, enter }) => {
    await enter(await register())
    await page.goto('/teams/maps')
    const search = visibleMain(page).getByRole('searchbox', { name: 'Find a member in your five layers' })
    await expect(search).toBeVisible()
    await context.setOffline(true)
    await search.fill('abcdef')
    await search.press('Enter')
    await expect(search).toHaveAccessibleDescription(/./)
    await expect(page.getByRole('button', { name: 'Search' })).toBeEnabled()
  })

  test('is not opened from an invitation of a member below the five layers', async ({ page, register, enter }) => {
    const member = await register()
    const invited = await register({ invite: member.inviteCode })
    await patchAnswer(page, 'team/invitations', (data) => ({
      ...data,
      items: data.items.map((item) => ({ ...item, node: null })),
    }))
    await enter(member)
    await page.goto('/teams')
    const line = visibleMain(page)
      .getByRole('listitem')
      .filter({ hasText: formatAddressTail(invited) })
    await expect(line).toBeVisible()
    await expect(line.getByRole('link')).toHaveCount(0)
  })

  test('can be shown as a list with the same navigation', async ({ page, stack, register, enter }) => {
    const member = await registerWithEmptyTeam(register)
    await createTeam(stack, member, { invited: 4, activatedEvery: 4 })
    await enter(member)
    await page.goto('/teams/maps')
    await page.getByRole('button', { name: 'List' }).click()
    const areas = visibleMain(page).getByRole('list', { name: 'Areas' }).getByRole('listitem')
    await expect(areas.first()).toContainText(/Left…[0-9a-fA-F]{6} L\d · ActivatedMembers 2 · 1 activated/)
    await areas.first().getByRole('button').press('Enter')
    await expect(visibleMain(page)).toContainText('Layer 1, Left')
    await expect(areas.nth(1)).toHaveText(/Center\s*Open/)
    await areas.first().getByRole('button').press('Enter')
    await expect(heading(page, 'This account has no child nodes')).toBeVisible()
    await page.getByRole('button', { name: 'Up one layer' }).press('Enter')
    await page.getByRole('button', { name: 'Tree' }).click()
    await expect(area(page, 'Left')).toBeVisible()
  })

  test('shows an error if the next part cannot be loaded, and leads back', async ({ page, stack, register, enter }) => {
    const member = await registerWithEmptyTeam(register)
    await createTeam(stack, member, { invited: 3 })
    await enter(member)
    await page.route(/\/api\/team\/net\?.*root=/, (route) =>
      route.fulfill({ status: 404, json: { code: 404, message: '', data: null, reason: 'team-node-unknown' } }),
    )
    await page.goto('/teams/maps')
    await area(page, 'Left').click()
    await expect(heading(page, 'This part of the net could not be loaded')).toBeVisible()
    await expect(visibleMain(page)).toContainText('This member is not in your five layers.')
    await page.getByRole('button', { name: 'Back to you' }).click()
    await expect(area(page, 'Left')).toBeVisible()
  })

  for (const { lang, net, none, previous } of [
    { lang: 'zh_tw', net: '我的團隊網', none: '此帳戶沒有子節點', previous: '上一層' },
    { lang: 'zh_cn', net: '我的团队网', none: '该账户没有子节点', previous: '上一层' },
  ] as const)
    test(`is translated into ${lang}`, async ({ page, stack, register, enter }) => {
      const member = await register({ lang })
      await createTeam(stack, member, { invited: 1 })
      await enter(member)
      await page.goto('/teams/maps')
      await expect(page.getByRole('heading', { name: net })).toBeVisible()
      await visibleMain(page).getByRole('list').getByRole('button').first().tap()
      await expect(page.getByRole('heading', { name: none })).toBeVisible()
      await page.getByRole('button', { name: previous }).tap()
      await expect(page.getByRole('button', { name: previous })).toHaveCount(0)
    })
})
