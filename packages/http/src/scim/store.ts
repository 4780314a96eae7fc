/** The types of resources that the routes serve: how resources are read, written and presented. */
import type { CurrentUser, LecternError, OrganizationId } from "@lectern/core"
import { type Effect, Record } from "effect"
import type { ResourceDefinition } from "./attributes.ts"
import type { Lookup } from "./lookup.ts"
import type { Document } from "./patch.ts"
import type { ScimError } from "./scimError.ts"

/** A resource as the workspace stores it. */
export interface StoredResource {
  readonly id: string
  /** The position in lists. */
  readonly position: string
  /** Absent if the resource was read without its members. */
  readonly version?: string
}

/** The resources to find. */
export interface Selection {
  readonly lookup?: Lookup
  readonly offset?: number
  readonly after?: string
  readonly limit: number
  /** Whether the members of groups are needed. */
  readonly withMembers: boolean
}

/** A request on resources of an organization. */
export type Action<A> = Effect.Effect<A, LecternError | ScimError, CurrentUser>

/** A type of resources. */
export interface ResourceStore<Item extends StoredResource> {
  readonly definition: ResourceDefinition
  /** The attributes by which the store finds resources, by the names that the operations have for their values. */
  readonly indexed: Readonly<Record<string, ReadonlyArray<string>>>
  readonly find: (
    organization: OrganizationId,
    selection: Selection
  ) => Action<{ readonly total: number; readonly items: ReadonlyArray<Item> }>
  /** Returns the JSON of a resource. */
  readonly present: (base: string, item: Item) => Readonly<Record<string, unknown>>
  /** Returns the attributes that clients write. */
  readonly documentOf: (item: Item) => Document
  /** Creates a resource. `body` is the body of the request, for attributes that only a creation reads. */
  readonly create: (organization: OrganizationId, document: Document, body: unknown) => Action<Item>
  /** Replaces the attributes of a resource that has not changed since it was read. */
  readonly replace: (organization: OrganizationId, item: Item, document: Document) => Action<Item>
  /** Removes a resource, with a version only if it still has it. */
  readonly remove: (organization: OrganizationId, id: string, version: string | undefined) => Action<void>
}

/** Returns the input of an operation for a selection: the values of a lookup by the names of the operation. */
export const findInput = <Name extends string, Part extends object>(
  indexed: Readonly<Record<Name, ReadonlyArray<string>>>,
  lookup: Lookup | undefined,
  part: Part
): Part & { readonly lookup?: Readonly<Record<Name, ReadonlyArray<string>>> } => {
  if (lookup === undefined) return part
  const valuesOf = (names: ReadonlyArray<string>) => names.flatMap((name) => lookup[name] ?? [])
  return { ...part, lookup: Record.map(indexed, valuesOf) }
}

/** Returns the metadata of a resource. */
export const metaOf = (
  base: string,
  { name, endpoint }: ResourceDefinition,
  {
    id,
    version,
    createdAt,
    updatedAt
  }: StoredResource & { readonly createdAt: string; readonly updatedAt: string }
) => ({
  resourceType: name,
  created: createdAt,
  lastModified: updatedAt,
  location: `${base}${endpoint}/${encodeURIComponent(id)}`,
  ...(version === undefined ? {} : { version: entityTag(version) })
})

/** Returns the entity tag of a version. It is weak: representations of a version differ by the selected attributes. */
export const entityTag = (version: string): string => `W/"${version}"`

/** Returns the text that an attribute of a document has. */
export const textOf = (document: Document, name: string): string | undefined => {
  const value = document[name]
  return typeof value === "string" ? value : undefined
}
