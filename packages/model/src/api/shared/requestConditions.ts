/** Annotations of operations that declare how they treat `If-Match`, `If-None-Match` and `Idempotency-Key`. */
import * as Context from "effect/Context"

/**
 * The path of the resource that an operation changes, whose entity tag `If-Match` names. By default, the path of the
 * operation itself, if a GET operation returns a single resource there.
 *
 * @example
 * HttpApiEndpoint.post("moveSpace", "/spaces/:spaceId/move", …).annotate(ChangedResource, "/spaces/:spaceId")
 */
export const ChangedResource = Context.Reference<string | undefined>("@lectern/client/ChangedResource", {
  defaultValue: () => undefined
})

/** Whether an operation creates the resource at its path if it does not exist, so that `If-None-Match: *` is useful. */
export const CreatesIfMissing = Context.Reference<boolean>("@lectern/client/CreatesIfMissing", {
  defaultValue: () => false
})

/**
 * Whether the result of an operation contains a secret or a signed URL. Such a result is stored neither by caches nor by
 * the server, and not compressed. A repetition with the same `Idempotency-Key` is rejected with 409 and the reason `AlreadyDone`.
 */
export const ReturnsSecret = Context.Reference<(result: unknown) => boolean>(
  "@lectern/client/ReturnsSecret",
  {
    defaultValue: () => () => false
  }
)

/**
 * Whether an operation that changes content also accepts `multipart/form-data`: 1 to 20 files of any size up to the limit of
 * the server, which are added as by `insert_files`, and an optional field `message`.
 */
export const AcceptsFiles = Context.Reference<boolean>("@lectern/client/AcceptsFiles", {
  defaultValue: () => false
})

/** The value of {@link ReturnsSecret} for operations whose results always contain a secret. */
export const always = (): boolean => true
