/** The gesture of pulling a list down from its top. */
export type Pull =
  | { readonly at: 'rest' }
  /** A finger is down at the top of the list. It can still become a tap or a scroll. */
  | { readonly at: 'touched'; readonly fromY: number }
  | { readonly at: 'pulling'; readonly fromY: number; readonly distance: number; readonly far: boolean }
  | { readonly at: 'refreshing' }

export type PullEvent =
  | { readonly type: 'down'; readonly y: number; readonly atTop: boolean }
  | { readonly type: 'move'; readonly y: number }
  | { readonly type: 'up' }
  | { readonly type: 'done' }

/** How far the list must be pulled to refresh, and how far it can be pulled. */
export const FAR_ENOUGH = 56
const FARTHEST = 96

/** The list moves half as far as the finger, which feels like resistance. */
const followed = (moved: number): number => Math.min(moved / 2, FARTHEST)

export function nextPull(pull: Pull, event: PullEvent): Pull {
  switch (event.type) {
    case 'down':
      return pull.at === 'rest' && event.atTop ? { at: 'touched', fromY: event.y } : pull
    case 'move': {
      if (pull.at !== 'touched' && pull.at !== 'pulling') return pull
      const distance = followed(event.y - pull.fromY)
      // The finger moved up from its start: that is scrolling, not pulling.
      if (distance <= 0) return pull.at === 'touched' ? { at: 'rest' } : { at: 'touched', fromY: pull.fromY }
      return { at: 'pulling', fromY: pull.fromY, distance, far: distance >= FAR_ENOUGH }
    }
    case 'up':
      if (pull.at === 'pulling' && pull.far) return { at: 'refreshing' }
      return pull.at === 'refreshing' ? pull : { at: 'rest' }
    case 'done':
      return pull.at === 'refreshing' ? { at: 'rest' } : pull
  }
}
