/** Sends requests to the server, and validates every response against the OpenAPI document of the server. */
import { GitBookAPI } from "@gitbook/api"
import type { Coverage } from "./Coverage.ts"
import type { OperationId } from "./endpoints.ts"
import { publicExceptions } from "./exceptions.ts"
import { isExpectedDifference } from "./newerExceptions.ts"
import { newerContract, supportedContract } from "./publicContract.ts"
import { isObject, type Json } from "./Schemas.ts"
import type { DeclaredOperation, RawResponse, ServedDocument } from "./ServedDocument.ts"

/** Query parameters. A list is sent as one parameter per item; undefined parameters are omitted. */
export type Query = { readonly [name: string]: boolean | number | string | ReadonlyArray<string> | undefined }

/** A request to an operation. */
export interface Request {
  /** The id of the operation. */
  readonly operation: OperationId
  /** The parameters of the path. */
  readonly params: { readonly [name: string]: string }
  /** The query parameters. */
  readonly query?: Query
  /** The JSON body. */
  readonly body?: Json | undefined
  /** Further headers. */
  readonly headers?: { readonly [name: string]: string }
  /** The API token; undefined for a request without authentication. */
  readonly token: string | undefined
}

/** A response with its parsed body. */
export interface JsonResponse extends RawResponse {
  /** The body; undefined if it is empty or not JSON. */
  readonly value: Json | undefined
}

const queryOf = (query: Query): string => {
  const all = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue
    for (const one of Array.isArray(value) ? value : [value]) all.append(name, String(one))
  }
  return all.size === 0 ? "" : `?${all}`
}

/** Returns the path of a URL from `/v1/` on. The public URL of a server may differ from the one that the tests use. */
export const pathOf = (location: string): string => {
  const { pathname } = new URL(location)
  return pathname.slice(Math.max(0, pathname.indexOf("/v1/")))
}

const parseJson = (text: string): Json | undefined => {
  try {
    return text === "" ? undefined : (JSON.parse(text) as Json)
  } catch {
    return undefined
  }
}

type ClientMethod = (...args: ReadonlyArray<unknown>) => Promise<{ readonly data: unknown }>

/** Returns the method of the official client for an operation. Names are compared ignoring case: `Pdf` for `PDF`. */
const officialMethodOf = (client: GitBookAPI, operation: string): ClientMethod | undefined => {
  for (const group of Object.values(client)) {
    if (!isObject(group)) continue
    const methods = group as unknown as Record<string, ClientMethod>
    const name = Object.keys(methods).find((one) => one.toLowerCase() === operation.toLowerCase())
    if (name !== undefined) return methods[name]
  }
  return undefined
}

/** A request and its response. */
export interface Exchange {
  /** The request. */
  readonly request: Request
  /** The response, with its parsed body. */
  readonly response: JsonResponse
  /** Whether it is a call of a scenario itself, and not a check of bounds, pagination or authorization. */
  readonly isScenario: boolean
}

/** Sends the requests of a run, records coverage, and collects deviations. */
export class ContractClient {
  /** The base URL of the server. */
  readonly url: string
  /** The OpenAPI document of the server. */
  readonly document: ServedDocument
  readonly coverage: Coverage
  /** The deviations found so far, a line each. */
  readonly problems: Array<string> = []
  /** Whether each bound is checked with one valid and one invalid value only, as the values of the shorter tests. */
  isBrief = false
  /** Called with every request and its response. */
  onExchange: (exchange: Exchange) => void = () => {}

  constructor(url: string, document: ServedDocument, coverage: Coverage) {
    this.url = url
    this.document = document
    this.coverage = coverage
  }

  /** Records a deviation of an operation. */
  report(operation: string, problem: string): void {
    this.problems.push(`${operation}: ${problem}`)
  }

