import { type ViewName, views } from './views.ts'

type Query = Readonly<Record<string, string>>

/** A view as it was opened. Its query is read once: a view kept in the background must not see the next one's. */
export type OpenView = { readonly name: ViewName; readonly search: string; readonly query: Query }

export type OpenViews = {
  /** For whom they were opened: the token, or null for nobody. */
  readonly owner: string | null
  readonly active: OpenView
  /** Views that stay alive in the background. A name is added if it is not there, and never taken away. */
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
 * Opening a kept view with other query values opens it anew in its old place; with the same ones it is found as it was left.
 * Another owner begins with nothing: what was kept for one member is never shown to the next.
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
