/** Retains the focus on the screen when the element that has it is removed, such as the button of an action that has succeeded. */
import { useEffect } from "react"

/** How long others can move the focus first, in milliseconds: dialogs return it to the button that opened them. */
const waitMs = 100

/** Moves the focus to the content when the element that has it is removed. The next key continues there, and not at the top of the page. */
export const useRetainedFocus = (): void => {
  useEffect(() => {
    let last: EventTarget | null = null
    const remember = ({ target }: FocusEvent) => {
      last = target
    }
    const isLost = () => last instanceof Node && !last.isConnected && document.activeElement === document.body
    const keep = () => {
      if (isLost()) document.getElementById("main")?.focus({ preventScroll: true })
    }
    const observer = new MutationObserver(() => {
      if (isLost()) setTimeout(keep, waitMs)
    })
    document.addEventListener("focusin", remember)
    observer.observe(document.body, { childList: true, subtree: true })
    return () => {
      document.removeEventListener("focusin", remember)
      observer.disconnect()
    }
  }, [])
}
