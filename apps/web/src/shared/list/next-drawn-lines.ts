/** Lines from `first` up to and without `end`. */
export type Range = { readonly first: number; readonly end: number }

/**
 * The lines to draw in this frame, on the way from the drawn ones to the wanted ones. At most `step` new lines are
 * drawn in a frame, so that a jump in a long list blocks a slow phone for several short times and not for one long
 * time. After a jump the lines on the screen come first, from `onScreen` on.
 */
export function nextDrawnLines(
  drawn: Range,
  wanted: Range,
  { onScreen, step }: { onScreen: number; step: number },
): Range {
  const first = Math.max(drawn.first, wanted.first)
  const end = Math.min(drawn.end, wanted.end)
  if (first >= end) return { first: onScreen, end: Math.min(onScreen + step, wanted.end) }
  const below = Math.min(step, wanted.end - end)
  const above = Math.min(step - below, first - wanted.first)
  // Lines above the screen are less urgent than those below, unless the member scrolls up and none are missing below.
  return { first: first - above, end: end + below }
}
