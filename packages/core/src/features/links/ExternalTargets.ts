/** Resolves link targets outside of the content: spaces, collections, specs and users of the organization. */

import { Access, type Caller, CurrentUser, type GrantedReader, hasScope, roleOn } from "@lectern/access"
import type { Target } from "@lectern/content"
import { makeLinkBase, type StorageUnavailable, Where } from "@lectern/kernel"
import {
  type CollectionRow,
  collections,
  type MemberRow,
  members,
  openApiSpecs,
  organizations,
  presentOrganization,
  presentUser,
  type SpaceRow,
  type SpecRow,
  spaces,
  users
} from "@lectern/kernel/tables"
import type { CollectionId } from "@lectern/model/collections"
import type { ContentLocation } from "@lectern/model/links"
import type { Organization } from "@lectern/model/organizations"
import { isAtLeast, organizationActions, organizationPermissions } from "@lectern/model/roles"
import type { SpaceId } from "@lectern/model/spaces"
import type { UserId } from "@lectern/model/users"
import { Context, Effect, Layer } from "effect"
import { presentCollection } from "../../views/collections/CollectionView.ts"
import { presentSpec } from "../../views/openapi-specs/OpenApiSpecView.ts"
import { presentSpace } from "../../views/spaces/SpaceView.ts"

type Kind = "space" | "user" | "collection" | "openapi"

/** Returns the location of a target; undefined if it does not exist or the caller cannot see it. */
export type FindLocation = (target: Target) => ContentLocation | undefined

type ExternalTarget = Extract<Target, { kind: Kind }>

const isExternal = (target: Target): target is ExternalTarget =>
  ["space", "user", "collection", "openapi"].includes(target.kind)

const noRows = Effect.succeed([])

/** Loads the rows that the caller can see of the targets, with one query per kind of target. */
const findRows = Effect.fnUntraced(function* (
  records: GrantedReader,
  caller: Caller,
  whereAdmitted: Access["Service"]["whereAdmitted"],
  external: ReadonlyArray<ExternalTarget>
) {
  const byKind = Map.groupBy(external, ({ kind }) => kind)
  const idsOf = <Id extends string>(kind: Kind) => [
    ...new Set(byKind.get(kind)?.map(({ id }) => id as Id) ?? [])
  ]
  const [spaceIds, userIds, collectionIds, specIds] = [
    idsOf<SpaceId>("space"),
    idsOf<UserId>("user"),
    idsOf<CollectionId>("collection"),
    idsOf<string>("openapi")
  ]
  const ownSpaces = Where.eq<SpaceRow, "organization">("organization", caller.organization)
  const { token } = yield* CurrentUser
  const canListSpecs =
    isAtLeast(caller.role, organizationActions.listSpecs) && hasScope(token, "openapi:read")
  const admitted = yield* whereAdmitted
  const limits = admitted.op === "all" ? [] : [admitted]
  const [[foundSpaces, foundCollections], [foundUsers, foundSpecs]] = yield* records.zipConcurrent(
    records.zipConcurrent(
      spaceIds.length === 0
        ? noRows
        : records.find(spaces, {
            where: Where.and<SpaceRow>(
              ownSpaces,
              Where.isIn("id", spaceIds),
              Where.isNull("deletedAt"),
              ...limits
            )
          }),
      collectionIds.length === 0
        ? noRows
        : records.find(collections, {
            where: Where.and<CollectionRow>(
              Where.eq("organization", caller.organization),
              Where.isIn("id", collectionIds),
              ...limits
            )
          })
    ),
    records.zipConcurrent(
      userIds.length === 0
        ? noRows
        : records.find(users, {
            where: records.inSelect(
              "id",
              members,
              "user",
              Where.and<MemberRow>(Where.eq("organization", caller.organization), Where.isIn("user", userIds))
            )
          }),
      specIds.length === 0 || !canListSpecs
        ? noRows
        : records.find(openApiSpecs, {
            where: Where.and<SpecRow>(
              Where.eq("organization", caller.organization),
              Where.or<SpecRow>(
                Where.isIn(
                  "id",
                  specIds.map((id) => id as SpecRow["id"])
                ),
                Where.isIn(
                  "slug",
                  specIds.map((id) => id as SpecRow["slug"])
                )
              )
            )
          })
    )
  )
  return { foundSpaces, foundCollections, foundUsers, foundSpecs }
})

/** Returns the locations of rows, by the kind and the id of the targets that name them. */
const locationsOf = (
  base: string,
  caller: Caller,
  organization: Organization,
  { foundSpaces, foundCollections, foundUsers, foundSpecs }: Effect.Success<ReturnType<typeof findRows>>
): ReadonlyMap<string, ContentLocation> => {
  const found = new Map<string, ContentLocation>()
  const addLocation = (kind: Kind, id: string, location: ContentLocation) =>
    found.set(`${kind}:${id}`, location)
  for (const row of foundSpaces) {
    const role = roleOn(caller, row)
    if (role === null) continue
    addLocation("space", row.id, {
      kind: "space",
      organization,
      space: presentSpace(base, row, role, caller.role)
    })
  }
  for (const row of foundCollections) {
    const role = roleOn(caller, row)
    if (role === null) continue
    const collection = presentCollection(base, row, role)
    addLocation("collection", row.id, { kind: "collection", organization, collection })
  }
  for (const row of foundUsers) addLocation("user", row.id, { kind: "user", user: presentUser(base, row) })
  for (const row of foundSpecs) {
    const location: ContentLocation = {
      kind: "openapi",
      organization,
      openAPISpec: presentSpec(base, caller, row)
    }
    addLocation("openapi", row.id, location)
    addLocation("openapi", row.slug, location)
  }
  return found
}

const makeExternalTargets = Effect.gen(function* () {
  const access = yield* Access
  const linkBase = yield* makeLinkBase

  return {
    /** Returns the caller's organization. */
    organization: Effect.fnUntraced(function* (
      records: GrantedReader,
      caller: Caller
    ): Effect.fn.Return<Organization, StorageUnavailable> {
      const row = (yield* records.get(organizations, { id: caller.organization }))!
      return presentOrganization(yield* linkBase, row, organizationPermissions(caller.role, false))
    }),

    /**
     * Loads the external targets of the caller's organization, with one query per kind of target. The function that it
     * returns has their locations.
     */
    find: Effect.fnUntraced(function* (
      records: GrantedReader,
      caller: Caller,
      organization: Organization,
      targets: ReadonlyArray<Target>
    ): Effect.fn.Return<FindLocation, StorageUnavailable, CurrentUser> {
      const external = targets.filter(isExternal)
      if (external.length === 0) return () => undefined
      const rows = yield* findRows(records, caller, access.whereAdmitted, external)
      const found = locationsOf(yield* linkBase, caller, organization, rows)
      return (target) => (isExternal(target) ? found.get(`${target.kind}:${target.id}`) : undefined)
    })
  }
})

/** The methods of {@link ExternalTargets}. */
export interface ExternalTargetsService extends Effect.Success<typeof makeExternalTargets> {}

/** Resolves link targets outside of the content. */
export class ExternalTargets extends Context.Service<ExternalTargets, ExternalTargetsService>()(
  "@lectern/core/ExternalTargets"
) {
  static readonly layer: Layer.Layer<ExternalTargets, never, Access> = Layer.effect(
    ExternalTargets,
    makeExternalTargets
  )
}
