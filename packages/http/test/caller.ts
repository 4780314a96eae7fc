/** Calls the API as tests do: with a token, a body as JSON, and what comes as what it is. */
import { expect } from "vitest"
import { validatePublicResponse } from "./contract.ts"
import type { TestServer } from "./support.ts"

/** What came of a call. */
export interface Called<A> {
  readonly status: number
  readonly isOk: boolean
  readonly text: string
  /** The body; undefined where there is none. */
  readonly value: A
}

/** Calls an operation under `/v1`. */
export const call = async <A>(
  server: TestServer,
  token: string,
  method: string,
  path: string,
  body?: unknown
): Promise<Called<A>> => {
  const init = body === undefined ? {} : { body: JSON.stringify(body) }
  const response = await server.fetch(`/v1${path}`, { method, token, ...init })
  const text = await response.text()
  const value = (text === "" ? undefined : JSON.parse(text)) as A
  return { status: response.status, isOk: response.ok, text, value }
}

/** The same, with a success looked at by the public contract where its operation is named. */
export const callByContract = async <A>(
  server: TestServer,
  token: string,
  operation: string,
  method: string,
  path: string,
  body?: unknown
): Promise<Called<A>> => {
  const called = await call<A>(server, token, method, path, body)
  if (called.isOk && called.value !== undefined && operation !== "") {
    const found = validatePublicResponse(operation, called.status, called.value)
    expect([operation, found]).toEqual([operation, undefined])
  }
  return called
}

/** The same, where only a success is expected: its body. */
export const callForBody = async <A>(...args: Parameters<typeof call>): Promise<A> => {
  const { isOk, text, value } = await call<A>(...args)
  if (!isOk) throw new Error(`${args[2]} ${args[3]}: ${text}`)
  return value
}
