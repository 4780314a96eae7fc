/** Copies collections and spaces, without their content, and their settings and permissions. */
import { CreateSpace, UpdateCollection, UpdateSpace } from "@lectern/model"
import { Effect } from "effect"
import type { Item } from "./ApiClient.ts"
import {
  ensureCopy,
  findCopyIn,
  type MigrationContext,
  onceComplete,
  onceDone,
  step,
  textOf
} from "./Context.ts"
import { transferFields } from "./transferFields.ts"

/** The collections and the spaces of the source. */
export interface Places {
  readonly collections: ReadonlyArray<Item>
  readonly spaces: ReadonlyArray<Item>
}

/** The path of the API of an organization. */
export const organizationPath = (id: string): string => `/orgs/${encodeURIComponent(id)}`

/** Reads the collections and the spaces of the source. */
export const readPlaces = Effect.fnUntraced(function* ({ source, journal }: MigrationContext) {
  const path = organizationPath(journal.migration.fromOrganization)
  const collections = yield* source.list(`${path}/collections?nested=true`)
  const spaces = yield* source.list(`${path}/spaces`)
  return { collections, spaces: spaces.filter(({ deletedAt }) => deletedAt === undefined) } satisfies Places
})

/** The title of a collection or a space, as the target accepts it. */
export const titleOf = ({ title }: Item): string => textOf(title).trim().slice(0, 50)

const byPlace = (one: Item, other: Item): number => {
  const [a, b] = [textOf(one.sortKey), textOf(other.sortKey)]
  return a < b ? -1 : a > b ? 1 : 0
}

const copyCollection = Effect.fnUntraced(function* (
  context: MigrationContext,
  collection: Item,
  parent: string | undefined
) {
  const { target, journal } = context
  const path = organizationPath(journal.migration.toOrganization)
  const id = yield* ensureCopy(context, "collection", collection.id, {
    findCreated: (isUnknown) =>
      Effect.map(
        target.list(`${path}/collections?nested=true`),
        (items) =>
          items.find(
            (item) => isUnknown(item.id) && item.title === titleOf(collection) && item.parent === parent
          )?.id
      ),
    create: (idempotencyKey) =>
      Effect.map(
        target.send({
          method: "POST",
          path: `${path}/collections`,
          body: { title: titleOf(collection), ...(parent === undefined ? {} : { parent }) },
          idempotencyKey
        }),
        (created) => textOf(created.id)
      )
  })
  const { values } = transferFields(UpdateCollection.fields, collection, ["title"])
  yield* onceDone(
    context,
    `collection-settings/${collection.id}`,
    target.send({ method: "PATCH", path: `/collections/${id}`, body: values, isRepeatable: true })
  )
})

const copySpace = Effect.fnUntraced(function* (
  context: MigrationContext,
  space: Item,
  parent: string | undefined
) {
  const { source, target, journal } = context
  const path = `${organizationPath(journal.migration.toOrganization)}/spaces`
  // A space whose content the token cannot read is not created.
  if (journal.idOf(`space/${space.id}`) === undefined) yield* source.get(`/spaces/${space.id}`)
  const { values } = transferFields(CreateSpace.fields, space, ["parent", "editMode", "title"])
  yield* ensureCopy(context, "space", space.id, {
    findCreated: (isUnknown) =>
      Effect.map(
        target.list(path),
        (items) =>
          items.find((item) => isUnknown(item.id) && item.title === titleOf(space) && item.parent === parent)
            ?.id
      ),
    create: (idempotencyKey) =>
      Effect.map(
        target.send({
          method: "POST",
          path,
          body: { ...values, title: titleOf(space), ...(parent === undefined ? {} : { parent }) },
          idempotencyKey
        }),
        (created) => textOf(created.id)
      )
  })
})

