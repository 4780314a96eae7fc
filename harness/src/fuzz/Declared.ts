/** The operations of an API, as it declares them: nothing of them is listed anywhere else. */
import { fieldsOf } from "@lectern/core"
import { Result, Schema } from "effect"
import { HttpApi, type HttpApiGroup } from "effect/http-api"

/** Tells what of a body is not as declared; undefined where all is. */
type Check = (text: string) => string | undefined

/** An operation with its schemas. */
export interface Declared {
  readonly id: string
  readonly method: string
  /** With the version, as in `/v1/spaces/:spaceId`. */
  readonly path: string
  readonly params: ReadonlyArray<string>
  readonly paramsSchema: Schema.Top | undefined
  /** As it is taken from an address: a text, or several where a name is there several times. */
  readonly query: Schema.Top | undefined
  readonly payload: Schema.Top | undefined
  /** Whether a status is that of a success by its declaration. */
  readonly successes: ReadonlySet<number>
  /** What is wrong with the body of an answer of a status; undefined for a status that is not declared. */
  readonly checks: ReadonlyMap<number, Check>
}

/** The names of parameters in a path, as in `spaceId`. */
export const parametersOf = (path: string): ReadonlyArray<string> =>
  [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)

const empty: Check = (text) => (text === "" ? undefined : "has a body where none is declared")

const checkOf = (schemas: ReadonlyArray<Schema.Top>): Check => {
  if (schemas.some(({ ast }) => ast._tag === "Void")) return empty
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
      return "has a body that is no JSON"
    }
    const results = decoders.map((decode) => decode(body))
    if (results.some(Result.isSuccess)) return undefined
    const failed = results.find(Result.isFailure)
    const fields = failed === undefined ? [] : fieldsOf(failed.failure.issue)
    return `has a body that is not as declared: ${fields.map(({ path, message }) => `${path} ${message}`).join("; ")}`
  }
}

/** Every operation of an API. */
export const declaredOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): ReadonlyArray<Declared> => {
  const all: Array<Declared> = []
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, successes, errors }) => {
      const path: string = endpoint.path
      all.push({
        id: endpoint.identifier,
        method: endpoint.method,
        path,
        params: parametersOf(path),
        paramsSchema: endpoint.params,
        query: endpoint.query === undefined ? undefined : Schema.toCodecArrayFromSingle(endpoint.query),
        payload: endpoint.payload.get("application/json")?.schemas[0],
        successes: new Set(successes.keys()),
        checks: new Map([...successes, ...errors].map(([status, schemas]) => [status, checkOf(schemas)]))
      })
    }
  })
  return all
}
