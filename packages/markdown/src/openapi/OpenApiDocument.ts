/** Reads OpenAPI documents of versions 2 and 3: operations, webhooks and schemas, with references resolved. */

/** A JSON object. */
export type Json = { readonly [key: string]: unknown }

/** Whether a value is an object and not an array. */
export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Returns the value if it is a list, otherwise an empty list. */
export const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** Returns the entries of an object, none for other values. */
export const entriesOf = (value: unknown): ReadonlyArray<readonly [string, unknown]> =>
  isObject(value) ? Object.entries(value) : []

/** Returns the trimmed value if it is a string, otherwise the empty string. */
export const textOf = (value: unknown): string => (typeof value === "string" ? value.trim() : "")

/** Decodes the percent-encoding of a part of a pointer. Malformed encodings are text. */
const decodePart = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The maximum length of a chain of references, so that cycles terminate. */
const longestChain = 20

/** The maximum number of URLs of the servers of an operation. */
const maximumServers = 20

/** The maximum number of operations of the callbacks of one operation. */
const maximumCallbacks = 50

/** The HTTP methods of operations, in display order. */
const methods = ["get", "post", "put", "patch", "delete", "options", "head", "trace"] as const

/** An operation with the parameters of its path. */
export interface Operation {
  /** The method in upper case. */
  readonly method: string
  /** The path, or the name of a webhook. */
  readonly path: string
  /** Whether the server of the API sends the request. */
  readonly isWebhook: boolean
  /** The operation in the document. */
  readonly operation: Json
  /** Its parameters, and the parameters of its path that it does not replace. */
  readonly parameters: ReadonlyArray<Json>
  /** The servers of its path. */
  readonly pathServers: unknown
}

/** An OpenAPI document. */
export class OpenApiDocument {
  /** The parsed document. */
  readonly json: Json
  private readonly url: string | undefined

  /** `url` is the URL of the document, which relative URLs of servers are resolved against. */
  constructor(json: Json, url?: string) {
    this.json = json
    this.url = url
  }

  /** Resolves a value if it is a reference within the document; returns other values unchanged. */
  readonly resolve = (given: unknown): unknown => {
    let value = given
    for (let count = 0; count < longestChain && isObject(value) && typeof value.$ref === "string"; count++) {
      value = value.$ref.startsWith("#") ? this.valueAt(value.$ref.slice(1)) : undefined
    }
    return value
  }

  /** Resolves a value to an object; `undefined` for other values. */
  object(given: unknown): Json | undefined {
    const value = this.resolve(given)
    return isObject(value) ? value : undefined
  }

  private objects(given: unknown): ReadonlyArray<Json> {
    return listOf(given).flatMap((one): ReadonlyArray<Json> => {
      const found = this.object(one)
      return found === undefined ? [] : [found]
    })
  }

