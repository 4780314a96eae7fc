/** Requests as they go to the server. Every response is compared with what the server declares of its operation. */
import { GitBookAPI } from "@gitbook/api"
import type { Coverage } from "./Coverage.ts"
import type { OperationId } from "./endpoints.ts"
import { publicExceptions } from "./exceptions.ts"
import { differences, isKnown, takesBody } from "./publicContract.ts"
import { isObject, type Json } from "./Schemas.ts"
import type { Described, Received, ServedDocument } from "./ServedDocument.ts"

/** What a query holds. */
export type Query = { readonly [name: string]: boolean | number | string | ReadonlyArray<string> | undefined }

/** What is sent to an operation. */
export interface Request {
  readonly operation: OperationId
  readonly params: { readonly [name: string]: string }
  readonly query?: Query
  readonly body?: Json | undefined
  readonly headers?: { readonly [name: string]: string }
  /** Undefined for nobody. */
  readonly token: string | undefined
}

/** A response with its body as JSON; undefined where there is none. */
export interface Answered extends Received {
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

/** The address behind that of the server, as in `/v1/spaces/one`: servers may be known by other names than they have. */
export const pathOf = (location: string): string => {
  const { pathname } = new URL(location)
  return pathname.slice(Math.max(0, pathname.indexOf("/v1/")))
}

const parse = (text: string): Json | undefined => {
  try {
    return text === "" ? undefined : (JSON.parse(text) as Json)
  } catch {
    return undefined
  }
}

type ClientMethod = (...args: ReadonlyArray<unknown>) => Promise<{ readonly data: unknown }>

/** The method of the official client for an operation. Some of its names are written otherwise: `Pdf` for `PDF`. */
const methodOf = (client: GitBookAPI, operation: string): ClientMethod | undefined => {
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
  readonly request: Request
  readonly response: Answered
  /** Whether it is a call of a scenario itself, and not a trial of bounds, pages or permissions around it. */
  readonly isScenario: boolean
}

/** The way to a server. */
export class Wire {
  readonly url: string
  readonly document: ServedDocument
  readonly coverage: Coverage
  /** What was found to be wrong, a line each. */
  readonly problems: Array<string> = []
  /** Called with every request and its response. */
  onExchange: (exchange: Exchange) => void = () => {}

  constructor(url: string, document: ServedDocument, coverage: Coverage) {
    this.url = url
    this.document = document
    this.coverage = coverage
  }

  /** Says that something is wrong with an operation. */
  report(operation: string, problem: string): void {
    this.problems.push(`${operation}: ${problem}`)
  }

  /** The path of a request, with its parameters encoded. */
  #pathOf({ path }: Described, params: Request["params"]): string {
    return path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = params[name]
      if (value === undefined) throw new Error(`${path} needs ${name}.`)
      return encodeURIComponent(value)
    })
  }

  /** Compares a response with what is declared, and with the public contract where that has the same. */
  #observe(operation: OperationId, received: Answered, isScenario: boolean): void {
    for (const problem of this.document.problems(operation, received)) this.report(operation, problem)
    const { status, value } = received
    const isPublic = isScenario && status < 300 && value !== undefined && isKnown(operation)
    const problem = isPublic ? differences(operation, status, value) : undefined
    const isSettled = problem !== undefined && publicExceptions[operation]?.difference.test(problem) === true
    if (isSettled) this.coverage.differed(operation)
    if (problem !== undefined && !isSettled) {
      this.report(operation, `is not as the public contract has it: ${problem}`)
    }
    this.coverage.responded(isPublic)
    if (status >= 500) this.report(operation, `answers ${status}: ${received.text}`)
  }

  /** Sends a request as it is. */
  async send(request: Request, isScenario = false): Promise<Answered> {
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
    const received = { status: response.status, headers: response.headers, text, value: parse(text) }
    this.#observe(request.operation, received, false)
    this.onExchange({ request, response: received, isScenario })
    return received
  }

  /** Sends a request by the official client, unmodified; as it is, where the client has no such operation. */
  async sendByClient(request: Request): Promise<Answered> {
    let captured: Answered | undefined
    const capture: typeof fetch = async (input, init) => {
      const response = await fetch(input, init)
      const text = await response.clone().text()
      captured = { status: response.status, headers: response.headers, text, value: parse(text) }
      return response
    }
    const client = new GitBookAPI({
      endpoint: this.url,
      ...(request.token === undefined ? {} : { authToken: request.token }),
      serviceBinding: { fetch: capture }
    })
    const method = methodOf(client, request.operation)
    if (method === undefined) return this.send(request, true)
    const { path } = this.document.operation(request.operation)
    const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => request.params[name!])
    // Before the parameters of the request itself: the body and the query, where the operation has them.
    const places = method.length - ids.length
    const body = takesBody(request.operation) ? [request.body] : []
    const others = [...body, ...(places > body.length ? [request.query] : [])]
    const more = places > body.length ? {} : { query: request.query }
    const outcome = await method(...ids, ...others, more).then(
      ({ data }) => ({ data }),
      (error: unknown) => ({ error })
    )
    if (captured === undefined) throw outcome
    this.coverage.throughClient()
    this.#observe(request.operation, captured, true)
    this.onExchange({ request, response: captured, isScenario: true })
    if (captured.status < 300 && "error" in outcome) {
      this.report(request.operation, `the official client does not take what it answers: ${outcome.error}`)
    }
    return captured
  }
}
