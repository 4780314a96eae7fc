/**
 * The placement of a collection or a space: a path and a level, derived from its parent.
 *
 * The path contains the ids of all ancestors, outermost first, as in `/a/b/`; it is `/` at the root. The level is the
 * effective default level: a role, null for no role, or `inherit` if all ancestors inherit as well. In this case,
 * members have their role in the organization.
 */
import type { DefaultLevel } from "../roles/Role.ts"

/** The parent collection that a placement is derived from; undefined at the root. */
export interface Container {
  /** The id of the collection. */
  readonly id: string
  /** The path of the collection. */
  readonly path: string
  /** The level of the collection. */
  readonly level: DefaultLevel
}

/** Returns the path of the items in a container. */
export const pathIn = (container: Container | undefined): string =>
  container === undefined ? "/" : `${container.path}${container.id}/`

/** Returns the level of an item in a container, by its own default level. */
export const levelIn = (container: Container | undefined, defaultLevel: DefaultLevel): DefaultLevel => {
  if (defaultLevel !== "inherit") return defaultLevel
  return container === undefined ? "inherit" : container.level
}

/** Returns the ids of the collections in a path, outermost first. */
export const ancestorsOf = (path: string): ReadonlyArray<string> => path.split("/").filter((id) => id !== "")

/** Returns the number of collections in a path. The depth of a collection is one more. */
export const depthOf = (path: string): number => ancestorsOf(path).length
