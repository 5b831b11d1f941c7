/**
 * Postpones a reload of the page while something must not be interrupted. While a wallet is asked, a reload would lose
 * its answer.
 */
export function createReloadHold(reload: () => void) {
  let holds = 0
  let isWanted = false
  return {
    /** Reloads now, or when nothing holds the page any longer. */
    reload(): void {
      if (holds === 0) reload()
      else isWanted = true
    },
    /** Holds the page until the returned function is called. */
    hold(): () => void {
      let isHeld = true
      holds += 1
      return () => {
        if (!isHeld) return
        isHeld = false
        holds -= 1
        if (holds === 0 && isWanted) reload()
      }
    },
  }
}
