import { type ComponentType, lazy } from 'react'
import { reloadOnce } from './reload-once.ts'

/**
 * A component that is loaded when it is first drawn. Where it cannot be had the page is loaded anew, once; after that it is
 * an error of its view, for `lazy` remembers the failure and only a fresh page can ask again.
 */
export const lazyPart = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazy(async () => {
    try {
      return { default: await load() }
    } catch (error) {
      // What is on screen stays until the page goes.
      if (reloadOnce()) return new Promise<never>(() => {})
      throw error
    }
  })
