/** The versions of the public contract: the OpenAPI documents in packages of the official client. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { Ajv, type ValidateFunction } from "ajv"
import addFormats from "ajv-formats"

interface Operation {
  readonly operationId: string
  readonly requestBody?: unknown
  readonly responses: { readonly [status: string]: unknown }
}

/** A version of the public contract. */
export interface PublicContract {
  /** Whether the version declares an operation. */
  readonly hasOperation: (operationId: string) => boolean
  /** Whether it declares a request body for an operation, so that the client's method has a parameter for it. */
  readonly hasRequestBody: (operationId: string) => boolean
  /**
   * Validates the body of a successful response. Returns the errors of the validator as text; `undefined` if the body is
   * valid.
   */
  readonly validateResponse: (operationId: string, status: number, body: unknown) => string | undefined
}

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

const escaped = (part: string): string => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))

/** Reads the contract of a package of the official client. Throws if it is not installed. */
const readContract = (client: string): PublicContract => {
  const file = join(dirname(createRequire(import.meta.url).resolve(client)), "../spec/openapi.json")
  const contract = relaxSchema(JSON.parse(readFileSync(file, "utf8"))) as {
    readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } }
  }
  const ajv = new Ajv({
    strict: false,
    code: { optimize: false },
    inlineRefs: false,
    formats: { emoji: true, icon: true }
  })
  addFormats.default(ajv)
  ajv.addSchema(contract, "contract")
  const operations = new Map(
    Object.entries(contract.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, operation]) => [operation.operationId, { path, method, operation }] as const
      )
    )
  )

  const validatorOf = (path: string, method: string, status: number): ValidateFunction => {
    const pointer = [
      "paths",
      path,
      method,
      "responses",
      String(status),
      "content",
      "application/json",
      "schema"
    ]
    const reference = `contract#/${pointer.map(escaped).join("/")}`
    return ajv.getSchema(reference) ?? ajv.compile({ $ref: reference })
  }

  return {
    hasOperation: (id) => operations.has(id),
    hasRequestBody: (id) => operations.get(id)?.operation.requestBody !== undefined,
    validateResponse: (id, status, body) => {
      const found = operations.get(id)
      if (found === undefined) return `The public contract does not declare the operation ${id}.`
      if (!(String(status) in found.operation.responses)) return `The contract declares no status ${status}.`
      const validate = validatorOf(found.path, found.method, status)
      return validate(body) ? undefined : ajv.errorsText(validate.errors)
    }
  }
}

/** The supported version of the contract: that of the package `@gitbook/api`. */
export const supportedContract: PublicContract = readContract("@gitbook/api")

/**
 * Validates the body of a successful response against the supported version of the public contract. Returns the errors of the
 * validator as text; `undefined` if the body is valid.
 */
export const validatePublicResponse: PublicContract["validateResponse"] = supportedContract.validateResponse

/** A newer version of the contract, under the alias `gitbook-api-next`; undefined if it is not installed. */
export const newerContract: PublicContract | undefined = (() => {
  try {
    return readContract("gitbook-api-next")
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "MODULE_NOT_FOUND") return undefined
    throw error
  }
})()
