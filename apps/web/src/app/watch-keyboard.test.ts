import { expect, it } from 'vitest'
import { coveredHeight } from './watch-keyboard.ts'

it('an on-screen keyboard covers the part of the window below what is visible', () => {
  expect(coveredHeight(844, { height: 500, offsetTop: 0, scale: 1 })).toBe(344)
  expect(coveredHeight(844, { height: 500, offsetTop: 100, scale: 1 })).toBe(244)
})

it('a browser that makes the window smaller, a zoomed page and the browser’s own bars cover nothing', () => {
  expect(coveredHeight(500, { height: 500, offsetTop: 0, scale: 1 })).toBe(0)
  expect(coveredHeight(844, { height: 422, offsetTop: 0, scale: 2 })).toBe(0)
  expect(coveredHeight(844, { height: 790, offsetTop: 0, scale: 1 })).toBe(0)
})
