/** Reads OpenAPI documents of versions 2 and 3: operations, webhooks, schemas and servers, with references resolved. */
import {
  entriesOf,
  isObject,
  type Json,
  listOf,
  makeResolve,
  methods,
  type Resolve,
  textOf
} from "./openApiReferences.ts"

/** The maximum number of URLs of the servers of an operation. */
const maximumServers = 20

/** The maximum number of operations of the callbacks of one operation. */
const maximumCallbacks = 50

/** The name of the group of operations without tags. */
const untagged = "Operations"

/** The group of webhooks without tags. */
const webhooksTag = "Webhooks"

/** An operation with the parameters of its path. */
export interface Operation {
  /** The method in upper case. */
  readonly method: string
  /** The path, or the name of a webhook. */
  readonly path: string
  /** Whether it is a webhook, which the API calls. */
  readonly isWebhook: boolean
  /** Its definition. */
  readonly operation: Json
  /** The definition of its path. */
  readonly item: Json
  /** Its parameters, and the parameters of its path that it does not replace. */
  readonly parameters: ReadonlyArray<Json>
}

/** A server of an API. */
export interface Server {
  /** The URLs with the values of its variables, the defaults first. Variables without values stay in braces. */
  readonly urls: readonly [string, ...ReadonlyArray<string>]
  /** The description; empty without one. */
  readonly description: string
}

/** A security scheme that an operation requires. */
export interface Requirement {
  /** The name of the scheme. */
  readonly name: string
  /** The definition of the scheme; undefined if the document does not define it. */
  readonly scheme: Json | undefined
  /** The scopes that the operation requires. */
  readonly scopes: ReadonlyArray<string>
}

/** A media type of a body, such as `application/json`, with its schema and its examples. */
export interface Media {
  /** The name of the media type. */
  readonly type: string
  /** Its definition in the document. */
  readonly definition: Json
}

/** The body of a request or of a response. */
export interface Body {
  /** The description; empty without one. */
  readonly description: string
  /** The media types, in the order of the document. */
  readonly media: ReadonlyArray<Media>
}

/** A response of an operation. */
export interface Response extends Body {
  /** The status, such as `200`, `4XX` or `default`. */
  readonly status: string
}

/** Whether a media type is that of a form. */
export const isForm = (type: string): boolean =>
  /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/.test(type)

const keyOf = (parameter: Json): string => `${textOf(parameter.in)} ${textOf(parameter.name)}`

const mediaOf = (content: unknown): ReadonlyArray<Media> =>
  entriesOf(content).flatMap(([type, definition]) => (isObject(definition) ? [{ type, definition }] : []))

/** Where a document is from. */
export interface DocumentOrigin {
  /** The other documents that references name. */
  readonly files?: Json
  /** The URL of the document, which relative URLs of servers are resolved against. */
  readonly url?: string | undefined
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, "")

/** The parts of a document that are read once. */
interface Parts {
  readonly operations: ReadonlyArray<Operation>
  readonly byAddress: ReadonlyMap<string, Operation>
  readonly webhooks: ReadonlyArray<Operation>
  readonly webhooksByAddress: ReadonlyMap<string, Operation>
  readonly byTag: ReadonlyMap<string, ReadonlyArray<Operation>>
  readonly servers: ReadonlyArray<Server>
}

const addressOf = (method: string, path: string): string => `${method.toUpperCase()} ${path}`

const byAddress = (operations: ReadonlyArray<Operation>): ReadonlyMap<string, Operation> =>
  new Map(operations.map((one) => [addressOf(one.method, one.path), one]))

/** An OpenAPI document. */
export class OpenApiDocument {
  /** The document itself. */
  readonly json: Json
  /** Resolves a value if it is a reference; returns other values unchanged. */
  readonly resolve: Resolve
  /** The URL of the document; undefined if it is unknown. */
  readonly url: string | undefined
  private readonly parts: { -readonly [K in keyof Parts]?: Parts[K] } = {}

  constructor(json: Json, { files, url }: DocumentOrigin = {}) {
    this.json = json
    this.url = url
    this.resolve = makeResolve(json, files)
  }

  /** Returns a part that is read once: pages read the same document many times, and it can have thousands of operations. */
  private once<K extends keyof Parts>(part: K, read: () => Parts[K]): Parts[K] {
    const known: Parts[K] | undefined = this.parts[part]
    if (known !== undefined) return known
    const made = read()
    this.parts[part] = made
    return made
  }

  /** Resolves a value to an object; `undefined` for other values. */
  object(given: unknown): Json | undefined {
    const value = this.resolve(given)
    return isObject(value) ? value : undefined
  }

