import { type ViewName, views } from './views.ts'

type Query = Readonly<Record<string, string>>

/** A view with the query of its address when it was opened. A view in the background must not see the next query. */
export type OpenView = { readonly name: ViewName; readonly search: string; readonly query: Query }

export type OpenViews = {
  /** The session token for which the views were opened, or null. */
  readonly owner: string | null
  readonly active: OpenView
  /** The views that stay mounted, also the active one if it is such a view. A view is added once and never removed. */
  readonly kept: readonly OpenView[]
}

const createOpenView = (name: ViewName, search: string): OpenView => ({
  name,
  search,
  query: Object.freeze(Object.fromEntries(new URLSearchParams(search))),
})

export const openFirstView = (owner: string | null, name: ViewName, search: string): OpenViews => {
  const active = createOpenView(name, search)
  return { owner, active, kept: views[name].kept ? [active] : [] }
}

/**
 * Makes a view the active one. A kept view that is opened with other query values is created again, in its old
 * position. With the same values it appears as the member left it. Another owner starts without kept views: one
 * member's views are never shown to the next.
 */
export function openView(current: OpenViews, owner: string | null, name: ViewName, search: string): OpenViews {
  if (owner !== current.owner) return openFirstView(owner, name, search)
  const { active, kept } = current
  const existing = [active, ...kept].find((view) => view.name === name)
  const next = existing?.search === search ? existing : createOpenView(name, search)
  if (!views[name].kept) return { owner, active: next, kept }
  return {
    owner,
    active: next,
    kept: kept.some((view) => view.name === name)
      ? kept.map((view) => (view.name === name ? next : view))
      : [...kept, next],
  }
}
