/** Opens dialogs from actions, which are not components. */
import type { ReactNode } from "react"
import { createStore, useStore } from "../store/store.ts"

type Render = (close: () => void) => ReactNode

const dialogStore = createStore<Render | undefined>(undefined)
const aboveStore = createStore<Render | undefined>(undefined)

/** Opens a dialog. `render` receives the function that closes it. */
export const openDialog = (render: Render): void => dialogStore.set(render)

/** Opens a dialog above the one that is open, which remains. */
export const openDialogAbove = (render: Render): void => aboveStore.set(render)

const Opened = ({ store }: { readonly store: typeof dialogStore }) => {
  const render = useStore(store)
  if (render === undefined) return null
  // A form can open another dialog when it is sent, such as one with a secret. Its own end must not close that one.
  return render(() => {
    if (store.get() === render) store.set(undefined)
  })
}

/** Displays the dialogs that are open. */
export const DialogHost = () => (
  <>
    <Opened store={dialogStore} />
    <Opened store={aboveStore} />
  </>
)
