/** A finger that pulls a list down from its top. */
export type Pull =
  | { readonly at: 'rest' }
  /** Down, at the top of the list; it may still become a tap, or scrolling. */
  | { readonly at: 'touched'; readonly fromY: number }
  | { readonly at: 'pulling'; readonly fromY: number; readonly distance: number; readonly far: boolean }
  | { readonly at: 'refreshing' }

export type PullEvent =
  | { readonly type: 'down'; readonly y: number; readonly atTop: boolean }
  | { readonly type: 'move'; readonly y: number }
  | { readonly type: 'up' }
  | { readonly type: 'done' }

/** How far the list must come down to be let go, and the farthest that it comes. */
export const FAR_ENOUGH = 56
const FARTHEST = 96

/** The list follows the finger at half its pace, so that it feels like something that is held. */
const followed = (moved: number): number => Math.min(moved / 2, FARTHEST)

export function nextPull(pull: Pull, event: PullEvent): Pull {
  switch (event.type) {
    case 'down':
      return pull.at === 'rest' && event.atTop ? { at: 'touched', fromY: event.y } : pull
    case 'move': {
      if (pull.at !== 'touched' && pull.at !== 'pulling') return pull
      const distance = followed(event.y - pull.fromY)
      // Up from where it began: that is scrolling, and not ours any more.
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
