/** Checks of a page's layout. They run in the page, so they cannot use anything from outside. */

/** Texts that are cut off by the edge of the screen or by a box that hides overflow. */
export function clippedTexts(): string[] {
  const problems: string[] = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement
    const text = node.textContent?.trim()
    if (!element || !text || !element.checkVisibility({ checkOpacity: true, visibilityProperty: true })) continue
    if (element.closest('.visually-hidden, [style*="inset(50%)"], noscript, script, style, option, [aria-hidden=true]'))
      continue
    // Cut off on purpose: the title attribute has the whole text.
    if (element.closest('[title]')) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    const rects = Array.from(range.getClientRects()).filter(({ width, height }) => width > 1 && height > 1)
    if (rects.length === 0) continue
    const left = Math.min(...rects.map((rect) => rect.left))
    const right = Math.max(...rects.map((rect) => rect.right))
    const top = Math.min(...rects.map((rect) => rect.top))
    const bottom = Math.max(...rects.map((rect) => rect.bottom))
    if (left < -1 || right > document.documentElement.clientWidth + 1) problems.push(`beyond the screen: ${text}`)
    for (let box: Element | null = element; box && box !== document.body; box = box.parentElement) {
      const { overflowX, overflowY, position } = getComputedStyle(box)
      const bounds = box.getBoundingClientRect()
      if (bounds.width <= 1 || bounds.height <= 1) break
      // Content that scrolls sideways is not cut off, but nobody finds it. Only code blocks may do that.
      const sideways = overflowX !== 'visible' && box.tagName !== 'PRE'
      if (sideways && (left < bounds.left - 1 || right > bounds.right + 1)) problems.push(`cut sideways: ${text}`)
      const hides = overflowY === 'hidden' || overflowY === 'clip'
      if (hides && (top < bounds.top - 1 || bottom > bounds.bottom + 1)) problems.push(`cut in height: ${text}`)
      if (overflowY === 'auto' || overflowY === 'scroll' || position === 'fixed') break
    }
  }
  return Array.from(new Set(problems))
}

/** Texts that are drawn over each other. */
export function overlappingTexts(): string[] {
  const drawn: { text: string; element: Element; root: Element; rect: DOMRect }[] = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement
    const text = node.textContent?.trim()
    if (!element || !text || !element.checkVisibility({ checkOpacity: true, visibilityProperty: true })) continue
    if (element.closest('.visually-hidden, [style*="inset(50%)"], noscript, script, style, option')) continue
    // Scrolling content passes under the bars, and a sheet covers the page. So only texts in the same container are
    // compared.
    let root: Element | null = element
    while (root && !/auto|scroll/.test(getComputedStyle(root).overflowY) && !root.matches('header, footer, nav')) {
      root = root.parentElement
    }
    if (!root) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    for (const { x, y, width, height } of range.getClientRects()) {
      // The box of a font is taller than its letters.
      const rect = new DOMRect(x + 1, y + height * 0.25, width - 2, height * 0.5)
      if (rect.width > 0 && rect.height > 1) drawn.push({ text, element, root, rect })
    }
  }
  const problems = new Set<string>()
  for (const [place, one] of drawn.entries()) {
    for (const other of drawn.slice(place + 1)) {
      if (one.root !== other.root || one.element === other.element) continue
      const [a, b] = [one.rect, other.rect]
      if (a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
        problems.add(`drawn over each other: ${one.text} / ${other.text}`)
    }
  }
  return Array.from(problems)
}

/** Controls that are smaller than a fingertip: 44 × 44 px. */
export function smallTargets(): string[] {
  const LEAST = 44
  const pressable = 'a[href], button, input, select, textarea, summary, [role=button], [role=link], [role=tab]'
  const problems: string[] = []
  for (const element of document.querySelectorAll(pressable)) {
    if (!element.checkVisibility({ checkOpacity: true, visibilityProperty: true })) continue
    if (element.closest('[aria-hidden=true], [inert]') || element.getAttribute('tabindex') === '-1') continue
    // A button's ::after can cover the whole line that it belongs to. An option can be pressed anywhere on its label.
    const { content, position, top, right, bottom, left } = getComputedStyle(element, '::after')
    const coversLine =
      content !== 'none' && position === 'absolute' && [top, right, bottom, left].every((side) => side === '0px')
    const line = coversLine && element instanceof HTMLElement ? element.offsetParent : null
    const target = line ?? (element instanceof HTMLInputElement ? (element.closest('label') ?? element) : element)
    const { width, height } = target.getBoundingClientRect()
    if (width === 0 || height === 0) continue
    if (Math.round(width) < LEAST || Math.round(height) < LEAST) {
      const name = element.getAttribute('aria-label') ?? element.textContent?.trim() ?? element.tagName
      problems.push(`${Math.round(width)} × ${Math.round(height)}: ${name || element.outerHTML.slice(0, 80)}`)
    }
  }
  return problems
}

/** What is wrong with the focused element: covered, outside the screen, or without a visible focus mark. */
export function focusProblem(): { element: string; problem: string | undefined } | undefined {
  const focused = document.activeElement
  if (!focused || focused === document.body || focused === document.documentElement) return undefined
  const element = focused.getAttribute('aria-label') ?? focused.textContent?.trim().slice(0, 60) ?? focused.tagName
  const rect = focused.getBoundingClientRect()
  const label = `${focused.tagName.toLowerCase()} ${element}`
  const x = Math.min(Math.max(rect.left + rect.width / 2, 1), innerWidth - 1)
  const y = rect.top + rect.height / 2
  if (y < 0 || y > innerHeight) return { element: label, problem: 'is out of sight' }
  const over = document.elementFromPoint(x, y)
  const choice = focused.closest('label') ?? focused
  if (over && !choice.contains(over) && !over.contains(focused)) {
    return { element: label, problem: `is covered by ${over.outerHTML.slice(0, 80)}` }
  }
  const drawn = [focused, choice, focused.nextElementSibling, focused.parentElement].flatMap((part) =>
    part ? [getComputedStyle(part)] : [],
  )
  const shows = [...drawn, getComputedStyle(focused, '::after')].some(({ outlineStyle, outlineWidth, boxShadow }) => {
    return (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1) || boxShadow !== 'none'
  })
  return { element: label, problem: shows ? undefined : 'does not show that it has the focus' }
}
