/** The operations of a host's features in the HTTP API. */
import type { FeatureApi } from "@lectern/client"
import { Effect } from "effect"
import { type HandlersOf, implement, type ServedOperation } from "./handlers/shared/Handlers.ts"

/** The operations of a feature of the host, which are served under `/v1`. Create one with {@link defineHttpFeature}. */
export interface HttpFeature<out Services> {
  /** The declaration of the operations, for the OpenAPI document. */
  readonly group: FeatureApi
  /** The operations with their handlers. */
  readonly operations: Effect.Effect<ReadonlyArray<ServedOperation>, never, Services>
}

/**
 * Serves a group of endpoints by operations of the host's services. An operation has the parameters of its endpoint: each parameter of
 * the path without `Id`, and `input` with the fields of the body and of the query. An endpoint without a handler does not compile,
 * nor does an operation with other parameters or another result.
 *
 * @example
 * const bookmarksHttp = defineHttpFeature(
 *   BookmarksApi,
 *   Effect.map(Bookmarks, (bookmarks) => ({ addBookmark: bookmarks.add, listBookmarks: bookmarks.list }))
 * )
 * toNodeListener(workspace, { features: [bookmarksHttp] })
 */
export const defineHttpFeature = <Group extends FeatureApi, Services>(
  group: Group,
  handlers: Effect.Effect<HandlersOf<Group, undefined>, never, Services>
): HttpFeature<Services> => ({
  group,
  operations: Effect.map(handlers, (implemented) => implement(group, implemented).operations)
})
