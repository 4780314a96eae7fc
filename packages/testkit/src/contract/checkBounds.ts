/** Checks the bounds of an operation: sends variants of a valid input at, below and above each bound. */
import { type ContractClient, type JsonResponse, pathOf, type Query, type Request } from "./ContractClient.ts"
import { errorOf } from "./checkRejections.ts"
import { createsWithStatus200, newNameParameters, skipsPositiveCase } from "./exceptions.ts"
import { findForgottenFields } from "./forgottenFields.ts"
import { isObject, type Json, type JsonObject, type Schema } from "./Schemas.ts"
import type { DeclaredOperation } from "./ServedDocument.ts"
import { type InputVariant, variantsOf } from "./variants.ts"

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

/** Whether an error reports the changed field of a variant. */
const reportsPath = ({ paths, allowsNestedPath }: InputVariant, response: JsonResponse): boolean =>
  reportedPaths(response).some(
    (path) => paths.includes(path) || (allowsNestedPath && path.startsWith(`${paths[0]}.`))
  )

/** Deletes the resource that the request created, so that it does not affect later scenarios. */
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

/** Sends one input, and reports a deviation if the server accepts or rejects it other than expected. */
const checkVariant = async (
  client: ContractClient,
  request: Request,
  variant: InputVariant,
  status: number
): Promise<void> => {
  const { operation } = request
  const { method } = client.document.operation(operation)
  const isCreating = status === 201 || createsWithStatus200[operation] !== undefined
  // An operation that can succeed only once, such as a transfer, must not succeed before the scenario calls it.
  const isUnrepeatable =
    variant.isAddition && method === "POST" && !isCreating && newNameParameters[operation] === undefined
  if (variant.isAccepted && (isUnrepeatable || skipsPositiveCase(operation, variant.bound))) return
  const response = await client.send(request)
  const label = `${variant.bound}: ${variant.description}`
  if (!variant.isAccepted) {
    if (response.status === 400 && reportsPath(variant, response)) return
    // A body over the size limit is rejected as a whole.
    if (response.status === 413 && variant.bound.endsWith("maxLength")) return
    const expected = `400 with an error at ${variant.paths.map((path) => `"${path}"`).join(" or ")}`
    client.report(
      operation,
      `${label} returned ${response.status}, expected ${expected}: ${response.text.slice(0, 300)}`
    )
    if (isCreating && response.status === status) await deleteCreated(client, request, response)
    return
  }
  if (response.status === status) {
    // Equal items may be deduplicated.
    const forgotten = variant.bound.endsWith(" maxItems")
      ? []
      : findForgottenFields(operation, request.body, response.value)
    for (const name of forgotten)
      client.report(operation, `${label}: returned another value of ${name} than was sent`)
    if (isCreating) await deleteCreated(client, request, response)
    return
  }
  // The value is valid, but the state of the resource does not allow it.
  if (response.status === 409 && / (enum|null)$/.test(variant.bound)) return
  client.report(
    operation,
    `${label} returned ${response.status}, expected ${status}: ${response.text.slice(0, 300)}`
  )
}

/** Returns a variant with an unknown field. Servers ignore it, as clients may be newer than the server. */
const unknownFieldVariant = (place: string): InputVariant => ({
  bound: `${place} unknown`,
  paths: [],
  allowsNestedPath: false,
  isAddition: true,
  input: undefined,
  isAccepted: true,
  description: "an unknown field"
})

/** Checks the bounds of a request that were not checked before. `status` is the status of a successful response. */
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
  const isFirst = client.coverage.record("fields", operation, "unknown fields")
  for (const [schema, input, toRequest, place] of parts) {
    if (schema === undefined || input === undefined) continue
    const isRepeatable = described.method === "GET" ? place === "query" : place === "body"
    if (isFirst && isRepeatable && isObject(input)) {
      await checkVariant(
        client,
        toRequest({ ...input, unknownToTheServer: "any" }),
        unknownFieldVariant(place),
        status
      )
    }
    const variants = variantsOf(definitions, schema, input, place)
    const unchecked = new Set(
      variants.map(({ bound }) => bound).filter((bound) => client.coverage.record("bounds", operation, bound))
    )
    const sides = new Set<string>()
    for (const variant of variants) {
      if (!unchecked.has(variant.bound) || variant.input === undefined) continue
      const side = `${variant.bound} ${variant.isAccepted}`
      if (client.isBrief && sides.has(side)) continue
      sides.add(side)
      // HTTP servers reject longer URLs before the API can.
      if (place === "query" && encodeURIComponent(JSON.stringify(variant.input)).length > 12_000) continue
      // An empty path parameter changes the route, and another valid one names a resource that does not exist.
      if (place === "path" && (variant.isAccepted || !/ (pattern|maxLength)$/.test(variant.bound))) continue
      await checkVariant(client, toRequest(variant.input), variant, status)
    }
  }
}
