/** The operations of an API, derived from its declaration. */
import { fieldsOf } from "@lectern/core"
import { Result, Schema } from "effect"
import { HttpApi, type HttpApiGroup } from "effect/http-api"

/** Validates the text of a body. Returns its deviation from the declared schema; undefined if it is valid. */
type BodyCheck = (text: string) => string | undefined

/** An operation with its schemas. */
export interface ApiOperation {
  readonly id: string
  readonly method: string
  /** The path with the version, such as `/v1/spaces/:spaceId`. */
  readonly path: string
  readonly paramNames: ReadonlyArray<string>
  readonly paramsSchema: Schema.Top | undefined
  /** The schema of the query in encoded form: a string for each parameter, or a list if it is repeated. */
  readonly query: Schema.Top | undefined
  readonly payload: Schema.Top | undefined
  /** The declared statuses of successes. */
  readonly successes: ReadonlySet<number>
  /** Validates the body of a response, by declared status. */
  readonly bodyChecks: ReadonlyMap<number, BodyCheck>
}

/** Returns the names of the parameters of a path, such as `spaceId`. */
export const parametersOf = (path: string): ReadonlyArray<string> =>
  [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)

const checkEmptyBody: BodyCheck = (text) => (text === "" ? undefined : "has an undeclared body")

const makeBodyCheck = (schemas: ReadonlyArray<Schema.Top>): BodyCheck => {
  if (schemas.some(({ ast }) => ast._tag === "Void")) return checkEmptyBody
  const decoders = schemas.map((schema) =>
    Schema.decodeUnknownResult(schema as Schema.Codec<unknown, unknown>, {
      errors: "all",
      onExcessProperty: "error"
    })
  )
  return (text) => {
    let body: unknown
    try {
      body = JSON.parse(text)
    } catch {
      return "has a body that is not JSON"
    }
    const results = decoders.map((decode) => decode(body))
    if (results.some(Result.isSuccess)) return undefined
    const failed = results.find(Result.isFailure)
    const fields = failed === undefined ? [] : fieldsOf(failed.failure.issue)
    return `has a body that does not match its schema: ${fields.map(({ path, message }) => `${path} ${message}`).join("; ")}`
  }
}

/** Returns all operations of an API. */
export const operationsOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): ReadonlyArray<ApiOperation> => {
  const all: Array<ApiOperation> = []
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, successes, errors }) => {
      const path: string = endpoint.path
      all.push({
        id: endpoint.identifier,
        method: endpoint.method,
        path,
        paramNames: parametersOf(path),
        paramsSchema: endpoint.params,
        query: endpoint.query === undefined ? undefined : Schema.toCodecArrayFromSingle(endpoint.query),
        payload: endpoint.payload.get("application/json")?.schemas[0],
        successes: new Set(successes.keys()),
        bodyChecks: new Map(
          [...successes, ...errors].map(([status, schemas]) => [status, makeBodyCheck(schemas)])
        )
      })
    }
  })
  return all
}
