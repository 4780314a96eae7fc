/** Documents entity tags, preconditions and idempotency keys in the OpenAPI document, from the annotations of operations. */
import * as Context from "effect/Context"
import * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type { Api } from "./Api.ts"
import type { Json } from "./shared/describeSchemas.ts"
import { AcceptsFiles, ChangedResource, CreatesIfMissing, ReturnsSecret } from "./shared/requestConditions.ts"
import { RequiresNoToken } from "./shared/requiresNoToken.ts"

/** An operation of the document. */
export interface DocumentedOperation {
  readonly operationId: string
  readonly responses: Record<
    string,
    { description: string; headers?: Json; content?: { [type: string]: { schema: Json } } }
  >
  parameters?: Array<Json>
  readonly requestBody?: { readonly content: Readonly<Record<string, Json>> }
}

/** The methods of a path of the document, in lower case. */
export type DocumentedMethods = Readonly<Record<string, DocumentedOperation>>

/** How an operation treats the headers of conditional and repeated requests. */
interface Conditions {
  /** The path of the resource that it changes, as in the document. */
  readonly resource: string
  readonly createsIfMissing: boolean
  readonly alwaysReturnsSecret: boolean
  readonly acceptsFiles: boolean
  readonly requiresNoToken: boolean
}

/** The conditions of operations, by operation id. */
export type ConditionsById = ReadonlyMap<string, Conditions>

const prefix = "/v1"

/** Reads the annotations of the operations of an API. */
export const conditionsOf = (api: typeof Api): ConditionsById => {
  const conditions = new Map<string, Conditions>()
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }: { readonly endpoint: HttpApiEndpoint.Top }) => {
      const changed = Context.get(endpoint.annotations, ChangedResource)
      const path = changed === undefined ? endpoint.path : `${prefix}${changed}`
      conditions.set(endpoint.identifier, {
        resource: path.replace(/:(\w+)/g, "{$1}"),
        createsIfMissing: Context.get(endpoint.annotations, CreatesIfMissing),
        alwaysReturnsSecret: Context.get(endpoint.annotations, ReturnsSecret)({}),
        acceptsFiles: Context.get(endpoint.annotations, AcceptsFiles),
        requiresNoToken: Context.get(endpoint.annotations, RequiresNoToken)
      })
    }
  })
  return conditions
}

const etagHeader = {
  ETag: { description: "The strong entity tag of the resource.", schema: { type: "string" } }
}

const headerParameter = (name: string, description: string, schema: Json = {}): Json => ({
  name,
  in: "header",
  required: false,
  description,
  schema: { type: "string", ...schema }
})

const addParameters = (operation: DocumentedOperation, ...parameters: ReadonlyArray<Json>): void => {
  operation.parameters = [...(operation.parameters ?? []), ...parameters]
}

const addHeaders = (operation: DocumentedOperation, status: string, headers: Json): void => {
  const response = operation.responses[status]
  if (response !== undefined) response.headers = { ...response.headers, ...headers }
}

/** The body of a success with the status 200, as a string that can be compared. Undefined without a body. */
const bodyOf = ({ responses }: DocumentedOperation): string | undefined => {
  const schema = responses["200"]?.content?.["application/json"]?.schema
  return schema === undefined ? undefined : JSON.stringify(schema)
}

const documentRead = (operation: DocumentedOperation): void => {
  addHeaders(operation, "200", etagHeader)
  operation.responses["304"] = {
    description: "Not modified: the resource has not changed.",
    headers: etagHeader
  }
  addParameters(
    operation,
    headerParameter(
      "If-None-Match",
      "The entity tag of the cached resource. If it is still current, the response is 304 without a body."
    )
  )
}

const documentChange = (operation: DocumentedOperation, createsIfMissing: boolean): void => {
  addParameters(
    operation,
    headerParameter(
      "If-Match",
      "The entity tag of the resource to change, as GET of the resource returns it without query parameters. If the resource has changed since, the response is 412 and nothing is changed."
    )
  )
  if (!createsIfMissing) return
  addParameters(
    operation,
    headerParameter(
      "If-None-Match",
      "`*` to create the resource only. If it exists, the response is 412 and nothing is changed."
    )
  )
}

const documentIdempotencyKey = (operation: DocumentedOperation, alwaysReturnsSecret: boolean): void => {
  addParameters(
    operation,
    headerParameter(
      "Idempotency-Key",
      alwaysReturnsSecret
        ? "A unique name of the request: 1 to 255 visible ASCII characters. A repetition within 24 hours with the same key is not executed: the response is 409 with the reason `AlreadyDone`, because the first response contains a secret."
        : "A unique name of the request: 1 to 255 visible ASCII characters. A repetition within 24 hours with the same key, URL and body is not executed, and has the response of the first success.",
      { minLength: 1, maxLength: 255, pattern: "^[\\x21-\\x7e]{1,255}$" }
    )
  )
  if (alwaysReturnsSecret) return
  for (const status of Object.keys(operation.responses)) {
    if (!status.startsWith("2")) continue
    addHeaders(operation, status, {
      "Idempotent-Replayed": {
        description: "`true` if the response is that of an earlier request with the same idempotency key.",
        required: false,
        schema: { type: "string", const: "true" }
      }
    })
  }
}

const uploadSchema = {
  type: "object",
  description:
    "Adds files of any size up to the limit of the server, which are stored while they arrive. The part of a file has a `filename`, and can have a `Content-Type`.",
  properties: {
    files: {
      type: "array",
      description:
        "The files to add, 1 to 20. Parts with other names are files too if they have a `filename`.",
      minItems: 1,
      maxItems: 20,
      items: { type: "string", format: "binary" }
    },
    message: {
      type: "string",
      description: "The message of the revision, at most 1000 characters.",
      maxLength: 1000
    }
  },
  required: ["files"]
}

const uploadExample = { files: ["<the bytes of diagram.png>"], message: "Add a diagram" }

const documentUpload = ({ requestBody }: DocumentedOperation): void => {
  if (requestBody !== undefined) {
    Object.assign(requestBody.content, {
      "multipart/form-data": { schema: uploadSchema, example: uploadExample }
    })
  }
}

/**
 * Documents the headers of conditional and repeated requests. `isResource` is whether GET of a path of the document returns
 * a single resource, which has an entity tag.
 */
export const documentConditions = (
  paths: Readonly<Record<string, DocumentedMethods>>,
  conditions: ConditionsById,
  isResource: (path: string) => boolean
): void => {
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const declared = conditions.get(operation.operationId)
      if (declared === undefined) continue
      const { resource, createsIfMissing, alwaysReturnsSecret, acceptsFiles } = declared
      if (acceptsFiles) documentUpload(operation)
      if (method === "get") {
        if (isResource(path)) documentRead(operation)
        continue
      }
      const hasRequiredQuery = paths[resource]?.get?.parameters?.some(
        (parameter) => parameter.in === "query" && parameter.required === true
      )
      if (isResource(resource) && hasRequiredQuery !== true) {
        documentChange(operation, createsIfMissing)
        const current = paths[resource]?.get
        // A change that returns the resource returns its new entity tag.
        if (
          current !== undefined &&
          bodyOf(operation) !== undefined &&
          bodyOf(operation) === bodyOf(current)
        ) {
          addHeaders(operation, "200", etagHeader)
        }
      }
      if (method === "post" || method === "delete") documentIdempotencyKey(operation, alwaysReturnsSecret)
    }
  }
}
