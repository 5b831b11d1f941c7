import { expect, test } from '../browser/test.ts'
import { loadAxe, violations } from './axe.ts'
import { clippedTexts, overlappingTexts, smallTargets } from './layout.ts'

test('the accessibility checks find each kind of problem', async ({ page }) => {
  await page.goto('/login')
  await page.getByRole('main').waitFor()
  await loadAxe(page)
  expect(await violations(page)).toEqual([])
  await page.evaluate(() => {
    const add = (tag: string, text: string, style: Record<string, string>) => {
      const element = document.createElement(tag)
      element.append(text)
      Object.assign(element.style, style)
      document.querySelector('main')?.prepend(element)
    }
    add('p', `wide${'e'.repeat(80)}`, { whiteSpace: 'nowrap' })
    add('p', 'one line that its box cuts', { overflow: 'hidden', whiteSpace: 'nowrap', width: '100px' })
    add('p', 'two lines of which one fits', { overflow: 'hidden', width: '120px', height: '24px' })
    add('button', 's', { width: '20px', height: '20px', padding: '0' })
    add('p', 'pale', { color: '#ddd', background: '#fff' })
    add('p', 'under', { height: '1px' })
    add('button', '', { width: '44px', height: '44px' })
  })
  expect(await page.evaluate(clippedTexts)).toEqual([
    'cut in height: two lines of which one fits',
    'cut sideways: one line that its box cuts',
    expect.stringContaining('beyond the screen: wide'),
    expect.stringContaining('cut sideways: wide'),
  ])
  expect(await page.evaluate(overlappingTexts)).toContain('drawn over each other: under / pale')
  expect(await page.evaluate(smallTargets)).toEqual(['20 × 20: s'])
  expect(await violations(page)).toEqual([
    expect.stringContaining('button-name'),
    expect.stringContaining('color-contrast'),
  ])
})
