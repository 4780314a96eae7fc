/** The operations of a host's features in the client without Effect: their types are derived from declarations that are not bundled. */
import type { CallOptions } from "./CallOptions.ts"

/** The schema of a part of a request or a response. */
interface Typed {
  readonly Type: unknown
}

/** An endpoint of `HttpApiEndpoint`, without its types, which are of Effect. */
interface Endpoint {
  readonly method: string
  readonly path: string
  readonly "~Params": Typed
  readonly "~Query": Typed
  readonly "~Payload": Typed
  readonly "~Success": Typed
}

/** A group of endpoints of `HttpApiGroup`. */
interface Group {
  readonly identifier: string
  readonly endpoints: object
}

/** A value as JSON, without brands: without schemas, nothing is decoded. */
type Json<T> = T extends string & object
  ? string
  : T extends { toJSON(): infer Value }
    ? Value
    : T extends object
      ? { readonly [Key in keyof T]: Json<T[Key]> }
      : T

type Part<Key extends string, T> = [T] extends [never]
  ? unknown
  : Record<never, never> extends T
    ? { readonly [K in Key]?: Json<T> }
    : { readonly [K in Key]: Json<T> }

type RequestOf<E extends Endpoint> = Part<"params", E["~Params"]["Type"]> &
  Part<"query", E["~Query"]["Type"]> &
  Part<"payload", E["~Payload"]["Type"]>

type Method<E extends Endpoint> =
  Record<never, never> extends RequestOf<E>
    ? (request?: RequestOf<E>, options?: CallOptions) => Promise<Json<E["~Success"]["Type"]>>
    : (request: RequestOf<E>, options?: CallOptions) => Promise<Json<E["~Success"]["Type"]>>

/** The method and the path of an endpoint, with `*` if it has a body. */
type RouteOf<E extends Endpoint> = `${E["method"]}${[E["~Payload"]] extends [never] ? "" : "*"} ${E["path"]}`

type Endpoints<G extends Group> = {
  readonly [Id in keyof G["endpoints"]]: G["endpoints"][Id] extends Endpoint ? G["endpoints"][Id] : never
}

/** The routes of a group of a feature. Create them with {@link featureRoutes}. */
export interface FeatureRoutes<out Id extends string, out Methods> {
  /** The name of the group. */
  readonly group: Id
  /** The method, the id and the path of an operation per line, with `*` if it has a body. */
  readonly lines: string
  /** The types of the operations. It has no value. */
  readonly "~methods"?: Methods
}

/** The operations of features by group and id. */
export type FeatureMethods<Features extends ReadonlyArray<FeatureRoutes<string, unknown>>> = {
  readonly [Feature in Features[number] as Feature["group"]]: NonNullable<Feature["~methods"]>
}

/** The methods of the operations of a group. */
export type MethodsOf<G extends Group> = { readonly [Id in keyof Endpoints<G>]: Method<Endpoints<G>[Id]> }

/**
 * Declares the routes of a feature for the client. The types come from the declaration, which is imported as a type, so that neither it
 * nor Effect is in the bundle. A missing operation does not compile, nor does another method or path. `*` marks a method with a body.
 *
 * @example
 * import type { BookmarksApi } from "./BookmarksApi.ts"
 * const bookmarks = featureRoutes<typeof BookmarksApi>("bookmarks", {
 *   listBookmarks: "GET /spaces/:spaceId/bookmarks",
 *   addBookmark: "POST* /spaces/:spaceId/bookmarks"
 * })
 * const client = createClient({ baseUrl, token, features: [bookmarks] })
 */
export const featureRoutes = <G extends Group>(
  group: G["identifier"],
  routes: { readonly [Id in keyof Endpoints<G>]: RouteOf<Endpoints<G>[Id]> }
): FeatureRoutes<G["identifier"], MethodsOf<G>> => ({
  group,
  lines: Object.entries<string>(routes)
    .map(([id, route]) => route.replace(" ", ` ${id} `))
    .join("\n")
})
