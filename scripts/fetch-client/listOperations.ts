/** Lists the operations of the API with their schemas, in the order of their declaration. */
import { Api } from "@lectern/client"
import { documentedApi } from "@lectern/model/openapi"
import { OpenApi } from "effect/http-api"
import { isJson, type Json } from "./schemaTypes.ts"

/** An operation of the API. */
export interface Operation {
  readonly group: string
  readonly id: string
  readonly method: string
  /** The path with its parameters after colons, as in `/v1/spaces/:spaceId`. */
  readonly path: string
  readonly description: string | undefined
  readonly params: ReadonlyArray<Json>
  readonly query: ReadonlyArray<Json>
  /** The schema of the JSON body, or `undefined`. */
  readonly payload: unknown
  readonly isPayloadRequired: boolean
  /** Whether the operation also accepts files as `multipart/form-data`. */
  readonly acceptsFiles: boolean
  /** The schema of the result, or `undefined` if the response has no body. */
  readonly result: unknown
}

/** The operations of the API, and the schemas that they refer to. */
export interface Operations {
  readonly operations: ReadonlyArray<Operation>
  readonly components: Readonly<Record<string, Json>>
}

const jsonSchemaOf = (content: unknown): unknown => {
  const json = isJson(content) ? content["application/json"] : undefined
  return isJson(json) ? json.schema : undefined
}

/** Returns the schema of the successful response of an operation. */
const resultOf = (documented: Json): unknown => {
  const responses = isJson(documented.responses) ? Object.entries(documented.responses) : []
  const success = responses.find(([status]) => status.startsWith("2"))?.[1]
  return isJson(success) ? jsonSchemaOf(success.content) : undefined
}

const parametersIn = (documented: Json, place: string): ReadonlyArray<Json> =>
  (Array.isArray(documented.parameters) ? documented.parameters : []).filter(
    (parameter) => isJson(parameter) && parameter.in === place
  )

/** Returns all operations. The groups and ids come from `Api`, and the schemas from the OpenAPI document. */
export const listOperations = (): Operations => {
  const document = OpenApi.fromApi(documentedApi) as unknown as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>
    readonly components: { readonly schemas: Readonly<Record<string, Json>> }
  }
  const operations = Object.entries(Api.groups).flatMap(([group, { endpoints }]) =>
    Object.entries<{ readonly method: string; readonly path: string }>(endpoints).map(
      ([id, { method, path }]): Operation => {
        const documented = document.paths[path.replace(/:(\w+)/g, "{$1}")]![method.toLowerCase()]!
        const body = isJson(documented.requestBody) ? documented.requestBody : undefined
        const content = isJson(body?.content) ? body.content : {}
        return {
          group,
          id,
          method,
          path,
          description: typeof documented.description === "string" ? documented.description : undefined,
          params: parametersIn(documented, "path"),
          query: parametersIn(documented, "query"),
          payload: jsonSchemaOf(content),
          isPayloadRequired: body?.required === true,
          acceptsFiles: "multipart/form-data" in content,
          result: resultOf(documented)
        }
      }
    )
  )
  return { operations, components: document.components.schemas }
}
