/** The tabs of samples in displays of APIs. */

/** Selects the tab of a sample, by a click or by an arrow key. */
const selectTab = (event: Event): void => {
  const tab = event.target instanceof Element ? event.target.closest("[role=tab]") : null
  const list = tab?.parentElement
  if (!(tab instanceof HTMLElement) || list === null || list === undefined) return
  const tabs = Array.from(list.querySelectorAll<HTMLElement>("[role=tab]"))
  let chosen = tab
  if (event instanceof KeyboardEvent) {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    chosen = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length]!
    chosen.focus()
  }
  for (const one of tabs) {
    const isSelected = one === chosen
    one.setAttribute("aria-selected", String(isSelected))
    if (isSelected) one.removeAttribute("tabindex")
    else one.tabIndex = -1
    const panel = list.closest(".samples")?.querySelector(`[id="${one.getAttribute("aria-controls")}"]`)
    panel?.classList.toggle("unselected", !isSelected)
  }
}

/** Lets the tabs in an element select samples. Returns the function that ends it. */
export const listenToTabs = (rendered: HTMLElement): (() => void) => {
  for (const name of ["click", "keydown"]) rendered.addEventListener(name, selectTab)
  return () => {
    for (const name of ["click", "keydown"]) rendered.removeEventListener(name, selectTab)
  }
}
