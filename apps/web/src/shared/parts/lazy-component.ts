import { type ComponentType, lazy } from 'react'
import { loadMemberTexts } from '../i18n/index.ts'
import { session } from '../session/index.ts'
import { reloadOnce } from './reload-once.ts'

/**
 * A component that is loaded when it is first drawn, for a member together with all texts. If loading fails, the page
 * is reloaded once. After that the failure is an error of its view: `lazy` remembers the failure, and only a fresh page
 * can try again.
 */
export const lazyComponent = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazy(async () => {
    try {
      const [component] = await Promise.all([load(), session.get().token !== null && loadMemberTexts()])
      return { default: component }
    } catch (error) {
      // Never resolves, so that the screen stays as it is until the page reloads.
      if (reloadOnce()) return new Promise<never>(() => {})
      throw error
    }
  })
