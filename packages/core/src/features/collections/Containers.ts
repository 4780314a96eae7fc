/** Authorizes access to the containers of content: collections, and the roots of organizations. */

import {
  Access,
  type Authorization,
  type Caller,
  type CurrentUser,
  type Granted,
  type GrantedReader
} from "@lectern/access"
import type { StorageUnavailable } from "@lectern/kernel"
import { type CollectionRow, collections } from "@lectern/kernel/tables"
import type { CollectionId } from "@lectern/model/collections"
import { type Forbidden, NotFound, PreconditionFailed } from "@lectern/model/errors"
import type { OrganizationId } from "@lectern/model/organizations"
import { Context, Effect, Layer } from "effect"

const makeContainers = Effect.gen(function* () {
  const access = yield* Access

  return {
    /**
     * Authorizes an operation that creates content in an organization. Whether the caller can create it at the root
     * or in a collection depends on the input: `open` checks that.
     */
    allow: (
      action: "create"
    ): Authorization<
      { readonly organization: OrganizationId },
      { readonly caller: Caller },
      NotFound | Forbidden
    > => ({
      rule: {
        kind: "policy",
        action: "organization.view",
        role: "guest",
        byInput: [`organization.${action}`, `collection.${action}`]
      },
      check: ({ organization }) => access.organization(organization, "view")
    }),

    /**
     * Authorizes to create content in a collection of the caller's organization, and returns the collection; undefined
     * for the root, when `parent` is null. The caller must be loaded with every grant, as for any action but `view` and
     * `read`. Fails with `NotFound` if the caller cannot see the collection, and with `Forbidden` if their role is
     * lower than `create`.
     */
    open: Effect.fnUntraced(function* (
      caller: Caller,
      parent: CollectionId | null
    ): Effect.fn.Return<CollectionRow | undefined, NotFound | Forbidden | StorageUnavailable, CurrentUser> {
      if (parent === null) {
        yield* access.requireInOrganization(caller, "create")
        return undefined
      }
      const { collection } = yield* access.collection(parent, "create", caller)
      if (collection.organization !== caller.organization) return yield* NotFound.of("collection")
      return collection
    }),

    /** Loads the parent of content that the caller has access to; undefined at the root. */
    above: (
      records: GrantedReader,
      content: { readonly parent: CollectionId | null }
    ): Effect.Effect<CollectionRow | undefined, StorageUnavailable> =>
      content.parent === null ? Effect.succeed(undefined) : records.get(collections, { id: content.parent }),

    /**
     * Authorizes to transfer content to the root of an organization. Fails with `PreconditionFailed` both if the caller
     * cannot create content there and if the organization does not exist, so that the error does not disclose which.
     */
    receive: (
      organization: OrganizationId
    ): Effect.Effect<
      { readonly caller: Caller } & Granted,
      PreconditionFailed | StorageUnavailable,
      CurrentUser
    > =>
      access.organization(organization, "create").pipe(
        Effect.catchTag(["NotFound", "Forbidden"], () =>
          Effect.fail(
            new PreconditionFailed({
              reason: "TargetNotWritable",
              message:
                'You cannot create content in the target organization. The transfer requires the role "create" there.'
            })
          )
        )
      )
  }
})

/** The methods of {@link Containers}. */
export interface ContainersService extends Effect.Success<typeof makeContainers> {}

/** Authorizes operations that create, move or transfer content into a container. */
export class Containers extends Context.Service<Containers, ContainersService>()("@lectern/core/Containers") {
  static readonly layer: Layer.Layer<Containers, never, Access> = Layer.effect(Containers, makeContainers)
}
