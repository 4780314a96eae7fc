/** Retains the focus on the screen when the element that has it is removed or disabled, such as the button of an action that has succeeded. */
import { useEffect } from "react"
import { noteFocus, noteLostField } from "../actions/lostField.ts"

/** How long others can move the focus first, in milliseconds: dialogs return it to the button that opened them. */
const waitMs = 100

const focusable =
  "a[href], button:not(:disabled), input:not(:disabled), textarea:not(:disabled), select:not(:disabled), [tabindex='0']"

/** An element that contained the focus, with the element after it. */
interface Step {
  readonly element: Element
  readonly next: Element | null
}

const stepsOf = (target: Element): ReadonlyArray<Step> => {
  const steps: Array<Step> = []
  for (let element: Element | null = target; element !== null; element = element.parentElement) {
    steps.push({ element, next: element.nextElementSibling })
  }
  return steps
}

const isDisplayed = (element: HTMLElement): boolean => element.getClientRects().length > 0

/** Returns the first control in an element, or the element itself if it is one. */
const controlIn = (element: Element | null): HTMLElement | undefined => {
  if (!(element instanceof HTMLElement) || !element.isConnected) return undefined
  if (element.matches(focusable) && isDisplayed(element)) return element
  return [...element.querySelectorAll<HTMLElement>(focusable)].find(isDisplayed)
}

/** Returns the control after the lost one in the same part of the screen. Without one, the focus moves to the content. */
const successorOf = (steps: ReadonlyArray<Step>): HTMLElement | undefined => {
  const index = steps.findIndex(({ element }) => element.isConnected && !element.matches(":disabled"))
  const container = steps[index]?.element
  // The whole screen was replaced.
  if (container === undefined || container.contains(document.querySelector("h1"))) return undefined
  return controlIn(steps[index - 1]?.next ?? null) ?? controlIn(container)
}

/** Whether an element belongs to a form, or a person writes in it. A choice in the palette ends the typing. */
const isField = (element: Element): boolean =>
  !element.matches("[role=combobox]") &&
  (element.matches("input, textarea, [contenteditable]") || element.closest("form") !== null)

/**
 * Moves the focus to the next control when the element that has it is removed or disabled, or to the content. The next key continues
 * there, and not at the top of the page.
 */
export const useRetainedFocus = (): void => {
  useEffect(() => {
    let steps: ReadonlyArray<Step> = []
    let wasField = false
    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return
      steps = stepsOf(target)
      wasField = isField(target)
      noteFocus()
    }
    const isLost = () => {
      const last = steps[0]?.element
      if (last === undefined || document.activeElement !== document.body) return false
      return !last.isConnected || last.matches(":disabled")
    }
    const keep = () => {
      if (!isLost()) return
      const hadField = wasField
      const target = successorOf(steps) ?? document.getElementById("main")
      target?.focus({ preventScroll: true })
      if (hadField) noteLostField()
    }
    const observer = new MutationObserver(() => {
      if (isLost()) setTimeout(keep, waitMs)
    })
    document.addEventListener("focusin", remember)
    observer.observe(document.body, {
      childList: true,
      subtree: true,
      attributes: true,
      attributeFilter: ["disabled"]
    })
    return () => {
      document.removeEventListener("focusin", remember)
      observer.disconnect()
    }
  }, [])
}
