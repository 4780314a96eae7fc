/** The OpenAPI document that a server serves at `/openapi.json`, and validation of responses against it. */
import type { ValidateFunction } from "ajv"
import { Ajv2020 } from "ajv/dist/2020.js"
import addFormats from "ajv-formats"
import { closeSchema, type Definitions, mapValues, type Schema } from "./Schemas.ts"

/** A parameter of an operation, as the document declares it. */
export interface Parameter {
  readonly name: string
  readonly in: "header" | "path" | "query"
  readonly required?: boolean
  readonly schema: Schema
}

interface Response {
  readonly headers?: { readonly [name: string]: { readonly required?: boolean } }
  readonly content?: { readonly [type: string]: { readonly schema: Schema } }
}

/** An operation as the document declares it. */
export interface DeclaredOperation {
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

type Contents = { readonly [type: string]: { readonly schema: Schema } }

const closeContents = (contents: Contents): Contents =>
  mapValues(contents, (content) => ({ ...content, schema: closeSchema(content.schema) }))

/** Returns a document whose schemas forbid undeclared fields. */
const closeDocument = (document: OpenApiDocument): OpenApiDocument => {
  const closeOperation = ({ requestBody, responses, ...operation }: Operation): Operation => ({
    ...operation,
    ...(requestBody && { requestBody: { ...requestBody, content: closeContents(requestBody.content) } }),
    responses: mapValues(responses, (response) =>
      response.content === undefined ? response : { ...response, content: closeContents(response.content) }
    )
  })
  return {
    ...document,
    paths: mapValues(document.paths, (methods) => mapValues(methods, closeOperation)),
    components: { ...document.components, schemas: mapValues(document.components.schemas, closeSchema) }
  }
}
const escaped = (part: string): string => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))

/** A response whose body was read. */
export interface RawResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Caches documents by content, as compiling one takes seconds, and servers of one version have the same. */
const documentCache = new Map<string, ServedDocument>()

/** The OpenAPI document of a server. */
export class ServedDocument {
  /** The schemas of the document, by name. */
  readonly definitions: Definitions
  readonly #operations: ReadonlyMap<string, DeclaredOperation>
  readonly #ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    code: { optimize: false },
    inlineRefs: false
  })
  readonly #validators = new Map<string, ValidateFunction>()

  private constructor(served: OpenApiDocument) {
    const document = closeDocument(served)
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

  /** Fetches the document of the server at a base URL. Rejects if the server does not serve it. */
  static async fetch(url: string): Promise<ServedDocument> {
    const response = await fetch(`${url}/openapi.json`)
    if (!response.ok) throw new Error(`${url}/openapi.json returned ${response.status}, expected 200.`)
    const text = await response.text()
    const document = documentCache.get(text) ?? new ServedDocument(JSON.parse(text) as OpenApiDocument)
    documentCache.set(text, document)
    return document
  }

  /** Returns the operation with an id. Throws if the document does not declare it. */
  operation(id: string): DeclaredOperation {
    const found = this.#operations.get(id)
    if (found === undefined)
      throw new Error(`The OpenAPI document of the server does not declare the operation ${id}.`)
    return found
  }

  /** Whether the document declares an operation with an id. */
  hasOperation(id: string): boolean {
    return this.#operations.has(id)
  }

  /** Whether the document declares an operation with this method at this path. */
  hasOperationAt(method: string, address: string): boolean {
    return [...this.#operations.values()].some(
      (one) => one.method === method && new RegExp(`^${one.path.replace(/\{\w+\}/g, "[^/]+")}$`).test(address)
    )
  }

  /** Returns the validator of a schema. Validators are cached, as most operations share the schemas of errors. */
  #validatorOf(reference: string, schema: Schema | undefined): ValidateFunction {
    const key = JSON.stringify(schema)
    const validate = this.#validators.get(key) ?? this.#ajv.compile({ $ref: reference })
    this.#validators.set(key, validate)
    return validate
  }

  /** Returns the deviations of a response from the declaration of its operation, a line each. */
  findProblems(id: string, { status, headers, text }: RawResponse): ReadonlyArray<string> {
    const { path, method, responses } = this.operation(id)
    const declared = responses[String(status)]
    if (declared === undefined) return [`returned the undeclared status ${status}: ${text.slice(0, 200)}`]
    const missing = Object.entries(declared.headers ?? {})
      .filter(([name, { required }]) => required !== false && !headers.has(name))
      .map(([name]) => `returned ${status} without the declared header ${name}`)
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
        ...(text === "" ? [] : [`returned ${status} with an undeclared body`]),
        ...(type === null ? [] : [`returned ${status} with a content type, but no content is declared`])
      ]
    }
    if (type !== json) return [`returned ${status} with the content type ${type}, expected ${json}`]
    const pointer = ["paths", ...operation, "responses", String(status), "content", json, "schema"]
    const validate = this.#validatorOf(
      `served#/${pointer.map(escaped).join("/")}`,
      declared.content[json]?.schema
    )
    if (validate(JSON.parse(text))) return []
    return [
      `returned ${status} with a body that does not match its schema: ${this.#ajv.errorsText(validate.errors)}`
    ]
  }
}
