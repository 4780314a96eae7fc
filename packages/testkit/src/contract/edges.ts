/** Checks the bounds of an operation: sends variants of a valid input at, below and above each bound. */

import { type ContractClient, type JsonResponse, pathOf, type Query, type Request } from "./ContractClient.ts"
import { findForgottenFields } from "./echoes.ts"
import { createsWithStatus200, newNameParameters, skipsPositiveCase } from "./exceptions.ts"
import { errorOf } from "./rejections.ts"
import { isObject, type Json, type JsonObject, type Schema } from "./Schemas.ts"
import type { DeclaredOperation } from "./ServedDocument.ts"
import { type Trial, trialsOf } from "./trials.ts"

/** Returns the parameters of a query or a path as the schema of an object. */
export const parametersOf = ({ parameters }: DeclaredOperation, place: "path" | "query"): Schema => {
  const found = parameters.filter((one) => one.in === place)
  return {
    type: "object",
    properties: Object.fromEntries(found.map(({ name, schema }) => [name, schema])),
    required: found.filter(({ required }) => required === true).map(({ name }) => name),
    additionalProperties: true
  }
}

/** Returns the paths of the fields that an error reports. */
const reportedPaths = ({ value }: JsonResponse): ReadonlyArray<string> => {
  const { details } = errorOf(value)
  return Array.isArray(details)
    ? details.flatMap((detail) => (isObject(detail) && typeof detail.path === "string" ? [detail.path] : []))
    : []
}

const reportsPath = ({ paths, mayBeBelow }: Trial, response: JsonResponse): boolean =>
  reportedPaths(response).some(
    (path) => paths.includes(path) || (mayBeBelow && path.startsWith(`${paths[0]}.`))
  )

/** Deletes the resource that a trial created. */
const deleteCreated = async (
  client: ContractClient,
  request: Request,
  response: JsonResponse
): Promise<void> => {
  const { urls } = isObject(response.value) ? response.value : {}
  const location = response.headers.get("location") ?? (isObject(urls) ? urls.location : undefined)
  if (typeof location !== "string") {
    client.report(request.operation, "returned a created resource without its location")
    return
  }
  const deleted = await fetch(`${client.url}${pathOf(location)}`, {
    method: "DELETE",
    headers: { authorization: `Bearer ${request.token}` }
  })
  if (!deleted.ok)
    client.report(request.operation, `created a resource whose deletion returned ${deleted.status}`)
}

/** Returns the request with the last id of its path replaced by one that does not exist. */
const withUnknownTarget = (request: Request): Request => {
  const last = Object.keys(request.params).findLast(
    (name) => newNameParameters[request.operation]?.includes(name) !== true
  )
  return last === undefined
    ? request
    : { ...request, params: { ...request.params, [last]: "contract-unknown" } }
}

/** Sends one input, and reports a deviation if the server accepts or rejects it other than expected. */
const checkTrial = async (
  client: ContractClient,
  request: Request,
  trial: Trial,
  status: number
): Promise<void> => {
  const { operation } = request
  const { method } = client.document.operation(operation)
  const isCreating = status === 201 || createsWithStatus200[operation] !== undefined
  // An operation that can succeed only once, such as a transfer, must succeed in the scenario.
  const isOnce =
    trial.isAddition && method === "POST" && !isCreating && newNameParameters[operation] === undefined
  const hasUnknownTarget = trial.isAccepted && (isOnce || skipsPositiveCase(operation, trial.bound))
  const response = await client.send(hasUnknownTarget ? withUnknownTarget(request) : request)
  const label = `${trial.bound}: ${trial.what}`
  if (!trial.isAccepted) {
    if (response.status === 400 && reportsPath(trial, response)) return
    // A body over the size limit is rejected as a whole.
    if (response.status === 413 && trial.bound.endsWith("maxLength")) return
    client.report(operation, `${label} returned ${response.status}: ${response.text.slice(0, 300)}`)
    if (isCreating && response.status === status) await deleteCreated(client, request, response)
    return
  }
  if (hasUnknownTarget ? response.status === 404 : response.status === status) {
    // Equal items may be deduplicated.
    const forgotten = trial.bound.endsWith(" maxItems")
      ? []
      : findForgottenFields(request.body, response.value)
    for (const name of forgotten)
      client.report(operation, `${label}: returned another value of ${name} than was sent`)
    if (isCreating && !hasUnknownTarget) await deleteCreated(client, request, response)
    return
  }
  // The value is valid, but the state of the resource does not allow it.
  if (response.status === 409 && / (enum|null)$/.test(trial.bound)) return
  client.report(operation, `${label} returned ${response.status}: ${response.text.slice(0, 300)}`)
}

/** A trial that an unknown field is ignored, as clients may be newer than the server. */
const unknownField = (place: string): Trial => ({
  bound: `${place} unknown`,
  paths: [],
  mayBeBelow: false,
  isAddition: true,
  input: undefined,
  isAccepted: true,
  what: "an unknown field"
})

/** Checks all bounds of the fields of a request that were not checked before. `status` is that of a success. */
export const checkBounds = async (
  client: ContractClient,
  request: Request,
  status: number
): Promise<void> => {
  const { operation } = request
  const described = client.document.operation(operation)
  const { definitions } = client.document
  const parts: ReadonlyArray<
    readonly [Schema | undefined, Json | undefined, (input: Json) => Request, string]
  > = [
    [
      parametersOf(described, "query"),
      (request.query ?? {}) as JsonObject,
      (query) => ({ ...request, query: query as Query }),
      "query"
    ],
    [
      parametersOf(described, "path"),
      request.params,
      (params) => ({ ...request, params: params as Request["params"] }),
      "path"
    ],
    [described.body, request.body, (body) => ({ ...request, body }), "body"]
  ]
  const isFirst = client.coverage.done("fields", operation, "unknown fields")
  for (const [schema, input, changed, place] of parts) {
    if (schema === undefined || input === undefined) continue
    const isRepeatable = described.method === "GET" ? place === "query" : place === "body"
    if (isFirst && isRepeatable && isObject(input)) {
      await checkTrial(client, changed({ ...input, unknownToTheServer: "any" }), unknownField(place), status)
    }
    const trials = trialsOf(definitions, schema, input, place)
    const fresh = new Set(
      trials.map(({ bound }) => bound).filter((bound) => client.coverage.done("bounds", operation, bound))
    )
    for (const trial of trials) {
      if (!fresh.has(trial.bound) || trial.input === undefined) continue
      // HTTP servers reject longer URLs before the API can.
      if (place === "query" && encodeURIComponent(JSON.stringify(trial.input)).length > 12_000) continue
      // An empty parameter changes the route, and a valid one names a resource that does not exist.
      if (place === "path" && (trial.isAccepted || !/ (pattern|maxLength)$/.test(trial.bound))) continue
      await checkTrial(client, changed(trial.input), trial, status)
    }
  }
}
