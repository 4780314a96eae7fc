/** Opens dialogs from actions, which are not components. */
import type { ReactNode } from "react"
import { createStore, useStore } from "../store/store.ts"

type Render = (close: () => void) => ReactNode

const dialogStore = createStore<Render | undefined>(undefined)

/** Opens a dialog. `render` receives the function that closes it. */
export const openDialog = (render: Render): void => dialogStore.set(render)

/** Displays the dialog that is open. */
export const DialogHost = () => {
  const render = useStore(dialogStore)
  if (render === undefined) return null
  // A form can open another dialog when it is sent, such as one with a secret. Its own end must not close that one.
  return render(() => {
    if (dialogStore.get() === render) dialogStore.set(undefined)
  })
}
