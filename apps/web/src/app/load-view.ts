import type { ComponentType } from 'react'
import { loadMemberTexts } from '../shared/i18n/index.ts'
import type { ViewProps } from '../shared/routing/index.ts'
import type { Navigation } from './Navigation.tsx'
import { isSignInView, needsOnlyFirstTexts, type ViewName, views } from './views.ts'

const loaded = new Map<ViewName, ComponentType<ViewProps>>()

export const loadedView = (name: ViewName): ComponentType<ViewProps> | undefined => loaded.get(name)

let navigation: typeof Navigation | undefined

/** Undefined until the first view for members is loaded. */
export const loadedNavigation = (): typeof Navigation | undefined => navigation

export async function loadView(name: ViewName): Promise<void> {
  if (loaded.has(name)) return
  const [view] = await Promise.all([
    views[name].load(),
    isSignInView(name) || loadNavigation(),
    needsOnlyFirstTexts(name) || loadMemberTexts(),
  ])
  loaded.set(name, view)
}

async function loadNavigation(): Promise<void> {
  navigation = (await import('./Navigation.tsx')).Navigation
}
