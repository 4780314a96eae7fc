/** The operation that resolves URLs of the workspace to its content. */

import { loadStructure, Operations, type Query, SystemGrant, type TargetError } from "@lectern/access"
import { makeLinkBase, type Records, type StorageUnavailable } from "@lectern/kernel"
import { locateSiteSpace, segmentsOf, siteOfUrl } from "@lectern/kernel/tables"
import { CollectionId } from "@lectern/model/collections"
import type { ContentOf } from "@lectern/model/content"
import { NotFound } from "@lectern/model/errors"
import { type UrlTarget, UrlTargetQuery } from "@lectern/model/sites"
import { SpaceId } from "@lectern/model/spaces"
import { Context, Effect, Layer } from "effect"
import { ChangeRequests } from "../change-requests/ChangeRequests.ts"
import { Collections } from "../collections/Collections.ts"
import { Content } from "../content/services/Content.ts"
import { Spaces } from "../spaces/Spaces.ts"
import { findSite } from "./findSite.ts"

/** The operation that resolves URLs of the workspace, on behalf of the `CurrentUser`. */
export interface UrlTargetsOperations {
  /**
   * Returns the collection, or the space with the change request and the page, that a URL in the application, in the API or on a
   * site leads to. Fails with `NotFound` for another URL, and for content that the caller cannot see in the application.
   */
  readonly get: Query<{ input: UrlTargetQuery }, UrlTarget, TargetError>
}

/** The content that a URL names. */
type Named =
  | { readonly collection: CollectionId }
  | { readonly space: SpaceId; readonly changeRequest?: string; readonly path: ReadonlyArray<string> }

/** Returns the content that the segments of a URL below that of the workspace name, or undefined. */
const namedBySegments = (segments: ReadonlyArray<string>): Named | undefined => {
  const [first, second, third, fourth, ...rest] = segments
  if (first === "c" && second !== undefined) return { collection: CollectionId.make(second) }
  if (first === "s" && second !== undefined) {
    const space = SpaceId.make(second)
    if (third !== "~") return { space, path: segments.slice(2) }
    const [number, ...path] = rest
    return fourth === "changes" && number !== undefined ? { space, changeRequest: number, path } : undefined
  }
  if (first !== "v1" || third === undefined) return undefined
  if (second === "collections") return { collection: CollectionId.make(third) }
  if (second !== "spaces") return undefined
  const space = SpaceId.make(third)
  if (fourth === undefined) return { space, path: [] }
  const [changeRequest] = rest
  return fourth === "change-requests" && changeRequest !== undefined
    ? { space, changeRequest, path: [] }
    : undefined
}

const makeUrlTargets = Effect.gen(function* () {
  const { query, allow } = yield* Operations
  const directory = yield* SystemGrant.make(
    "Finds the sites that URLs name, before their spaces are authorized."
  )
  const collections = yield* Collections
  const spaces = yield* Spaces
  const changeRequests = yield* ChangeRequests
  const content = yield* Content
  const linkBase = yield* makeLinkBase
  const hidden = NotFound.of("content")

  /** Returns the space and the path of a page that a URL of a published site names, or undefined. */
  const namedOnSite = Effect.fnUntraced(function* (
    base: string,
    url: string
  ): Effect.fn.Return<Named | undefined, StorageUnavailable> {
    const named = siteOfUrl(base, url)
    const found = named === undefined ? undefined : yield* findSite(directory.records, named)
    if (found === undefined) return undefined
    const { site } = found
    const segments = site.visibility === "share-link" ? found.segments.slice(1) : found.segments
    const location = locateSiteSpace(yield* loadStructure(directory.records, site), segments)
    return location === undefined
      ? undefined
      : { space: location.siteSpace.space, path: segments.slice(location.consumed) }
  })

  const namedBy = (base: string, address: string) => {
    const url = new URL(address)
    const workspace = new URL(base)
    const above = segmentsOf(workspace.pathname) ?? []
    const segments = segmentsOf(url.pathname) ?? []
    const isBelow =
      url.origin === workspace.origin && above.every((segment, index) => segments[index] === segment)
    const named = isBelow ? namedBySegments(segments.slice(above.length)) : undefined
    return named === undefined ? namedOnSite(base, address) : Effect.succeed(named)
  }

  return {
    get: query(
      "UrlTargets.get",
      {
        parameters: { input: UrlTargetQuery },
        authorize: allow.signedIn("Returns content that the caller can see.")
      },
      function* ({ input: { url } }) {
        const named = yield* namedBy(yield* linkBase, url)
        if (named === undefined) return yield* hidden
        if ("collection" in named) return { collection: yield* collections.get.decoded(named) }
        const { space: id, path, changeRequest: number } = named
        // A site with a hidden space is not distinguishable from a missing site.
        const space = yield* spaces.get.decoded({ space: id }).pipe(Effect.catchTag("NotFound", () => hidden))
        const changeRequest =
          number === undefined
            ? undefined
            : yield* changeRequests
                .get({ space: id, changeRequest: number })
                .pipe(Effect.catchTag("InvalidInput", () => hidden))
        const of: ContentOf =
          changeRequest === undefined ? { space: id } : { space: id, changeRequest: changeRequest.id }
        const page =
          path.length === 0
            ? undefined
            : yield* content.getPageByPath.decoded({ content: of, path: path.join("/") })
        return {
          space,
          ...(changeRequest === undefined ? {} : { changeRequest }),
          ...(page === undefined ? {} : { page })
        }
      }
    )
  }
})

/** The operation that resolves URLs of the workspace: see {@link UrlTargetsOperations}. */
export class UrlTargets extends Context.Service<UrlTargets, UrlTargetsOperations>()(
  "@lectern/core/UrlTargets"
) {
  static readonly layer: Layer.Layer<
    UrlTargets,
    never,
    Records | Operations | Collections | Spaces | ChangeRequests | Content
  > = Layer.effect(UrlTargets, makeUrlTargets)
}
