/** A user of the scenarios, who calls operations of the server. */
import { type ContractClient, type JsonResponse, pathOf, type Query, type Request } from "./ContractClient.ts"
import { checkBounds, parametersOf } from "./checkBounds.ts"
import { checkPagination } from "./checkPagination.ts"
import { checkRejections, errorOf, type UnauthorizedTokens } from "./checkRejections.ts"
import { endpoints, type OperationId, requiredEndpoints } from "./endpoints.ts"
import { alwaysRejected } from "./exceptions.ts"
import { findForgottenFields } from "./forgottenFields.ts"
import type { Json } from "./Schemas.ts"
import type { DeclaredOperation } from "./ServedDocument.ts"
import { fieldsIn, undeclaredIn } from "./variants.ts"

/** The input of an operation, without its path parameters. */
export interface Input {
  /** The query parameters. */
  readonly query?: Query
  /** The JSON body. */
  readonly body?: Json
}

const endpointsById = new Map([...endpoints, ...requiredEndpoints].map((one) => [one.operationId, one]))

/** Returns the method, path and status of an operation: from the endpoint table, or else as the server declares it. */
const endpointOf = (
  operation: OperationId,
  { method, path, responses }: DeclaredOperation
): Pick<DeclaredOperation, "method" | "path"> & { readonly status: number } => {
  const found = endpointsById.get(operation)
  if (found !== undefined) return found
  const successes = Object.keys(responses).filter((status) => status.startsWith("2"))
  if (successes.length !== 1)
    throw new Error(`${operation} declares ${successes.length} success statuses, expected 1.`)
  return { method, path, status: Number(successes[0]) }
}

/** A user with an account and an API token. */
export class Person {
  /** The e-mail address. */
  readonly email: string
  /** The id of the user. */
  readonly id: string
  /** The secret of the API token. */
  readonly token: string
  readonly #client: ContractClient
  readonly #unauthorized: UnauthorizedTokens

  constructor(
    client: ContractClient,
    unauthorized: UnauthorizedTokens,
    user: { readonly email: string; readonly id: string; readonly token: string }
  ) {
    this.#client = client
    this.#unauthorized = unauthorized
    this.email = user.email
    this.id = user.id
    this.token = user.token
  }

  /**
   * Calls an operation that must succeed, and returns the body of its response. Rejects if the response has another
   * status than the endpoint table specifies, or the server declares for an optional operation.
   *
   * Also checks the operation, and reports deviations to the client: before the first call, that it rejects unauthorized
   * callers and unknown ids; before each call, the bounds of fields that are sent for the first time; after a call that
   * returns a list, its pagination.
   */
  async call<A = undefined>(
    operation: OperationId,
    params: Request["params"] = {},
    input: Input = {}
  ): Promise<A> {
    const client = this.#client
    const described = client.document.operation(operation)
    const { status, method, path } = endpointOf(operation, described)
    if (described.method !== method || described.path !== path) {
      client.report(
        operation,
        `is declared as ${described.method} ${described.path}, expected ${method} ${path}`
      )
    }
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
    const pathParams = Object.fromEntries(
      names.flatMap((name) => (params[name] === undefined ? [] : [[name, params[name]]]))
    )
    const request: Request = { operation, params: pathParams, token: this.token, ...input }
    const isFirstCall = client.coverage.record("fields", operation, "rejections")
    if (isFirstCall) await checkRejections(client, request, this.#unauthorized)
    const { properties = {} } = parametersOf(described, "query")
    const isList = method === "GET" && properties.page !== undefined && properties.limit !== undefined
    for (const place of this.#undeclaredIn(request)) {
      client.report(operation, `is called with ${place}, which its document does not declare`)
    }
    await checkBounds(client, isList ? { ...request, query: { limit: 2, ...input.query } } : request, status)
    this.#recordCoverage(request)
    const response = await client.sendByOfficialClient(request)
    if (response.status !== status) {
      throw new Error(`${operation} returned ${response.status}, expected ${status}: ${response.text}`)
    }
    client.coverage.recordCall(operation)
    for (const name of findForgottenFields(operation, request.body, response.value)) {
      client.report(
        operation,
        `returned another value of ${name} than was sent: ${response.text.slice(0, 300)}`
      )
    }
    await this.#checkResponse(request, response, isFirstCall)
    if (isList) await checkPagination(client, request)
    return response.value as A
  }

  /** Calls an operation that must fail with a status, and returns the message of the error. Rejects otherwise. */
  async expectError(
    status: number,
    operation: OperationId,
    params: Request["params"] = {},
    input: Input = {}
  ): Promise<string> {
    return String((await this.expectFailure(status, operation, params, input)).message)
  }

  /** Calls an operation that must fail with a status, and returns the error. Rejects otherwise. */
  async expectFailure(
    status: number,
    operation: OperationId,
    params: Request["params"] = {},
    input: Input = {}
  ): Promise<{ readonly [field: string]: unknown }> {
    const request = { operation, params, token: this.token, ...input }
    const response = await this.#client.send(request)
    // A field that is always rejected cannot be covered by a successful call.
    for (const field of alwaysRejected[operation]?.fields ?? []) {
      if (this.#fieldsOf(request).includes(field)) this.#client.coverage.record("fields", operation, field)
    }
    if (response.status !== status) {
      throw new Error(
        `${operation} returned ${response.status}, expected an error with ${status}: ${response.text}`
      )
    }
    return errorOf(response.value)
  }

  /** Records the parameters and fields of a request as covered. */
  #recordCoverage(request: Request): void {
    const { coverage } = this.#client
    const { operation, query = {} } = request
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) coverage.record("parameters", operation, `query.${name}`)
    }
    for (const field of this.#fieldsOf(request)) coverage.record("fields", operation, field)
  }

  /** Returns the fields of the body of a request, by place. */
  #fieldsOf({ operation, body }: Request): ReadonlyArray<string> {
    const { document } = this.#client
    const schema = document.operation(operation).body
    return schema === undefined || body === undefined
      ? []
      : fieldsIn(document.definitions, schema, body, "body")
  }

  /** Returns the places of the body of a request that the document of the server does not declare. */
  #undeclaredIn({ operation, body }: Request): ReadonlyArray<string> {
    const { document } = this.#client
    const schema = document.operation(operation).body
    return schema === undefined || body === undefined
      ? []
      : [...new Set(undeclaredIn(document.definitions, schema, body, "body"))]
  }

  /** Checks the first response of an operation: its `Location` exists, and its entity tag is current. */
  async #checkResponse(request: Request, response: JsonResponse, isFirst: boolean): Promise<void> {
    const client = this.#client
    const { operation } = request
    const described = client.document.operation(operation)
    const location = response.headers.get("location")
    const address = location === null ? undefined : pathOf(location)
    if (address !== undefined && isFirst && client.document.hasOperationAt("GET", address)) {
      const found = await fetch(`${client.url}${address}`, {
        headers: { authorization: `Bearer ${this.token}` }
      })
      if (found.status !== 200)
        client.report(operation, `its Location ${location} returned ${found.status}, expected 200`)
    }
    const tag = response.headers.get("etag")
    if (described.method === "GET" && tag !== null && isFirst) {
      const conditional = await client.send({ ...request, headers: { "if-none-match": tag } })
      if (conditional.status !== 304)
        client.report(operation, `returned ${conditional.status} for its own entity tag, expected 304`)
    }
  }
}
