/** Finds the screen of an address, and loads its component once. */
import { type ComponentType, type LazyExoticComponent, lazy } from "react"
import type { Screen } from "../actions/Area.ts"
import { areas } from "../areas.ts"
import { compareSpecificity, matchPath } from "../router/paths.ts"

type Params = Readonly<Record<string, string>>
type Loaded = LazyExoticComponent<ComponentType<{ readonly params: Params }>>

const screens: ReadonlyArray<Screen> = areas
  .flatMap((area) => area.screens)
  .toSorted((one, other) => compareSpecificity(one.pattern, other.pattern))

const components = new Map<unknown, Loaded>()

/** Returns the component that a function loads. */
export const componentOf = (load: Screen["load"]): Loaded => {
  const existing = components.get(load)
  if (existing !== undefined) return existing
  const component = lazy(load)
  components.set(load, component)
  return component
}

/** Returns the screen of a path with its parameters, or `undefined`. */
export const findScreen = (
  path: string
): { readonly screen: Screen; readonly params: Params } | undefined => {
  for (const screen of screens) {
    const params = matchPath(screen.pattern, path)
    if (params !== undefined) return { screen, params }
  }
  return undefined
}
