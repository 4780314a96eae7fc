/** Work on elements of long pages that waits until they come near the window. */

const waiting = new WeakMap<Element, () => void>()

let observer: IntersectionObserver | undefined

const observe = (element: Element): void => {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue
        observer?.unobserve(target)
        waiting.get(target)?.()
        waiting.delete(target)
      }
    },
    // A page above and below, so that the work is done before a person arrives there.
    { rootMargin: "100% 0px" }
  )
  observer.observe(element)
}

/** Calls a function once, when an element is within a page of the window. Returns the function that ends it. */
export const whenNear = (element: Element, run: () => void): (() => void) => {
  waiting.set(element, run)
  observe(element)
  return () => {
    waiting.delete(element)
    observer?.unobserve(element)
  }
}
