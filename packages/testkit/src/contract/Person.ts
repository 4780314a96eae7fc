/** A user in a scenario, who calls the server. */
import { forgottenIn } from "./echoes.ts"
import { parametersOf, tryEdges } from "./edges.ts"
import { endpoints, type OperationId, requiredEndpoints } from "./endpoints.ts"
import { alwaysRejected } from "./exceptions.ts"
import { readPages } from "./pages.ts"
import { errorOf, type Strangers, tryRefusals } from "./refusals.ts"
import type { Json } from "./Schemas.ts"
import type { Described } from "./ServedDocument.ts"
import { fieldsIn } from "./trials.ts"
import { type Answered, pathOf, type Query, type Request, type Wire } from "./Wire.ts"

/** The query and the body of a call. */
export interface Input {
  readonly query?: Query
  readonly body?: Json
}

const endpointsById = new Map([...endpoints, ...requiredEndpoints].map((one) => [one.operationId, one]))

/** The method, path and status of an operation: those of the endpoint table, or else those that the server declares. */
const endpointOf = (
  operation: OperationId,
  { method, path, responses }: Described
): Pick<Described, "method" | "path"> & { readonly status: number } => {
  const found = endpointsById.get(operation)
  if (found !== undefined) return found
  const successes = Object.keys(responses).filter((status) => status.startsWith("2"))
  if (successes.length !== 1)
    throw new Error(`${operation} declares ${successes.length} statuses of a success.`)
  return { method, path, status: Number(successes[0]) }
}

/** A user with an account. */
export class Person {
  readonly email: string
  readonly id: string
  readonly token: string
  readonly #wire: Wire
  readonly #strangers: Strangers

  constructor(
    wire: Wire,
    strangers: Strangers,
    who: { readonly email: string; readonly id: string; readonly token: string }
  ) {
    this.#wire = wire
    this.#strangers = strangers
    this.email = who.email
    this.id = who.id
    this.token = who.token
  }

  /**
   * Calls an operation, which must succeed, and returns its body. Before its first call the operation is tried by those who may
   * not, and at the edges of all that this call sends for the first time; a list is read by pages afterwards.
   */
  async call<A = undefined>(
    operation: OperationId,
    params: Request["params"] = {},
    input: Input = {}
  ): Promise<A> {
    const wire = this.#wire
    const described = wire.document.operation(operation)
    const { status, method, path } = endpointOf(operation, described)
    if (described.method !== method || described.path !== path) {
      wire.report(operation, `is ${described.method} ${described.path} and not ${method} ${path}`)
    }
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
    const own = Object.fromEntries(
      names.flatMap((name) => (params[name] === undefined ? [] : [[name, params[name]]]))
    )
    const request: Request = { operation, params: own, token: this.token, ...input }
    const isTold = wire.coverage.done("fields", operation, "refusals")
    if (isTold) await tryRefusals(wire, request, this.#strangers)
    const { properties = {} } = parametersOf(described, "query")
    const isList = method === "GET" && properties.page !== undefined && properties.limit !== undefined
    await tryEdges(wire, isList ? { ...request, query: { limit: 2, ...input.query } } : request, status)
    this.#sent(request)
    const answered = await wire.sendByClient(request)
    if (answered.status !== status) {
      throw new Error(`${operation} is to answer ${status}, and answers ${answered.status}: ${answered.text}`)
    }
    wire.coverage.called(operation)
    for (const name of forgottenIn(request.body, answered.value)) {
      wire.report(operation, `answers another ${name} than was sent: ${answered.text.slice(0, 300)}`)
    }
    await this.#lookAfter(request, answered, isTold)
    if (isList) await readPages(wire, request)
    return answered.value as A
  }

  /** Calls an operation, which must fail with this status, and returns its message. */
  async refused(
    status: number,
    operation: OperationId,
    params: Request["params"] = {},
    input: Input = {}
  ): Promise<string> {
    const request = { operation, params, token: this.token, ...input }
    const answered = await this.#wire.send(request)
    // Fields that are always rejected cannot be in a call that succeeds.
    for (const field of alwaysRejected[operation]?.fields ?? []) {
      if (this.#fieldsOf(request).includes(field)) this.#wire.coverage.done("fields", operation, field)
    }
    if (answered.status !== status) {
      throw new Error(
        `${operation} is to refuse with ${status}, and answers ${answered.status}: ${answered.text}`
      )
    }
    return String(errorOf(answered.value).message)
  }

  /** Notes what a request has. */
  #sent(request: Request): void {
    const { coverage } = this.#wire
    const { operation, query = {} } = request
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) coverage.done("parameters", operation, `query.${name}`)
    }
    for (const field of this.#fieldsOf(request)) coverage.done("fields", operation, field)
  }

  /** The fields of the body of a request, by place. */
  #fieldsOf({ operation, body }: Request): ReadonlyArray<string> {
    const { document } = this.#wire
    const schema = document.operation(operation).body
    return schema === undefined || body === undefined
      ? []
      : fieldsIn(document.definitions, schema, body, "body")
  }

  /** Checks the headers of a success. */
  async #lookAfter(request: Request, answered: Answered, isFirst: boolean): Promise<void> {
    const wire = this.#wire
    const { operation } = request
    const described = wire.document.operation(operation)
    const location = answered.headers.get("location")
    const address = location === null ? undefined : pathOf(location)
    if (address !== undefined && isFirst && wire.document.has("GET", address)) {
      const there = await fetch(`${wire.url}${address}`, {
        headers: { authorization: `Bearer ${this.token}` }
      })
      if (there.status !== 200) wire.report(operation, `its Location ${location} answers ${there.status}`)
    }
    const tag = answered.headers.get("etag")
    if (described.method === "GET" && tag !== null && isFirst) {
      const again = await wire.send({ ...request, headers: { "if-none-match": tag } })
      if (again.status !== 304) wire.report(operation, `answers its own tag by ${again.status}`)
    }
  }
}
