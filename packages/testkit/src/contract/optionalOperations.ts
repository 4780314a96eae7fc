/** The optional operations: the operations of the API that are not in the specification. They are derived from the API. */
import { Api } from "@lectern/model/api"
import { HttpApi, type HttpApiGroup } from "effect/http-api"
import { endpoints, type RequiredId, requiredEndpoints, type SpecifiedId } from "./endpoints.ts"

type Groups = typeof Api extends HttpApi.HttpApi<string, infer Groups> ? Groups : never

/** A group of the API. */
export type GroupName = HttpApiGroup.Identifier<Groups>

/** The id of an optional operation. */
export type OptionalOperationId = Exclude<
  HttpApiGroup.Endpoints<Groups>["identifier"],
  SpecifiedId | RequiredId
>

const alwaysServed = new Set<string>(
  [...endpoints, ...requiredEndpoints].map(({ operationId }) => operationId)
)

const byGroup = new Map<string, Array<OptionalOperationId>>()
HttpApi.reflect(Api, {
  onGroup: ({ group }) => void byGroup.set(group.identifier, []),
  onEndpoint: ({ group, endpoint }) => {
    if (!alwaysServed.has(endpoint.identifier)) {
      byGroup.get(group.identifier)!.push(endpoint.identifier as OptionalOperationId)
    }
  }
})

/**
 * The optional operations of each group of the API. A scenario runs against servers that serve all optional operations of its
 * groups, and is skipped for other servers.
 */
export const optionalOperations: ReadonlyMap<string, ReadonlyArray<OptionalOperationId>> = byGroup

/** The ids of all operations that the scenarios call, including optional ones. */
export const contractOperations: ReadonlyArray<SpecifiedId | RequiredId | OptionalOperationId> = [
  ...endpoints.map(({ operationId }) => operationId as SpecifiedId),
  ...requiredEndpoints.map(({ operationId }) => operationId as RequiredId),
  ...[...byGroup.values()].flat()
]
