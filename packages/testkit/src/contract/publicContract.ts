/** The public contract: the OpenAPI document that the official client carries, and where api.md differs from it. */
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
 * The contract, where it can be kept to. A page without a body cannot: its "empty" variant allows no other field,
 * beside the fields of a page. So a variant is one of several, not of exactly one, and none forbids fields.
 */
const relaxed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(relaxed)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      if (key === "additionalProperties" && inner === false) return []
      if (key === "discriminator" || key === "example") return []
      // It says nothing where there is no type that could be null.
      if (key === "nullable" && !("type" in value)) return []
      return [[key === "oneOf" ? "anyOf" : key, relaxed(inner)]]
    })
  )
}

const contract = relaxed(JSON.parse(readFileSync(file, "utf8"))) as {
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

/** Whether the public contract has an operation. */
export const isKnown = (operationId: string): boolean => operations.has(operationId)

/** Whether the public contract has a body for an operation, so that the client takes one. */
export const takesBody = (operationId: string): boolean => operations.get(operationId)?.hasBody === true

/** What is wrong with the body of a success by the contract; `undefined` where nothing is. */
export const differences = (operationId: string, status: number, body: unknown): string | undefined => {
  const operation = operations.get(operationId)
  if (operation === undefined) return `The contract has no operation ${operationId}.`
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