  /** Returns the path of a request, with its parameters encoded. */
  #pathOf({ path }: DeclaredOperation, params: Request["params"]): string {
    return path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = params[name]
      if (value === undefined) throw new Error(`The request does not set the parameter ${name} of ${path}.`)
      return encodeURIComponent(value)
    })
  }

  /**
   * Validates a response against the document of the server, and against the public contract if that has the operation.
   */
  #observe(operation: OperationId, received: JsonResponse, isScenario: boolean): void {
    for (const problem of this.document.findProblems(operation, received)) this.report(operation, problem)
    const { status, value } = received
    const isPublic =
      isScenario && status < 300 && value !== undefined && supportedContract.hasOperation(operation)
    const problem = isPublic ? supportedContract.validateResponse(operation, status, value) : undefined
    const isException =
      problem !== undefined && publicExceptions[operation]?.difference.test(problem) === true
    if (isException) this.coverage.recordException(operation)
    if (problem !== undefined && !isException) {
      this.report(operation, `returned a body that does not match the public contract: ${problem}`)
    }
    this.coverage.recordResponse(isPublic)
    if (isScenario && status < 300 && value !== undefined) this.#observeNewer(operation, status, value)
    if (status >= 500) this.report(operation, `returned ${status}: ${received.text}`)
  }

  /** Validates a response against the newer version of the public contract, which the same server serves. */
  #observeNewer(operation: OperationId, status: number, value: Json): void {
    if (newerContract?.hasOperation(operation) !== true) return
    const problem = newerContract.validateResponse(operation, status, value)
    if (problem === undefined || isExpectedDifference(operation, problem)) return
    this.report(operation, `returned a body that does not match the newer public contract: ${problem}`)
  }

  /** Sends a request with `fetch`. */
  async send(request: Request, isScenario = false): Promise<JsonResponse> {
    const described = this.document.operation(request.operation)
    const address = `${this.url}${this.#pathOf(described, request.params)}${queryOf(request.query ?? {})}`
    const response = await fetch(address, {
      method: described.method,
      headers: {
        accept: "*/*",
        ...(request.token === undefined ? {} : { authorization: `Bearer ${request.token}` }),
        ...(request.body === undefined ? {} : { "content-type": "application/json" }),
        ...request.headers
      },
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) })
    })
    const text = await response.text()
    const received = { status: response.status, headers: response.headers, text, value: parseJson(text) }
    this.#observe(request.operation, received, false)
    this.onExchange({ request, response: received, isScenario })
    return received
  }

  /** Sends a request through the official client, or with `fetch` if the client does not have the operation. */
  async sendByOfficialClient(request: Request): Promise<JsonResponse> {
    let captured: JsonResponse | undefined
    const capture: typeof fetch = async (input, init) => {
      const response = await fetch(input, init)
      const text = await response.clone().text()
      captured = { status: response.status, headers: response.headers, text, value: parseJson(text) }
      return response
    }
    const client = new GitBookAPI({
      endpoint: this.url,
      ...(request.token === undefined ? {} : { authToken: request.token }),
      serviceBinding: { fetch: capture }
    })
    const method = officialMethodOf(client, request.operation)
    if (method === undefined) return this.send(request, true)
    const { path } = this.document.operation(request.operation)
    const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => request.params[name!])
    // The arguments after the ids: the body and the query, if the operation has them, then the request parameters.
    const argumentCount = method.length - ids.length
    const body = supportedContract.hasRequestBody(request.operation) ? [request.body] : []
    const others = [...body, ...(argumentCount > body.length ? [request.query] : [])]
    const requestParams = argumentCount > body.length ? {} : { query: request.query }
    const outcome = await method(...ids, ...others, requestParams).then(
      ({ data }) => ({ data }),
      (error: unknown) => ({ error })
    )
    if (captured === undefined) throw outcome
    this.coverage.recordClientCall()
    this.#observe(request.operation, captured, true)
    this.onExchange({ request, response: captured, isScenario: true })
    if (captured.status < 300 && "error" in outcome) {
      this.report(request.operation, `the official client rejected its response: ${outcome.error}`)
    }
    return captured
  }
}
