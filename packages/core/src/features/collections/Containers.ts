/** The places that content is put into: collections, and the roots of organizations. */
import { Context, Effect, Layer } from "effect"
import { Access, type Caller } from "../../access/Access.ts"
import type { CurrentUser } from "../../access/CurrentUser.ts"
import { type Forbidden, NotFound, PreconditionFailed } from "../../kernel/errors.ts"
import { Records, type StorageUnavailable } from "../../kernel/storage/index.ts"
import { type CollectionId, type CollectionRow, collections } from "../../model/collections/Collection.ts"
import type { OrganizationId } from "../../model/organizations/Organization.ts"

/** A place that the caller may put content into. */
export interface OpenContainer {
  readonly caller: Caller
  /** The collection; undefined for the root. */
  readonly container: CollectionRow | undefined
}

const makeContainers = Effect.gen(function* () {
  const records = yield* Records
  const access = yield* Access

  return {
    /** A collection of the organization, or its root where `parent` is null, to put content into. */
    open: Effect.fnUntraced(function* (
      organization: OrganizationId,
      parent: CollectionId | null
    ): Effect.fn.Return<OpenContainer, NotFound | Forbidden | StorageUnavailable, CurrentUser> {
      if (parent === null) {
        return { caller: yield* access.organization(organization, "create"), container: undefined }
      }
      const { collection, caller } = yield* access.collection(parent, "create")
      if (collection.organization !== organization) return yield* NotFound.of("collection")
      return { caller, container: collection }
    }),

    /** The collection above content that the caller has access to; undefined at the root. */
    above: (content: {
      readonly parent: CollectionId | null
    }): Effect.Effect<CollectionRow | undefined, StorageUnavailable> =>
      content.parent === null ? Effect.succeed(undefined) : records.get(collections, { id: content.parent }),

    /**
     * The root of an organization that content is transferred to. Where the caller cannot create there, or there is
     * no such organization, it is `PreconditionFailed`, as for any other.
     */
    receive: (
      organization: OrganizationId
    ): Effect.Effect<Caller, PreconditionFailed | StorageUnavailable, CurrentUser> =>
      access
        .organization(organization, "create")
        .pipe(
          Effect.catchTag(["NotFound", "Forbidden"], () =>
            Effect.fail(
              new PreconditionFailed({ message: "You cannot create content in the target organization." })
            )
          )
        )
  }
})

/** See the module's comment. */
export class Containers extends Context.Service<Containers, Effect.Success<typeof makeContainers>>()(
  "@lectern/core/Containers"
) {
  static readonly layer: Layer.Layer<Containers, never, Records | Access> = Layer.effect(
    Containers,
    makeContainers
  )
}