/** Copies collections and spaces in the order of their places, the outermost first. */
export const copyPlaces = Effect.fnUntraced(function* (
  context: MigrationContext,
  { collections, spaces }: Places
) {
  const { journal } = context
  const known = new Set(collections.map(({ id }) => id))
  const all = [...collections, ...spaces]
  const parentOf = ({ parent }: Item) =>
    typeof parent === "string" && known.has(parent) ? parent : undefined
  const copyBelow = (
    parent: string | undefined
  ): Effect.Effect<void, import("../settings/Setting.ts").ConfigurationError> =>
    Effect.gen(function* () {
      for (const item of all.filter((one) => parentOf(one) === parent).sort(byPlace)) {
        const isCollection = known.has(item.id)
        const kind = isCollection ? "collection" : "space"
        const copyOfParent = parent === undefined ? undefined : journal.idOf(`collection/${parent}`)
        yield* step(context, `${kind}/${item.id}`, `${kind} ${titleOf(item)}`, (findings) => {
          if (item.parent !== undefined && item.parent !== null && copyOfParent === undefined)
            findings.changed("Its collection was not copied: it is at the root of the organization.")
          return isCollection
            ? copyCollection(context, item, copyOfParent)
            : copySpace(context, item, copyOfParent)
        })
        if (isCollection) yield* copyBelow(item.id)
      }
    })
  yield* copyBelow(undefined)
})

/** Copies the settings of a space, after its content: a locked space has no direct edits. */
export const copySpaceSettings = (context: MigrationContext, space: Item, copy: string) =>
  step(context, `space-settings/${space.id}`, `space ${titleOf(space)}`, (findings) => {
    const icon = (space.urls as { readonly icon?: unknown } | undefined)?.icon
    const { values, problems } = transferFields(
      UpdateSpace.fields,
      { ...space, ...(typeof icon === "string" ? { icon } : {}) },
      ["title", "emoji"]
    )
    for (const problem of problems) findings.changed(problem)
    const mapped = mapRules(context, values)
    findings.unresolved(mapped.unresolved)
    return onceDone(
      context,
      `space-settings/${space.id}`,
      context.target.send({
        method: "PATCH",
        path: `/spaces/${copy}`,
        body: mapped.value,
        isRepeatable: true
      })
    )
  })

/** Replaces the ids of users in merge rules. */
export const mapRules = (context: MigrationContext, values: Record<string, unknown>) => {
  const find = findCopyIn(context, undefined)
  const unresolved: Array<string> = []
  const userOf = (id: unknown): unknown => {
    const copy = typeof id === "string" ? find("user", id) : undefined
    if (copy === undefined) unresolved.push(`user ${String(id)}`)
    return copy ?? id
  }
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit)
    if (typeof value !== "object" || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, field]) => [
        name,
        name === "users" && Array.isArray(field) ? field.map(userOf) : visit(field)
      ])
    )
  }
  return { value: visit(values), unresolved }
}

const permissionKinds = ["users", "teams"] as const

/** The paths of a space, a collection or a site in both APIs. */
export interface SharedPaths {
  readonly from: string
  readonly to: string
}

/** Copies the roles that users and teams have on a space, a collection or a site. */
export const copyPermissions = (context: MigrationContext, key: string, name: string, paths: SharedPaths) =>
  step(context, `permissions/${key}`, name, (findings) =>
    onceComplete(
      context,
      `permissions/${key}`,
      findings,
      Effect.gen(function* () {
        const find = findCopyIn(context, undefined)
        for (const plural of permissionKinds) {
          const permissions = yield* context.source.list(`${paths.from}/permissions/${plural}`)
          for (const permission of permissions) {
            const of = (plural === "users" ? permission.user : permission.team) as Item | undefined
            const id =
              of === undefined
                ? undefined
                : plural === "users"
                  ? find("user", of.id)
                  : context.journal.idOf(`team/${of.id}`)
            if (id === undefined) {
              findings.missing(
                `The role ${textOf(permission.permission)} of a ${plural.slice(0, -1)} who was not copied.`
              )
              continue
            }
            yield* context.target.send({
              method: "POST",
              path: `${paths.to}/permissions`,
              body: { role: permission.permission, [plural]: [id] },
              isRepeatable: true
            })
          }
        }
      })
    )
  )
