import type { DataOf, Envelope, RouteName } from '@lode/wire'
import type { Page } from '@playwright/test'
import type { BrowserStack } from './stack.ts'

/**
 * Changes the pool's answer in the browser, to a state that would need days, operators or a chain that stands still.
 */
export async function patchAnswer<Name extends RouteName>(
  page: Page,
  name: Name,
  change: (data: DataOf<Name>) => DataOf<Name>,
): Promise<void> {
  await page.route(new RegExp(`/api/${name}(?:\\?|$)`), async (route) => {
    // The whole answer, also if the page has kept an earlier one.
    const { 'if-none-match': _kept, ...headers } = route.request().headers()
    const response = await route.fetch({ headers })
    const body = (await response.json()) as { data: DataOf<Name> }
    await route.fulfill({ json: { ...body, data: change(body.data) } })
  })
}

/** Calls a public route. */
export async function callPublicRoute<Name extends 'plan/current' | 'pool/payments' | 'pool/days'>(
  stack: BrowserStack,
  name: Name,
): Promise<DataOf<Name>> {
  const response = await fetch(`${stack.origin}/api/${name}`)
  const envelope = (await response.json()) as Envelope<DataOf<Name>>
  if (envelope.code !== 200) throw new Error(`${response.url} answered ${JSON.stringify(envelope)}`)
  return envelope.data
}

/** For `patchAnswer`: the member registered two months before, so that the last month can be chosen. */
export const registeredEarlier = (profile: DataOf<'account/profile'>): DataOf<'account/profile'> => ({
  ...profile,
  registeredAt: new Date(Date.now() - 62 * 86_400_000).toISOString(),
})
