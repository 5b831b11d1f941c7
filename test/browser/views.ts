import type { Locator, Page } from '@playwright/test'

/** The content of the screen that is shown. Screens that were visited before stay in the page, hidden. */
export const visibleMain = (page: Page): Locator => page.locator('main:visible')
