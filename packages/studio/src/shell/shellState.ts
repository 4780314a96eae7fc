/** The state of the frame around the screens: the sidebar, the command palette and the help on shortcuts. */
import { createStore, readStored, writeStored } from "../store/store.ts"

/** Whether the sidebar is displayed on wide windows. */
export const isSidebarOpen = createStore(readStored("sidebar") !== false)

/** Whether the navigation is displayed over the content on narrow windows. */
export const isDrawerOpen = createStore(false)

/** Whether the command palette is open. */
export const isPaletteOpen = createStore(false)

/** The query that was typed while the code of the command palette was loaded. */
export const typedQuery = createStore("")

/** The element that had the focus before the field that is displayed while the code of the command palette is loaded. */
export const focusBeforePalette = createStore<HTMLElement | undefined>(undefined)

/** Whether the help on shortcuts is open. */
export const isHelpOpen = createStore(false)

/** Shows or hides the sidebar. */
export const toggleSidebar = (): void => {
  if (window.matchMedia("(width < 48rem)").matches) {
    isDrawerOpen.set(!isDrawerOpen.get())
    return
  }
  writeStored("sidebar", !isSidebarOpen.get())
  isSidebarOpen.set(!isSidebarOpen.get())
}