  private objects(given: unknown): ReadonlyArray<Json> {
    return listOf(given)
      .map((one) => this.resolve(one))
      .filter(isObject)
  }

  /** The title of the API. */
  get title(): string {
    return textOf(this.object(this.json.info)?.title)
  }

  private operationsIn(container: unknown, isWebhook: boolean): ReadonlyArray<Operation> {
    return entriesOf(container).flatMap(([path, given]) => {
      const item = this.object(given)
      if (item === undefined) return []
      return methods.flatMap((method) => {
        const operation = this.object(item[method])
        if (operation === undefined) return []
        const parametersOf = () => this.parametersOf(item, operation)
        return [
          {
            method: method.toUpperCase(),
            path,
            isWebhook,
            operation,
            item,
            // A page displays a few of the operations. Very many of them can have the same list of parameters.
            get parameters() {
              return parametersOf()
            }
          }
        ]
      })
    })
  }

  private parametersOf(item: Json, operation: Json): ReadonlyArray<Json> {
    const own = this.objects(operation.parameters)
    const ownKeys = new Set(own.map(keyOf))
    const shared = this.objects(item.parameters).filter((parameter) => !ownKeys.has(keyOf(parameter)))
    return [...shared, ...own]
  }

  /** All operations, in the order of the document. */
  get operations(): ReadonlyArray<Operation> {
    return this.once("operations", () => this.operationsIn(this.json.paths, false))
  }

  /** Finds an operation by its method and path. */
  operation(method: string, path: string): Operation | undefined {
    return this.once("byAddress", () => byAddress(this.operations)).get(addressOf(method, path))
  }

  /** All webhooks, in the order of the document. */
  get webhooks(): ReadonlyArray<Operation> {
    return this.once("webhooks", () => this.operationsIn(this.json.webhooks ?? this.json["x-webhooks"], true))
  }

  /** Finds a webhook by its name and method. */
  webhook(name: string, method: string): Operation | undefined {
    return this.once("webhooksByAddress", () => byAddress(this.webhooks)).get(addressOf(method, name))
  }

  /** The requests that the server sends during an operation, with the names of their callbacks. */
  callbacksOf({ operation }: Operation): ReadonlyArray<readonly [name: string, operation: Operation]> {
    const found: Array<readonly [name: string, operation: Operation]> = []
    for (const [name, given] of entriesOf(operation.callbacks)) {
      const left = maximumCallbacks - found.length
      if (left === 0) break
      const paths = Object.fromEntries(entriesOf(this.object(given)).slice(0, maximumCallbacks))
      for (const one of this.operationsIn(paths, true).slice(0, left)) found.push([name, one])
    }
    return found
  }

  /** The definitions of tags, by name. */
  get tags(): ReadonlyMap<string, Json> {
    return new Map(
      listOf(this.json.tags)
        .filter(isObject)
        .map((tag) => [textOf(tag.name), tag] as const)
        .filter(([name]) => name !== "")
    )
  }

  /**
   * The operations and the webhooks by tag: declared tags in their order, then the others in order of appearance. Operations without
   * tags are in a group of their own, and so are webhooks.
   */
  get operationsByTag(): ReadonlyMap<string, ReadonlyArray<Operation>> {
    return this.once("byTag", () => this.groupOperations())
  }

  private groupOperations(): ReadonlyMap<string, ReadonlyArray<Operation>> {
    const found = new Map<string, Array<Operation>>([...this.tags.keys()].map((tag) => [tag, []]))
    for (const one of [...this.operations, ...this.webhooks]) {
      const tags = listOf(one.operation.tags)
        .map(textOf)
        .filter((tag) => tag !== "")
      for (const tag of tags.length === 0 ? [one.isWebhook ? webhooksTag : untagged] : tags) {
        const there = found.get(tag)
        if (there === undefined) found.set(tag, [one])
        else there.push(one)
      }
    }
    return found
  }

  /** The schemas of the document, by name. */
  get schemas(): ReadonlyArray<readonly [name: string, schema: unknown]> {
    return entriesOf(isObject(this.json.components) ? this.json.components.schemas : this.json.definitions)
  }

