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
 * Serves an endpoint by an operation. `parametersOf` maps a request to named parameters: ids come from the path, and
 * `input` is the body or the query as a whole.
 *
 * @example
 * updateSpaceById: serve(spaces.update, ({ params, payload }) => ({ space: params.spaceId, input: payload }))
 */
export const serve = <Request, Parameters extends object, A, E extends LecternError>(
  operation: Operation<Parameters, A, E, CurrentUser>,
  parametersOf: (request: Request) => Parameters
): Served<Request, A> => {
  const execute = (request: Request) => operation.decoded(parametersOf(request))
  return {
    handle: execute,
    execute,
    respond: (result) => Effect.succeed(result as A),
    authorize: (request) => operation.authorize(parametersOf(request)),
    authorizeAgain: (request, check) => operation.authorizeAgain(parametersOf(request), check),
    definition: operation.definition
  }
}

/** Serves an endpoint by an operation whose result `respond` maps to the response. */
export const serveMapped = <Request, Parameters extends object, A, E extends LecternError, B>(
  operation: Operation<Parameters, A, E, CurrentUser>,
  parametersOf: (request: Request) => Parameters,
  respond: (result: A, request: Request) => Effect.Effect<B, LecternError>
): Served<Request, B> => {
  const served = serve(operation, parametersOf)
  return {
    ...served,
    handle: (request) => Effect.flatMap(served.handle(request), (result) => respond(result, request)),
    respond: (result, request) => respond(result as A, request)
  }
}

type ServedEndpoint<Endpoint extends HttpApiEndpoint.Constraint> = Served<
  HttpApiEndpoint.Request<Endpoint>,
  HttpApiEndpoint.Success<Endpoint>["Type"]
>

/** The handlers of a group, by the ids of its endpoints. A missing one does not compile. */
export type HandlersOf<Group extends HttpApiGroup.Constraint> = {
  readonly [Id in HttpApiGroup.Endpoints<Group>["identifier"]]: ServedEndpoint<
    HttpApiEndpoint.WithIdentifier<HttpApiGroup.Endpoints<Group>, Id>
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

/** Combines the endpoints of a group with their handlers. */
export const implement = <Group extends HttpApiGroup.Constraint>(
  group: Group,
  handlers: HandlersOf<Group>
): ServedGroup<Group["identifier"]> => ({
  group: group.identifier,
  operations: Object.values((group as unknown as HttpApiGroup.Top).endpoints).map((endpoint) => ({
    ...(handlers[endpoint.identifier as keyof HandlersOf<Group>] as Served<DecodedRequest, unknown>),
    endpoint
  }))
})
