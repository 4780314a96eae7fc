/** The events of a page at which text must be stored, or can be saved again. */

/** The functions that {@link watchPage} calls. */
export interface PageActions {
  /** Saves when the page is hidden or closed, which can be the last time that it runs. */
  readonly leave: () => void
  /** Repeats a save that failed, when the person returns to the page or the network does. */
  readonly retry: () => void
  /** Whether the text is stored outside of the page. Otherwise the browser displays a confirmation before it closes the page. */
  readonly isStored: () => boolean
}

/** Calls the actions until the signal is aborted. */
export const watchPage = (signal: AbortSignal, { leave, retry, isStored }: PageActions): void => {
  window.addEventListener("pagehide", leave, { signal })
  window.addEventListener("online", retry, { signal })
  window.addEventListener("focus", retry, { signal })
  document.addEventListener(
    "visibilitychange",
    () => (document.visibilityState === "hidden" ? leave() : retry()),
    { signal }
  )
  window.addEventListener(
    "beforeunload",
    (event) => {
      if (!isStored()) event.preventDefault()
    },
    { signal }
  )
}
