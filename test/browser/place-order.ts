import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'

type OrderTerms =
  | { readonly kind: 'promotion' }
  | { readonly kind: 'pledge'; readonly quantity: string; readonly termDays: number }

/**
 * Places an order that is to be paid with the wallet, with the session of this page. The app's form would go on to the
 * payment by itself.
 */
export async function placeUnpaidOrder(page: Page, { kind, ...terms }: OrderTerms): Promise<void> {
  const key = randomBytes(16).toString('hex')
  await page.goto('/healthz')
  const status = await page.evaluate(
    async ({ kind, terms, key }) => {
      const { state } = JSON.parse(localStorage.getItem('session') ?? '{}')
      const headers = { authorization: `Bearer ${state.token}`, 'content-type': 'application/json' }
      const overview = await fetch(`/api/${kind}/overview?account=${state.account}`, { headers })
      const { data } = await overview.json()
      const next = kind === 'promotion' ? { level: data.plan.next.level } : terms
      const body = { account: state.account, key, planVersion: data.plan.version, balancePart: '0', ...next }
      const { status } = await fetch(`/api/${kind}/order`, { method: 'POST', headers, body: JSON.stringify(body) })
      return status
    },
    { kind, terms, key },
  )
  if (status !== 200) throw new Error(`The pool refused the order with ${status}`)
}
