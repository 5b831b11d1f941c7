/** The gesture of pulling a list down from its top. */
export type Pull =
  | { readonly at: 'rest' }
  /** A finger is down at the top of the list. The gesture can still become a tap or a scroll. */
  | { readonly at: 'touched'; readonly fromY: number }
  | { readonly at: 'pulling'; readonly fromY: number; readonly distance: number; readonly isFarEnough: boolean }
  | { readonly at: 'refreshing' }

export type PullEvent =
  | { readonly type: 'down'; readonly y: number; readonly atTop: boolean }
  | { readonly type: 'move'; readonly y: number }
  | { readonly type: 'up' }
  | { readonly type: 'refreshed' }

/** From this distance on, letting go refreshes the list. In CSS pixels. */
export const REFRESH_DISTANCE = 56
/** The list cannot be pulled farther than this. In CSS pixels. */
const MAX_DISTANCE = 96

/** The list moves half as far as the finger, which feels like resistance. */
const pullDistance = (moved: number): number => Math.min(moved / 2, MAX_DISTANCE)

export function nextPull(pull: Pull, event: PullEvent): Pull {
  switch (event.type) {
    case 'down':
      return pull.at === 'rest' && event.atTop ? { at: 'touched', fromY: event.y } : pull
    case 'move': {
      if (pull.at !== 'touched' && pull.at !== 'pulling') return pull
      const distance = pullDistance(event.y - pull.fromY)
      // The finger is at or above its start. A touch then is a scroll; a pull becomes a touch again.
      if (distance <= 0) return pull.at === 'touched' ? { at: 'rest' } : { at: 'touched', fromY: pull.fromY }
      return { at: 'pulling', fromY: pull.fromY, distance, isFarEnough: distance >= REFRESH_DISTANCE }
    }
    case 'up':
      if (pull.at === 'pulling' && pull.isFarEnough) return { at: 'refreshing' }
      return pull.at === 'refreshing' ? pull : { at: 'rest' }
    case 'refreshed':
      return pull.at === 'refreshing' ? { at: 'rest' } : pull
  }
}
