/** Calls the API with a token and a JSON body, and parses the response. */
import { expect } from "vitest"
import { validatePublicResponse } from "./contract.ts"
import type { TestServer } from "./support.ts"

/** The response to a call. */
export interface CallResponse<A> {
  readonly status: number
  readonly isOk: boolean
  readonly text: string
  /** The parsed body; undefined if it is empty. */
  readonly value: A
}

/** Calls an operation under `/v1`. */
export const call = async <A>(
  server: TestServer,
  token: string,
  method: string,
  path: string,
  body?: unknown
): Promise<CallResponse<A>> => {
  const init = body === undefined ? {} : { body: JSON.stringify(body) }
  const response = await server.fetch(`/v1${path}`, { method, token, ...init })
  const text = await response.text()
  const value = (text === "" ? undefined : JSON.parse(text)) as A
  return { status: response.status, isOk: response.ok, text, value }
}

/** Calls an operation, and validates a successful response against the public contract unless `operation` is empty. */
export const callByContract = async <A>(
  server: TestServer,
  token: string,
  operation: string,
  method: string,
  path: string,
  body?: unknown
): Promise<CallResponse<A>> => {
  const called = await call<A>(server, token, method, path, body)
  if (called.isOk && called.value !== undefined && operation !== "") {
    const found = validatePublicResponse(operation, called.status, called.value)
    expect([operation, found]).toEqual([operation, undefined])
  }
  return called
}

/** Calls an operation and returns the body; throws if the call fails. */
export const callForBody = async <A>(...args: Parameters<typeof call>): Promise<A> => {
  const { isOk, text, value } = await call<A>(...args)
  if (!isOk) throw new Error(`${args[2]} ${args[3]}: ${text}`)
  return value
}
