/** Declarations of operations by features of hosts, and the API with these operations. */
import type * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { Api } from "./Api.ts"
import { changing, editing, reading } from "./shared/declaredErrors.ts"

/** The path with which every path of an operation begins. */
const prefix = "/v1"

/**
 * The errors that an operation declares: of one that reads, of one that changes something, and of one that changes or removes a
 * resource that another operation returns at the same path, which has an entity tag.
 *
 * @example
 * HttpApiEndpoint.get("listBookmarks", "/bookmarks", { success: Schema.Array(Bookmark), error: operationErrors.read })
 */
export const operationErrors: {
  readonly read: typeof reading
  readonly change: typeof changing
  readonly edit: typeof editing
} = { read: reading, change: changing, edit: editing }

/** A group of operations that a feature of a host declares: a group of `HttpApiGroup.make`, whose paths have no `/v1`. */
export type FeatureApi = HttpApiGroup.Constraint

type AnyGroup = HttpApiGroup.Top

const endpointsOf = (group: AnyGroup) => Object.values(group.endpoints)

/** Throws a `TypeError` if groups have the name of another one, or the id or the path of an operation of another one. */
const requireDistinct = (groups: ReadonlyArray<AnyGroup>): void => {
  const used = new Map<string, string>()
  const claim = (name: string, group: string): void => {
    const owner = used.get(name)
    if (owner !== undefined) {
      throw new TypeError(`The group "${group}" has ${name}, which the group "${owner}" has already.`)
    }
    used.set(name, group)
  }
  for (const group of groups) {
    const { identifier } = group
    claim(`the name "${identifier}"`, identifier)
    for (const endpoint of endpointsOf(group)) {
      claim(`the operation "${endpoint.identifier}"`, identifier)
      // Parameters of one place can have different names.
      claim(`${endpoint.method} ${endpoint.path.replace(/:\w+/g, ":")}`, identifier)
    }
  }
}

/**
 * Returns `Api` with the operations of a host's features. Throws a `TypeError` if two groups have the same name, or operations
 * with the same id or the same method and path.
 */
export const apiWithFeatures = (features: ReadonlyArray<FeatureApi>): typeof Api => {
  const [first, ...rest] = features.map((group) => (group as AnyGroup).prefix(prefix) as AnyGroup)
  if (first === undefined) return Api
  const groups = Object.values((Api as unknown as HttpApi.Top).groups)
  requireDistinct([...groups, first, ...rest])
  // The groups of the host are not in the type: callers add their types.
  return (Api as unknown as HttpApi.Top).add(first, ...rest) as unknown as typeof Api
}
