/** What a group of operations is implemented by: a function for each, checked against the declaration. */
import type {
  Conflict,
  CurrentUser,
  Forbidden,
  Gone,
  InvalidInput,
  NotFound,
  PreconditionFailed,
  StorageUnavailable,
  Unauthenticated,
  UpstreamFailed,
  UpstreamTimeout
} from "@lectern/core"
import type { Effect } from "effect"
import type { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"

/** Everything that an operation can answer instead of its result. */
export type OperationError =
  | InvalidInput
  | Unauthenticated
  | Forbidden
  | NotFound
  | Conflict
  | Gone
  | PreconditionFailed
  | StorageUnavailable
  | UpstreamFailed
  | UpstreamTimeout

type Handler<Endpoint extends HttpApiEndpoint.Constraint> = (
  request: HttpApiEndpoint.Request<Endpoint>
) => Effect.Effect<HttpApiEndpoint.Success<Endpoint>["Type"], OperationError, CurrentUser>

/** A handler for every operation of a group, by its id: none can be forgotten. */
export type HandlersOf<Group extends HttpApiGroup.Constraint> = {
  readonly [Id in HttpApiGroup.Endpoints<Group>["identifier"]]: Handler<
    HttpApiEndpoint.WithIdentifier<HttpApiGroup.Endpoints<Group>, Id>
  >
}

/** A declared operation with what implements it. */
export interface Operation {
  readonly endpoint: HttpApiEndpoint.Top
  readonly handle: (request: {
    readonly params?: unknown
    readonly query?: unknown
    readonly payload?: unknown
  }) => Effect.Effect<unknown, OperationError, CurrentUser>
}

/** The operations of a group, implemented. */
export const implement = <Group extends HttpApiGroup.Constraint>(
  group: Group,
  handlers: HandlersOf<Group>
): ReadonlyArray<Operation> =>
  Object.values((group as unknown as HttpApiGroup.Top).endpoints).map((endpoint) => ({
    endpoint,
    handle: handlers[endpoint.identifier as keyof HandlersOf<Group>] as Operation["handle"]
  }))
