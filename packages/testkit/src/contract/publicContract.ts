/** The public contract: the OpenAPI document in the package of the official client. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { Ajv } from "ajv"
import addFormats from "ajv-formats"

interface Operation {
  readonly operationId: string
  readonly requestBody?: unknown
}

const file = join(dirname(createRequire(import.meta.url).resolve("@gitbook/api")), "../spec/openapi.json")

/**
 * Relaxes the parts of the contract that no response can satisfy. A page without a body cannot: its "empty" variant
 * forbids the fields of a page. So `oneOf` becomes `anyOf`, and no schema forbids additional properties.
 */
const relaxSchema = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(relaxSchema)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      if (key === "additionalProperties" && inner === false) return []
      if (key === "discriminator" || key === "example") return []
      // `nullable` without `type` is invalid for the validator, and has no effect.
      if (key === "nullable" && !("type" in value)) return []
      return [[key === "oneOf" ? "anyOf" : key, relaxSchema(inner)]]
    })
  )
}

const contract = relaxSchema(JSON.parse(readFileSync(file, "utf8"))) as {
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } }
}

const ajv = new Ajv({ strict: false, formats: { emoji: true, icon: true } })
addFormats.default(ajv)
ajv.addSchema(contract, "contract")

const escaped = (part: string): string => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))

const operations = new Map(
  Object.entries(contract.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) =>
        [operation.operationId, { path, method, hasBody: operation.requestBody !== undefined }] as const
    )
  )
)

/** Whether the public contract declares an operation. */
export const isPublicOperation = (operationId: string): boolean => operations.has(operationId)

/**
 * Whether the public contract declares a request body for an operation, so that the client's method has a parameter for
 * it.
 */
export const hasRequestBody = (operationId: string): boolean => operations.get(operationId)?.hasBody === true

/**
 * Validates the body of a successful response against the public contract. Returns the errors of the validator as text;
 * `undefined` if the body is valid.
 */
export const validatePublicResponse = (
  operationId: string,
  status: number,
  body: unknown
): string | undefined => {
  const operation = operations.get(operationId)
  if (operation === undefined) return `The public contract does not declare the operation ${operationId}.`
  const pointer = [
    "paths",
    operation.path,
    operation.method,
    "responses",
    String(status),
    "content",
    "application/json",
    "schema"
  ]
  const reference = `contract#/${pointer.map(escaped).join("/")}`
  const validate = ajv.getSchema(reference) ?? ajv.compile({ $ref: reference })
  return validate(body) ? undefined : ajv.errorsText(validate.errors)
}
