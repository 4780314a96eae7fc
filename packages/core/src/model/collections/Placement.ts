/**
 * The placement of a collection or a space: a path and a level, derived from its parent.
 *
 * The path has the ids of its ancestors, outermost first, as in `/a/b/`; at the root it is `/`. The level is its
 * effective default level: a role, null for none, or `inherit` if every ancestor inherits too. Then members have
 * their role in the organization.
 */
import type { DefaultLevel } from "../roles/Role.ts"

/** The parent that a placement is derived from. At the root there is none. */
export interface Container {
  readonly id: string
  readonly path: string
  readonly level: DefaultLevel
}

/** The path of the items in a container. */
export const pathIn = (container: Container | undefined): string =>
  container === undefined ? "/" : `${container.path}${container.id}/`

/** The level of an item in a container, by its own default level. */
export const levelIn = (container: Container | undefined, defaultLevel: DefaultLevel): DefaultLevel => {
  if (defaultLevel !== "inherit") return defaultLevel
  return container === undefined ? "inherit" : container.level
}

/** The ids of the collections in a path, outermost first. */
export const ancestorsOf = (path: string): ReadonlyArray<string> => path.split("/").filter((id) => id !== "")

/** The number of collections in a path. The depth of a collection is one more. */
export const depthOf = (path: string): number => ancestorsOf(path).length
