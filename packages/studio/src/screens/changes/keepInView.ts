/** Scrolls to an element while the content above it is loaded. */

/** The time that the content above has to load, in milliseconds. */
const loadingMs = 10_000

const actions = ["wheel", "touchstart", "pointerdown", "keydown"] as const

/** Scrolls to the element, again when its container grows, until the person acts. Returns a function that ends it. */
export const keepInView = (element: HTMLElement): (() => void) => {
  const observer = new ResizeObserver(() => element.scrollIntoView())
  const end = () => {
    observer.disconnect()
    clearTimeout(timer)
    for (const action of actions) window.removeEventListener(action, end, true)
  }
  const timer = setTimeout(end, loadingMs)
  for (const action of actions) window.addEventListener(action, end, { capture: true, passive: true })
  if (element.parentElement !== null) observer.observe(element.parentElement)
  return end
}