  private valueAt(pointer: string): unknown {
    let value: unknown = this.json
    for (const part of pointer.split("/").slice(1)) {
      const key = decodePart(part).replaceAll("~1", "/").replaceAll("~0", "~")
      if (!isObject(value) || !Object.hasOwn(value, key)) return undefined
      value = value[key]
    }
    return value
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
        const own = this.objects(operation.parameters)
        const ownKeys = new Set(own.map((parameter) => `${textOf(parameter.in)} ${textOf(parameter.name)}`))
        const shared = this.objects(item.parameters).filter(
          (parameter) => !ownKeys.has(`${textOf(parameter.in)} ${textOf(parameter.name)}`)
        )
        return [
          {
            method: method.toUpperCase(),
            path,
            isWebhook,
            operation,
            parameters: [...shared, ...own],
            pathServers: item.servers
          }
        ]
      })
    })
  }

  /** All operations, in the order of the document. */
  get operations(): ReadonlyArray<Operation> {
    return this.operationsIn(this.json.paths, false)
  }

  /** Finds an operation by its method and path. */
  operation(method: string, path: string): Operation | undefined {
    return this.operations.find((one) => one.path === path && one.method === method.toUpperCase())
  }

  /** All webhooks, in the order of the document. */
  get webhooks(): ReadonlyArray<Operation> {
    return this.operationsIn(this.json.webhooks ?? this.json["x-webhooks"], true)
  }

  /** Finds a webhook by its name and method. */
  webhook(name: string, method: string): Operation | undefined {
    return this.webhooks.find((one) => one.path === name && one.method === method.toUpperCase())
  }

  /** The requests that the server sends during an operation, with the names of their callbacks. */
  callbacksOf(operation: Json): ReadonlyArray<readonly [name: string, operation: Operation]> {
    return entriesOf(operation.callbacks)
      .flatMap(([name, given]) =>
        this.operationsIn(this.object(given), true).map((one) => [name, one] as const)
      )
      .slice(0, maximumCallbacks)
  }

  /** The operations with a tag, or those without tags for `undefined`. */
  operationsWithTag(tag: string | undefined): ReadonlyArray<Operation> {
    return this.operations.filter(({ operation }) => {
      const tags = listOf(operation.tags)
        .map(textOf)
        .filter((name) => name !== "")
      return tag === undefined ? tags.length === 0 : tags.includes(tag)
    })
  }

  /** The schemas of the document, by name. */
  get schemas(): ReadonlyArray<readonly [name: string, schema: unknown]> {
    return entriesOf(isObject(this.json.components) ? this.json.components.schemas : this.json.definitions)
  }

  /** Returns the URLs of a server: with the values of its variables, the defaults first. */
  private urlsOf(server: Json): ReadonlyArray<string> {
    const variables = this.object(server.variables)
    let urls = [textOf(server.url)]
    for (const [whole, name] of textOf(server.url).matchAll(/\{([^{}]{1,100})\}/g)) {
      const variable = this.object(variables?.[name!])
      const values = [variable?.default, ...listOf(variable?.enum)].filter(
        (value) => typeof value === "string"
      )
      if (values.length === 0) continue
      urls = urls
        .flatMap((url) => [...new Set(values)].map((value) => url.replaceAll(whole, value)))
        .slice(0, maximumServers)
    }
    return urls.map((url) => {
      const absolute =
        this.url === undefined || !URL.canParse(url, this.url) ? url : new URL(url, this.url).href
      // A URL encodes the braces of variables without a default.
      return absolute.replaceAll("%7B", "{").replaceAll("%7D", "}").replace(/\/+$/, "")
    })
  }

  /** The URLs of the servers of an operation, or else of its path or of the document; the first one is the default. */
  serverUrlsOf(operation?: Operation): ReadonlyArray<string> {
    const servers = [operation?.operation.servers, operation?.pathServers, this.json.servers]
      .map((given) => this.objects(given))
      .find((found) => found.length > 0)
    if (servers !== undefined) {
      return [...new Set(servers.flatMap((server) => this.urlsOf(server)))].slice(0, maximumServers)
    }
    const host = textOf(this.json.host)
    if (host === "") return []
    const schemes = listOf(this.json.schemes)
      .map(textOf)
      .filter((scheme) => /^https?$/.test(scheme))
    return (schemes.length === 0 ? ["https"] : schemes).map((scheme) =>
      `${scheme}://${host}${textOf(this.json.basePath)}`.replace(/\/+$/, "")
    )
  }

  /** The security schemes of an operation: the name and the definition of each. */
  securityOf(operation: Json): ReadonlyArray<readonly [name: string, scheme: Json]> {
    const required = listOf(operation.security ?? this.json.security).flatMap((one) =>
      Object.keys(isObject(one) ? one : {})
    )
    const schemes = isObject(this.json.components)
      ? this.json.components.securitySchemes
      : this.json.securityDefinitions
    return [...new Set(required)].flatMap((name) => {
      const scheme = isObject(schemes) ? this.object(schemes[name]) : undefined
      return scheme === undefined ? [] : [[name, scheme] as const]
    })
  }

  /** The media types of the body of a request; in version 2, the body is one of the parameters. */
  requestBodyOf({
    operation,
    parameters
  }: Operation): { readonly body: Json; readonly content: Json } | undefined {
    const body = this.object(operation.requestBody)
    if (body !== undefined) return { body, content: this.object(body.content) ?? {} }
    const inBody = parameters.find((parameter) => parameter.in === "body")
    if (inBody === undefined) return undefined
    const type = textOf(listOf(operation.consumes ?? this.json.consumes)[0]) || "application/json"
    return { body: inBody, content: { [type]: { schema: inBody.schema } } }
  }

  /** The media types of a response. */
  contentOf(response: Json): Json {
    const content = this.object(response.content)
    if (content !== undefined) return content
    return response.schema === undefined ? {} : { "application/json": { schema: response.schema } }
  }
}
