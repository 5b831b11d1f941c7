import { type ViewName, views } from './views.ts'

type Query = Readonly<Record<string, string>>

/** A view as it was opened. Its query is read once: a view in the background must not see the next view's query. */
export type OpenView = { readonly name: ViewName; readonly search: string; readonly query: Query }

export type OpenViews = {
  /** The session token for which the views were opened, or null. */
  readonly owner: string | null
  readonly active: OpenView
  /** Views that stay mounted in the background. A view is added once and never removed. */
  readonly kept: readonly OpenView[]
}

const opened = (name: ViewName, search: string): OpenView => ({
  name,
  search,
  query: Object.freeze(Object.fromEntries(new URLSearchParams(search))),
})

export const firstView = (owner: string | null, name: ViewName, search: string): OpenViews => {
  const active = opened(name, search)
  return { owner, active, kept: views[name].kept ? [active] : [] }
}

/**
 * Opening a kept view with other query values creates it again in its old position. With the same values it appears as
 * it was left. Another owner starts without kept views: one member's views are never shown to the next.
 */
export function openView(open: OpenViews, owner: string | null, name: ViewName, search: string): OpenViews {
  if (owner !== open.owner) return firstView(owner, name, search)
  const { active, kept } = open
  const known = [active, ...kept].find((view) => view.name === name)
  const next = known?.search === search ? known : opened(name, search)
  if (!views[name].kept) return { owner, active: next, kept }
  return {
    owner,
    active: next,
    kept: kept.some((view) => view.name === name)
      ? kept.map((view) => (view.name === name ? next : view))
      : [...kept, next],
  }
}
