/** The actions that are possible now: of the areas, and of the components that are displayed. */
import { useEffect, useRef } from "react"
import { createStore } from "../store/store.ts"

/** An action of the command palette, of a menu or of a shortcut. */
export interface Action {
  readonly id: string
  readonly label: string
  /** The shortcut, such as `g h`, `mod+k` or `e`. */
  readonly shortcut?: string | undefined
  /** The title of the page or of another thing that the action concerns, for the command palette. */
  readonly about?: string | undefined
  /** Whether the action destroys something, which is displayed in red. */
  readonly isDangerous?: boolean | undefined
  readonly run: () => void
}

/** The actions of displayed components, innermost last. */
export const contextActions = createStore<ReadonlyArray<{ readonly current: ReadonlyArray<Action> }>>([])

/** Offers actions in the command palette and by their shortcuts, for as long as the component is displayed. */
export const useActions = (actions: ReadonlyArray<Action>): void => {
  const reference = useRef(actions)
  reference.current = actions
  useEffect(() => {
    contextActions.set([...contextActions.get(), reference])
    return () => contextActions.set(contextActions.get().filter((other) => other !== reference))
  }, [])
}

/** Returns the actions of all displayed components. An inner action replaces an outer one with the same id. */
export const currentContextActions = (): ReadonlyArray<Action> => {
  const byId = new Map<string, Action>()
  for (const { current } of contextActions.get()) for (const action of current) byId.set(action.id, action)
  return [...byId.values()].reverse()
}
