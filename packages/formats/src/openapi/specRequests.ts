/** Describes how operations are called: servers, authentication and code samples. */
import { isObject, type Json, type Resolve, textOf } from "./openApiReferences.ts"
import { bulletList, codeTabs, entries, inlineCode, join, list } from "./specMarkdown.ts"
import { examplesOf, sampleOf } from "./specSamples.ts"

/** An operation of a document. */
export interface Operation {
  readonly method: string
  readonly path: string
  readonly item: Json
  readonly operation: Json
  readonly parameters: ReadonlyArray<Json>
}

interface Server {
  readonly url: string
  readonly description: string
}

/** The server of samples if the document has no servers. */
const defaultServer = "https://api.example.com"

/** The servers of a document, a path or an operation. Variables have their defaults. */
const serversOf = (owner: Json): ReadonlyArray<Server> =>
  list(owner.servers).flatMap((server) => {
    if (!isObject(server) || textOf(server.url) === "") return []
    const url = entries(server.variables).reduce(
      (text, [name, variable]) =>
        isObject(variable) && variable.default !== undefined
          ? text.replaceAll(`{${name}}`, String(variable.default))
          : text,
      textOf(server.url)
    )
    return [{ url, description: textOf(server.description) }]
  })

/** The servers of a document. Version 2 has schemes, a host and a base path instead. */
const documentServers = (document: Json): ReadonlyArray<Server> => {
  if (document.swagger === undefined) return serversOf(document)
  const host = textOf(document.host)
  const schemes = list(document.schemes).map(textOf)
  return host === ""
    ? []
    : (schemes.length === 0 ? ["https"] : schemes).map((scheme) => ({
        url: `${scheme}://${host}${textOf(document.basePath)}`,
        description: ""
      }))
}

const serverList = (servers: ReadonlyArray<Server>): string =>
  bulletList(
    servers.map(({ url, description }) => inlineCode(url) + (description === "" ? "" : `: ${description}`))
  )

/** Describes the servers of a document. */
export const describeServers = (document: Json): string => {
  const servers = documentServers(document)
  return servers.length === 0 ? "" : join(["**Servers**", serverList(servers)])
}

/** Describes the servers of an operation, if it has its own. */
export const describeOwnServers = ({ item, operation }: Operation): string => {
  const own = [operation, item].map(serversOf).find((servers) => servers.length > 0)
  return own === undefined ? "" : join(["### Servers", serverList(own)])
}

const flowsOf = (scheme: Json): ReadonlyArray<readonly [string, Json]> => {
  const declared = isObject(scheme.flows) ? entries(scheme.flows) : [[textOf(scheme.flow), scheme] as const]
  return declared.filter((entry): entry is readonly [string, Json] => isObject(entry[1]))
}

/** The kind of a security scheme in words. */
const describeScheme = (scheme: Json): string => {
  switch (scheme.type) {
    case "apiKey":
      return `API key in the ${textOf(scheme.in)} parameter ${inlineCode(textOf(scheme.name))}`.replace(
        "header parameter",
        "header"
      )
    case "basic":
      return "HTTP Basic authentication"
    case "http": {
      const format = textOf(scheme.bearerFormat)
      const name = textOf(scheme.scheme).toLowerCase()
      if (name === "bearer") return `Bearer token${format === "" ? "" : ` (${format})`}`
      return name === "basic" ? "HTTP Basic authentication" : `HTTP authentication ${inlineCode(name)}`
    }
    case "oauth2": {
      const flows = flowsOf(scheme).map(([name, flow]) => {
        const urls = [flow.authorizationUrl, flow.tokenUrl].map(textOf).filter((url) => url !== "")
        return `${name}${urls.length === 0 ? "" : ` at ${urls.map(inlineCode).join(", ")}`}`
      })
      return `OAuth 2.0${flows.length === 0 ? "" : `: ${flows.join("; ")}`}`
    }
    case "openIdConnect":
      return `OpenID Connect at ${inlineCode(textOf(scheme.openIdConnectUrl))}`
    case "mutualTLS":
      return "Mutual TLS"
    default:
      return textOf(scheme.type)
  }
}

