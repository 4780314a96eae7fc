/** A value that components subscribe to. */
import { useSyncExternalStore } from "react"

/** A value with subscribers. */
export interface Store<Value> {
  readonly get: () => Value
  readonly set: (value: Value) => void
  readonly subscribe: (listener: () => void) => () => void
}

/** Creates a store. */
export const createStore = <Value>(initial: Value): Store<Value> => {
  let current = initial
  const listeners = new Set<() => void>()
  return {
    get: () => current,
    set: (value) => {
      if (Object.is(value, current)) return
      current = value
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    }
  }
}

/** Returns the value of a store, and renders again when it changes. */
export const useStore = <Value>(store: Store<Value>): Value =>
  useSyncExternalStore(store.subscribe, store.get)

/** Reads a value of this device. Returns `undefined` if the browser forbids storage, or the value is malformed. */
export const readStored = (key: string): unknown => {
  try {
    const text = localStorage.getItem(`lectern.${key}`)
    return text === null ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Stores a value on this device, if the browser permits it. */
export const writeStored = (key: string, value: unknown): void => {
  try {
    localStorage.setItem(`lectern.${key}`, JSON.stringify(value))
  } catch {
    // Storage is a convenience here: the value remains for as long as the page is open.
  }
}
