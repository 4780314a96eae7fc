/** The OpenAPI document that a server serves at `/openapi.json`: what it says of itself, and whether it keeps to it. */
import type { ValidateFunction } from "ajv"
import { Ajv2020 } from "ajv/dist/2020.js"
import addFormats from "ajv-formats"
import type { Definitions, Schema } from "./Schemas.ts"

/** A parameter of an operation. */
export interface Parameter {
  readonly name: string
  readonly in: "header" | "path" | "query"
  readonly required?: boolean
  readonly schema: Schema
}

interface Response {
  readonly headers?: { readonly [name: string]: unknown }
  readonly content?: { readonly [type: string]: { readonly schema: Schema } }
}

/** An operation as the document declares it. */
export interface Described {
  readonly method: string
  readonly path: string
  readonly parameters: ReadonlyArray<Parameter>
  readonly body: Schema | undefined
  readonly responses: { readonly [status: string]: Response }
}

interface Operation {
  readonly operationId: string
  readonly parameters?: ReadonlyArray<Parameter>
  readonly requestBody?: { readonly content: { readonly [type: string]: { readonly schema: Schema } } }
  readonly responses: { readonly [status: string]: Response }
}

interface OpenApiDocument {
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } }
  readonly components: { readonly schemas: Definitions }
}

const json = "application/json"
const escaped = (part: string): string => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))

/** A response, read. */
export interface Received {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Documents that were read before: to prepare one takes seconds, and servers of one version have the same. */
const documentsByUrl = new Map<string, ServedDocument>()

/** The document of a server. */
export class ServedDocument {
  readonly definitions: Definitions
  readonly #operations: ReadonlyMap<string, Described>
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true })
  readonly #validators = new Map<string, ValidateFunction>()

  private constructor(document: OpenApiDocument) {
    addFormats.default(this.#ajv)
    this.#ajv.addSchema(document, "served")
    this.definitions = document.components.schemas
    this.#operations = new Map(
      Object.entries(document.paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, operation]) => [
          operation.operationId,
          {
            method: method.toUpperCase(),
            path,
            parameters: operation.parameters ?? [],
            body: operation.requestBody?.content[json]?.schema,
            responses: operation.responses
          }
        ])
      )
    )
  }

  /** Reads the document of the server at an address. */
  static async of(url: string): Promise<ServedDocument> {
    const response = await fetch(`${url}/openapi.json`)
    if (!response.ok) throw new Error(`${url}/openapi.json answers ${response.status}`)
    const text = await response.text()
    const known = documentsByUrl.get(text) ?? new ServedDocument(JSON.parse(text) as OpenApiDocument)
    documentsByUrl.set(text, known)
    return known
  }

  /** The operation with an id; throws where there is none. */
  operation(id: string): Described {
    const found = this.#operations.get(id)
    if (found === undefined) throw new Error(`The server's document has no operation ${id}.`)
    return found
  }

  /** Whether the server has an operation with an id. */
  serves(id: string): boolean {
    return this.#operations.has(id)
  }

  /** Whether the server has an operation that takes this method at this address. */
  has(method: string, address: string): boolean {
    return [...this.#operations.values()].some(
      (one) => one.method === method && new RegExp(`^${one.path.replace(/\{\w+\}/g, "[^/]+")}$`).test(address)
    )
  }

  /** The validator of a schema at a place. Errors are the same schemas at many: they are made once. */
  #validatorOf(reference: string, schema: Schema | undefined): ValidateFunction {
    const written = JSON.stringify(schema)
    const made = this.#validators.get(written) ?? this.#ajv.compile({ $ref: reference })
    this.#validators.set(written, made)
    return made
  }

  /** What is wrong with a response to an operation, by the document; a line each. */
  problems(id: string, { status, headers, text }: Received): ReadonlyArray<string> {
    const { path, method, responses } = this.operation(id)
    const declared = responses[String(status)]
    if (declared === undefined) return [`answers ${status}, which it does not declare: ${text.slice(0, 200)}`]
    const missing = Object.keys(declared.headers ?? {})
      .filter((name) => !headers.has(name))
      .map((name) => `answers ${status} without the header ${name}`)
    return [...missing, ...this.#bodyProblems([path, method.toLowerCase()], status, declared, headers, text)]
  }

  #bodyProblems(
    operation: ReadonlyArray<string>,
    status: number,
    declared: Response,
    headers: Headers,
    text: string
  ): ReadonlyArray<string> {
    const type = headers.get("content-type")
    if (declared.content === undefined) {
      return [
        ...(text === "" ? [] : [`answers ${status} with a body`]),
        ...(type === null ? [] : [`answers ${status} with a content type and no content`])
      ]
    }
    if (type !== json) return [`answers ${status} as ${type}`]
    const pointer = ["paths", ...operation, "responses", String(status), "content", json, "schema"]
    const validate = this.#validatorOf(
      `served#/${pointer.map(escaped).join("/")}`,
      declared.content[json]?.schema
    )
    if (validate(JSON.parse(text))) return []
    return [`answers ${status} with what it does not declare: ${this.#ajv.errorsText(validate.errors)}`]
  }
}
