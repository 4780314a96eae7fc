/** Connects the endpoints of the API to the operations of services. Types require a handler for each declared endpoint. */
import type {
  AccessError,
  CurrentUser,
  LecternError,
  Operation,
  OperationDefinition,
  StorageUnavailable
} from "@lectern/core"
import { Effect } from "effect"
import type { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { makeParametersOf, type ParametersOf, type Target } from "./parametersOf.ts"

/** The handler of an endpoint: an operation of a service, over decoded requests. */
export interface Served<in Request, out A> {
  /** Runs the operation with the parameters of a decoded request, and returns the response. */
  readonly handle: (request: Request) => Effect.Effect<A, LecternError, CurrentUser>
  /** Runs the operation, and returns its result, which `respond` maps to the response. */
  readonly execute: (request: Request) => Effect.Effect<unknown, LecternError, CurrentUser>
  /** Maps a result of `execute`, also one that was stored as JSON, to the response. */
  readonly respond: (result: unknown, request: Request) => Effect.Effect<A, LecternError>
  /**
   * Authorizes the caller for the resources that the path names, without running the operation. It needs only the path of the
   * request, so that an invalid body does not reveal to a caller that a hidden resource exists.
   */
  readonly authorize: (request: Request) => Effect.Effect<void, LecternError, CurrentUser>
  /** Authorizes a repetition of a request: requires the scopes of the caller's token, and then runs a check. */
  readonly authorizeAgain: (
    request: Request,
    check: Effect.Effect<void, AccessError | StorageUnavailable, CurrentUser>
  ) => Effect.Effect<void, LecternError, CurrentUser>
  /** The definition of the operation, with its name and its authorization. */
  readonly definition: OperationDefinition
}

/**
 * Serves an endpoint by an operation whose parameters are not derived from the request: `toParameters` maps it to them.
 *
 * @example
 * getLatestVersion: serve(specs.getVersion, ({ params }) => ({ slug: params.specSlug, version: "latest" }))
 */
export const serve = <Request, Parameters extends object, A, E extends LecternError>(
  operation: Operation<Parameters, A, E, CurrentUser>,
  toParameters: (request: Request) => Parameters
): Served<Request, A> => {
  const execute = (request: Request) => operation.decoded(toParameters(request))
  return {
    handle: execute,
    execute,
    respond: (result) => Effect.succeed(result as A),
    authorize: (request) => operation.authorize(toParameters(request)),
    authorizeAgain: (request, check) => operation.authorizeAgain(toParameters(request), check),
    definition: operation.definition
  }
}

/** Serves an endpoint by an operation whose result `respond` maps to the response. */
export const serveMapped = <Request, Parameters extends object, A, E extends LecternError, B>(
  operation: Operation<Parameters, A, E, CurrentUser>,
  toParameters: (request: Request) => Parameters,
  respond: (result: A, request: Request) => Effect.Effect<B, LecternError>
): Served<Request, B> => {
  const served = serve(operation, toParameters)
  return {
    ...served,
    handle: (request) => Effect.flatMap(served.handle(request), (result) => respond(result, request)),
    respond: (result, request) => respond(result as A, request)
  }
}

/**
 * The handler of an endpoint: an operation, whose parameters are derived from the request, or the result of `serve`. The group of
 * parameters that `Group` names is one parameter of the operation.
 */
type HandlerOf<Endpoint extends HttpApiEndpoint.Constraint, Group> =
  | Operation<
      ParametersOf<HttpApiEndpoint.Request<Endpoint>, Group>,
      HttpApiEndpoint.Success<Endpoint>["Type"],
      LecternError,
      CurrentUser
    >
  | Served<HttpApiEndpoint.Request<Endpoint>, HttpApiEndpoint.Success<Endpoint>["Type"]>

/** The handlers of a group, by the ids of its endpoints. A missing one does not compile. */
export type HandlersOf<Group extends HttpApiGroup.Constraint, Grouped> = {
  readonly [Id in HttpApiGroup.Endpoints<Group>["identifier"]]: HandlerOf<
    HttpApiEndpoint.WithIdentifier<HttpApiGroup.Endpoints<Group>, Id>,
    Grouped
  >
}

/** The decoded parts of a request. */
export interface DecodedRequest {
  readonly params?: unknown
  readonly query?: unknown
  readonly payload?: unknown
}

/** A declared endpoint with its handler. */
export interface ServedOperation extends Served<DecodedRequest, unknown> {
  readonly endpoint: HttpApiEndpoint.Top
}

/** The operations that serve a group of endpoints. */
export interface ServedGroup<out Id extends string> {
  /** The name of the group. */
  readonly group: Id
  readonly operations: ReadonlyArray<ServedOperation>
}

type AnyOperation = Operation<Record<string, unknown>, unknown, LecternError, CurrentUser>

const toServed = (
  handler: AnyOperation | Served<DecodedRequest, unknown>,
  path: string,
  target: Target | undefined
): Served<DecodedRequest, unknown> =>
  typeof handler === "function" ? serve(handler, makeParametersOf(path, target)) : handler

/**
 * Combines the endpoints of a group with the operations that serve them. With `target`, the members among the parameters of the
 * path are one parameter.
 *
 * @example
 * implement(SpacesApi, { getSpaceById: spaces.get, updateSpaceById: spaces.update })
 */
export const implement = <
  Group extends HttpApiGroup.Constraint,
  const Grouped extends Target | undefined = undefined
>(
  group: Group,
  handlers: HandlersOf<Group, Grouped>,
  target?: Grouped
): ServedGroup<Group["identifier"]> => ({
  group: group.identifier,
  operations: Object.values((group as unknown as HttpApiGroup.Top).endpoints).map((endpoint) => {
    const handler = handlers[endpoint.identifier as keyof typeof handlers]
    return {
      ...toServed(handler as AnyOperation | Served<DecodedRequest, unknown>, endpoint.path, target),
      endpoint
    }
  })
})