  private urlsOf(server: Json): Server["urls"] {
    const template = textOf(server.url)
    const variables = this.object(server.variables)
    let urls = [template]
    for (const [whole, name] of template.matchAll(/\{([^{}]{1,100})\}/g)) {
      const variable = this.object(variables?.[name!])
      const values = [variable?.default, ...listOf(variable?.enum)]
        .filter((value) => value !== undefined && typeof value !== "object")
        .map(String)
      if (values.length === 0) continue
      urls = urls
        .flatMap((url) => [...new Set(values)].map((value) => url.replaceAll(whole, value)))
        .slice(0, maximumServers)
    }
    const [first, ...others] = urls.map((url) => {
      const isRelative = this.url !== undefined && URL.canParse(url, this.url)
      const absolute = isRelative ? new URL(url, this.url).href : url
      // A URL encodes the braces of variables without a value.
      return withoutSlash(absolute.replaceAll("%7B", "{").replaceAll("%7D", "}"))
    })
    return [first!, ...others]
  }

  private serversIn(owner: Json): ReadonlyArray<Server> {
    return this.objects(owner.servers)
      .filter(({ url }) => textOf(url) !== "")
      .map((server) => ({ urls: this.urlsOf(server), description: textOf(server.description) }))
  }

  /** The servers of the document. Version 2 has schemes, a host and a base path instead. */
  get servers(): ReadonlyArray<Server> {
    return this.once("servers", () => this.readServers())
  }

  private readServers(): ReadonlyArray<Server> {
    const declared = this.serversIn(this.json)
    const host = textOf(this.json.host)
    if (declared.length > 0 || host === "") return declared
    const schemes = listOf(this.json.schemes).map(textOf)
    return (schemes.length === 0 ? ["https"] : schemes).map((scheme) => ({
      urls: [withoutSlash(`${scheme}://${host}${textOf(this.json.basePath)}`)],
      description: ""
    }))
  }

  /** The servers of an operation or of its path, which replace the servers of the document; empty by default. */
  ownServersOf({ operation, item }: Operation): ReadonlyArray<Server> {
    const own = this.serversIn(operation)
    return own.length > 0 ? own : this.serversIn(item)
  }

  /** The URLs of the servers that receive the requests of an operation; the first one is the default. */
  serverUrlsOf(operation: Operation): ReadonlyArray<string> {
    const own = this.ownServersOf(operation)
    const urls = (own.length > 0 ? own : this.servers).flatMap((server) => server.urls)
    return [...new Set(urls)].slice(0, maximumServers)
  }

  /** The security requirements of an operation: alternatives, each with the schemes that it combines. */
  requirementsOf({ operation }: Operation): ReadonlyArray<ReadonlyArray<Requirement>> {
    const { components } = this.json
    const schemes = isObject(components) ? components.securitySchemes : this.json.securityDefinitions
    return listOf(operation.security ?? this.json.security)
      .filter(isObject)
      .map((requirement) =>
        entriesOf(requirement).map(([name, scopes]) => ({
          name,
          scheme: isObject(schemes) && Object.hasOwn(schemes, name) ? this.object(schemes[name]) : undefined,
          scopes: listOf(scopes).map(String)
        }))
      )
  }

  /** The body of a request. In version 2, it is one of the parameters, or several for the fields of a form. */
  requestBodyOf({ operation, parameters }: Operation): Body | undefined {
    const body = this.object(operation.requestBody)
    if (body !== undefined) {
      return { description: textOf(body.description), media: mediaOf(this.resolve(body.content)) }
    }
    const declaredType = textOf(listOf(operation.consumes ?? this.json.consumes)[0])
    const inBody = parameters.find((parameter) => parameter.in === "body")
    if (inBody !== undefined) {
      const media = [{ type: declaredType || "application/json", definition: inBody }]
      return { description: textOf(inBody.description), media }
    }
    const fields = parameters.filter((parameter) => parameter.in === "formData")
    if (fields.length === 0) return undefined
    const defaultType = fields.some(({ type }) => type === "file")
      ? "multipart/form-data"
      : "application/x-www-form-urlencoded"
    const schema = {
      type: "object",
      properties: Object.fromEntries(fields.map((field) => [textOf(field.name), field])),
      required: fields.filter(({ required }) => required === true).map(({ name }) => textOf(name))
    }
    return {
      description: "",
      media: [{ type: isForm(declaredType) ? declaredType : defaultType, definition: { schema } }]
    }
  }

  /** The responses of an operation. In version 2, the schema is in the response, and its examples are by media type. */
  responsesOf({ operation }: Operation): ReadonlyArray<Response> {
    return entriesOf(operation.responses).flatMap(([status, given]) => {
      const response = this.object(given)
      if (response === undefined) return []
      const content = this.object(response.content)
      const examples = entriesOf(response.examples)
      const type = examples[0]?.[0] ?? "application/json"
      const media =
        content !== undefined || response.schema === undefined
          ? mediaOf(content)
          : [{ type, definition: { schema: response.schema, example: examples[0]?.[1] } }]
      return [{ status, description: textOf(response.description), media }]
    })
  }
}
