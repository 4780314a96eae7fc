/**
 * Where a piece of content stands: its path and its level follow from the collection that it is in.
 *
 * The path of a collection or a space names the collections above it, outermost first, as in `/a/b/`; at the
 * root it is `/`. Its level is what its default level comes to, once what it inherits is looked up: a role, null
 * for none, or `inherit` where every one above inherits and the organization's own role of a member counts.
 */
import type { DefaultLevel } from "../roles/Role.ts"

/** What the placement of a piece of content depends on: the collection above, or undefined at the root. */
export interface Container {
  readonly id: string
  readonly path: string
  readonly level: DefaultLevel
}

/** The path of what is in a container. */
export const pathIn = (container: Container | undefined): string =>
  container === undefined ? "/" : `${container.path}${container.id}/`

/** The level of what is in a container, by its own default level. */
export const levelIn = (container: Container | undefined, defaultLevel: DefaultLevel): DefaultLevel => {
  if (defaultLevel !== "inherit") return defaultLevel
  return container === undefined ? "inherit" : container.level
}

/** The ids of the collections that a path names, outermost first. */
export const ancestorsOf = (path: string): ReadonlyArray<string> => path.split("/").filter((id) => id !== "")

/** How many collections a path names: the depth of a collection is one more. */
export const depthOf = (path: string): number => ancestorsOf(path).length
