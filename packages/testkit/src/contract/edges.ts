/** Tries an operation at, under and over the edges of its bounds, around a good input of a scenario. */
import { forgottenIn } from "./echoes.ts"
import { isTriedElsewhere, makesAnother, mayBeNew } from "./exceptions.ts"
import { errorOf } from "./refusals.ts"
import { isObject, type Json, type JsonObject, type Schema } from "./Schemas.ts"
import type { Described } from "./ServedDocument.ts"
import { type Trial, trialsOf } from "./trials.ts"
import { type Answered, pathOf, type Query, type Request, type Wire } from "./Wire.ts"

/** What a query or a path holds, as one schema of an object. */
export const parametersOf = ({ parameters }: Described, place: "path" | "query"): Schema => {
  const found = parameters.filter((one) => one.in === place)
  return {
    type: "object",
    properties: Object.fromEntries(found.map(({ name, schema }) => [name, schema])),
    required: found.filter(({ required }) => required === true).map(({ name }) => name),
    additionalProperties: true
  }
}

/** The paths of the fields that a refusal names. */
const namedBy = ({ value }: Answered): ReadonlyArray<string> => {
  const { details } = errorOf(value)
  return Array.isArray(details)
    ? details.flatMap((detail) => (isObject(detail) && typeof detail.path === "string" ? [detail.path] : []))
    : []
}

const reportsPath = ({ paths, mayBeBelow }: Trial, answered: Answered): boolean =>
  namedBy(answered).some((path) => paths.includes(path) || (mayBeBelow && path.startsWith(`${paths[0]}.`)))

/** Takes away what a trial has made. */
const undo = async (wire: Wire, request: Request, answered: Answered): Promise<void> => {
  const { urls } = isObject(answered.value) ? answered.value : {}
  const location = answered.headers.get("location") ?? (isObject(urls) ? urls.location : undefined)
  if (typeof location !== "string") {
    wire.report(request.operation, "answers something new without its location")
    return
  }
  const response = await fetch(`${wire.url}${pathOf(location)}`, {
    method: "DELETE",
    headers: { authorization: `Bearer ${request.token}` }
  })
  if (!response.ok) wire.report(request.operation, `what it made cannot be deleted: ${response.status}`)
}

/** A request for something that is not there. */
const elsewhere = (request: Request): Request => {
  const last = Object.keys(request.params).findLast(
    (name) => mayBeNew[request.operation]?.includes(name) !== true
  )
  return last === undefined
    ? request
    : { ...request, params: { ...request.params, [last]: "contract-unknown" } }
}

/** Tries one input, and says what is wrong with what it is answered. */
const tryOne = async (wire: Wire, request: Request, trial: Trial, status: number): Promise<void> => {
  const { operation } = request
  const { method } = wire.document.operation(operation)
  const isMaking = status === 201 || makesAnother[operation] !== undefined
  // What is done once, as a transfer is, is left to the scenario.
  const isOnce = trial.isAddition && method === "POST" && !isMaking && mayBeNew[operation] === undefined
  const isElsewhere = trial.isAccepted && (isOnce || isTriedElsewhere(operation, trial.bound))
  const answered = await wire.send(isElsewhere ? elsewhere(request) : request)
  const said = `${trial.bound}: ${trial.what}`
  if (!trial.isAccepted) {
    if (answered.status === 400 && reportsPath(trial, answered)) return
    // What a body cannot hold is refused as a whole.
    if (answered.status === 413 && trial.bound.endsWith("maxLength")) return
    wire.report(operation, `${said} is answered by ${answered.status}: ${answered.text.slice(0, 300)}`)
    if (isMaking && answered.status === status) await undo(wire, request, answered)
    return
  }
  if (isElsewhere ? answered.status === 404 : answered.status === status) {
    // Copies of one item may be taken as one.
    const forgotten = trial.bound.endsWith(" maxItems") ? [] : forgottenIn(request.body, answered.value)
    for (const name of forgotten) wire.report(operation, `${said}: it answers another ${name}`)
    if (isMaking && !isElsewhere) await undo(wire, request, answered)
    return
  }
  // It was understood, and the state of things does not allow this value of several.
  if (answered.status === 409 && / (enum|null)$/.test(trial.bound)) return
  wire.report(operation, `${said} is answered by ${answered.status}: ${answered.text.slice(0, 300)}`)
}

/** Clients that are newer than the server send what it does not know: it leaves that alone. */
const unknownField = (place: string): Trial => ({
  bound: `${place} unknown`,
  paths: [],
  mayBeBelow: false,
  isAddition: true,
  input: undefined,
  isAccepted: true,
  what: "a field that it does not know"
})

/** Tries all bounds of what a request has, that were not tried before. */
export const tryEdges = async (wire: Wire, request: Request, status: number): Promise<void> => {
  const { operation } = request
  const described = wire.document.operation(operation)
  const { definitions } = wire.document
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
  const isFirst = wire.coverage.done("fields", operation, "unknown fields")
  for (const [schema, input, changed, place] of parts) {
    if (schema === undefined || input === undefined) continue
    const isRepeatable = described.method === "GET" ? place === "query" : place === "body"
    if (isFirst && isRepeatable && isObject(input)) {
      await tryOne(wire, changed({ ...input, unknownToTheServer: "any" }), unknownField(place), status)
    }
    const trials = trialsOf(definitions, schema, input, place)
    const fresh = new Set(
      trials.map(({ bound }) => bound).filter((bound) => wire.coverage.done("bounds", operation, bound))
    )
    for (const trial of trials) {
      if (!fresh.has(trial.bound) || trial.input === undefined) continue
      // An address that is longer than what servers of HTTP take in is not refused by the API.
      if (place === "query" && encodeURIComponent(JSON.stringify(trial.input)).length > 12_000) continue
      // Without its part a path is another; and what a name of good form means is not there.
      if (place === "path" && (trial.isAccepted || !/ (pattern|maxLength)$/.test(trial.bound))) continue
      await tryOne(wire, changed(trial.input), trial, status)
    }
  }
}