/** The security schemes of a document, by name. */
const schemesOf = (document: Json, resolve: Resolve): ReadonlyMap<string, Json> => {
  const { components } = document
  const declared = isObject(components) ? components.securitySchemes : document.securityDefinitions
  return new Map(
    entries(declared).flatMap(([name, given]) => {
      const scheme = resolve(given)
      return isObject(scheme) ? [[name, scheme] as const] : []
    })
  )
}

/** The requirements of an operation: alternatives, each with the scopes that its schemes require. */
const requirementsOf = (document: Json, operation: Json): ReadonlyArray<Json> =>
  list(operation.security ?? document.security).filter(isObject)

/** Describes the authentication of an operation. */
export const describeAuthentication = (
  document: Json,
  { operation }: Operation,
  resolve: Resolve
): string => {
  const requirements = requirementsOf(document, operation)
  if (requirements.length === 0) return ""
  const schemes = schemesOf(document, resolve)
  const alternatives = requirements.map((requirement) =>
    Object.keys(requirement).length === 0
      ? "No authentication"
      : entries(requirement)
          .map(([name, scopes]) => {
            const scheme = schemes.get(name)
            const kind = scheme === undefined ? "" : describeScheme(scheme)
            const required = list(scopes).map((scope) => inlineCode(String(scope)))
            return [
              `${inlineCode(name)}${kind === "" ? "" : `: ${kind}`}.`,
              scheme === undefined ? "" : textOf(scheme.description),
              required.length === 0 ? "" : `Scopes: ${required.join(", ")}.`
            ]
              .filter((part) => part !== "")
              .join(" ")
          })
          .join(" And ")
  )
  return join(["### Authentication", alternatives.length > 1 ? "One of:" : "", bulletList(alternatives)])
}

/** The headers and the query that the first requirement of an operation adds to a sample. */
const credentialsOf = (document: Json, operation: Json, resolve: Resolve) => {
  const schemes = schemesOf(document, resolve)
  const headers: Array<readonly [string, string]> = []
  const query: Array<readonly [string, string]> = []
  for (const name of Object.keys(requirementsOf(document, operation)[0] ?? {})) {
    const scheme = schemes.get(name)
    if (scheme === undefined) continue
    if (scheme.type === "apiKey") {
      const key = [textOf(scheme.name), "YOUR_API_KEY"] as const
      if (scheme.in === "query") query.push(key)
      else headers.push(scheme.in === "cookie" ? ["Cookie", `${key[0]}=${key[1]}`] : key)
    } else if (scheme.type === "basic" || textOf(scheme.scheme).toLowerCase() === "basic") {
      headers.push(["Authorization", "Basic YOUR_CREDENTIALS"])
    } else headers.push(["Authorization", "Bearer YOUR_TOKEN"])
  }
  return { headers, query }
}

/** The example of a parameter, or a sample of its schema. Version 2 has its schema in the parameter. */
const parameterValue = (parameter: Json, resolve: Resolve): string => {
  const [example] = examplesOf(parameter, resolve)
  const value = example ?? sampleOf(parameter.schema ?? parameter, resolve)
  return typeof value === "object" ? JSON.stringify(value) : String(value ?? "value")
}

/** The body of a sample request, with its media type. */
const bodyOf = ({ operation, parameters }: Operation, resolve: Resolve) => {
  const body = resolve(operation.requestBody)
  if (isObject(body)) {
    const media = entries(body.content)
    const [type, given] = media.find(([name]) => name.includes("json")) ?? media[0] ?? []
    if (type === undefined || !isObject(given)) return undefined
    const value = examplesOf(given, resolve)[0] ?? sampleOf(given.schema, resolve)
    return value === undefined ? undefined : { type, value }
  }
  const inBody = parameters.find((parameter) => parameter.in === "body")
  const value = inBody === undefined ? undefined : sampleOf(inBody.schema, resolve)
  return value === undefined ? undefined : { type: "application/json", value }
}

