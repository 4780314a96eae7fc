/** How the endpoints of a group are served: each by an operation of a service, checked against the declaration. */
import type { CurrentUser, LecternError, Operation, OperationDefinition } from "@lectern/core"
import { Effect } from "effect"
import type { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"

/** An endpoint that an operation of a service serves. */
export interface Served<in Request, out A> {
  /** Runs the operation with the parameters of a decoded request. */
  readonly handle: (request: Request) => Effect.Effect<A, LecternError, CurrentUser>
  /**
   * Authorizes the caller for what the path names, and does nothing else. It takes a request whose path alone has been
   * decoded, so that a caller who may not know of a resource gets that error even with an invalid body.
   */
  readonly authorize: (request: Request) => Effect.Effect<void, LecternError, CurrentUser>
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
): Served<Request, A> => ({
  handle: (request) => operation.decoded(parametersOf(request)),
  authorize: (request) => operation.authorize(parametersOf(request)),
  definition: operation.definition
})

/** Serves an endpoint whose response is made from the result of an operation, and perhaps from its query. */
export const serveMapped = <Request, Parameters extends object, A, E extends LecternError, B>(
  operation: Operation<Parameters, A, E, CurrentUser>,
  parametersOf: (request: Request) => Parameters,
  respond: (result: A, request: Request) => Effect.Effect<B, LecternError>
): Served<Request, B> => {
  const served = serve(operation, parametersOf)
  return {
    ...served,
    handle: (request) => Effect.flatMap(served.handle(request), (result) => respond(result, request))
  }
}

type ServedEndpoint<Endpoint extends HttpApiEndpoint.Constraint> = Served<
  HttpApiEndpoint.Request<Endpoint>,
  HttpApiEndpoint.Success<Endpoint>["Type"]
>

/** What serves each endpoint of a group, by its id: an endpoint that is missing does not compile. */
export type HandlersOf<Group extends HttpApiGroup.Constraint> = {
  readonly [Id in HttpApiGroup.Endpoints<Group>["identifier"]]: ServedEndpoint<
    HttpApiEndpoint.WithIdentifier<HttpApiGroup.Endpoints<Group>, Id>
  >
}

/** A request, as far as it has been decoded. */
export interface DecodedRequest {
  readonly params?: unknown
  readonly query?: unknown
  readonly payload?: unknown
}

/** A declared endpoint with what serves it. */
export interface ServedOperation extends Served<DecodedRequest, unknown> {
  readonly endpoint: HttpApiEndpoint.Top
}

/** The endpoints of a group with what serves them. */
export const implement = <Group extends HttpApiGroup.Constraint>(
  group: Group,
  handlers: HandlersOf<Group>
): ReadonlyArray<ServedOperation> =>
  Object.values((group as unknown as HttpApiGroup.Top).endpoints).map((endpoint) => ({
    ...(handlers[endpoint.identifier as keyof HandlersOf<Group>] as Served<DecodedRequest, unknown>),
    endpoint
  }))