const shellQuote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** The request of a sample. */
interface SampleRequest {
  readonly method: string
  readonly url: string
  readonly headers: ReadonlyArray<readonly [string, string]>
  readonly body: string | undefined
}

const toCurl = ({ method, url, headers, body }: SampleRequest): string =>
  [
    `curl ${method === "GET" ? "" : `-X ${method} `}${shellQuote(url)}`,
    ...headers.map(([name, value]) => `-H ${shellQuote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${shellQuote(body)}`])
  ].join(" \\\n  ")

const toJavaScript = ({ method, url, headers, body }: SampleRequest): string => {
  const options = [
    ...(method === "GET" ? [] : [`  method: ${JSON.stringify(method)}`]),
    ...(headers.length === 0
      ? []
      : [`  headers: ${JSON.stringify(Object.fromEntries(headers), undefined, 2).replaceAll("\n", "\n  ")}`]),
    ...(body === undefined ? [] : [`  body: ${JSON.stringify(body)}`])
  ]
  const rest = options.length === 0 ? "" : `, {\n${options.join(",\n")}\n}`
  return `const response = await fetch(${JSON.stringify(url)}${rest})\nconsole.log(response.status, await response.text())`
}

const sampleRequest = (document: Json, one: Operation, resolve: Resolve): SampleRequest => {
  const { method, path, item, operation, parameters } = one
  const servers = [...serversOf(operation), ...serversOf(item), ...documentServers(document)]
  const base = (servers[0]?.url ?? defaultServer).replace(/\/$/, "")
  const required = parameters.filter((parameter) => parameter.required === true)
  const credentials = credentialsOf(document, operation, resolve)
  const query = [
    ...credentials.query,
    ...required
      .filter((parameter) => parameter.in === "query")
      .map((parameter) => [textOf(parameter.name), parameterValue(parameter, resolve)] as const)
  ].map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
  const filled = parameters
    .filter((parameter) => parameter.in === "path" && examplesOf(parameter, resolve).length > 0)
    .reduce(
      (text, parameter) =>
        text.replaceAll(
          `{${textOf(parameter.name)}}`,
          encodeURIComponent(parameterValue(parameter, resolve))
        ),
      path
    )
  const body = bodyOf(one, resolve)
  const headers = [
    ...credentials.headers,
    ...required
      .filter((parameter) => parameter.in === "header")
      .map((parameter) => [textOf(parameter.name), parameterValue(parameter, resolve)] as const),
    ...(body === undefined ? [] : [["Content-Type", body.type] as const])
  ]
  return {
    method,
    url: `${base}${filled}${query.length === 0 ? "" : `?${query.join("&")}`}`,
    headers,
    body:
      body === undefined
        ? undefined
        : typeof body.value === "string"
          ? body.value
          : JSON.stringify(body.value)
  }
}

/** The code samples of an operation: its own, or generated ones. */
export const codeSamples = (document: Json, one: Operation, resolve: Resolve): string => {
  const given = list(one.operation["x-codeSamples"] ?? one.operation["x-code-samples"])
    .filter(isObject)
    .filter(({ source }) => textOf(source) !== "")
    .map((sample) => ({
      title: textOf(sample.label) || textOf(sample.lang),
      language: textOf(sample.lang).toLowerCase(),
      text: textOf(sample.source)
    }))
  if (given.length > 0) return join(["### Code samples", codeTabs(given)])
  const request = sampleRequest(document, one, resolve)
  return join([
    "### Code samples",
    codeTabs([
      { title: "cURL", language: "bash", text: toCurl(request) },
      { title: "JavaScript", language: "javascript", text: toJavaScript(request) }
    ])
  ])
}
