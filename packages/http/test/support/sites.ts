/** Helpers for the tests of sites. */
import { callByContract } from "../caller.ts"
import type { TestServer } from "../support.ts"

/** Returns a function that calls a server with a token, and validates successful responses against the public contract. */
export const callerOf =
  (server: TestServer, token: string) =>
  <A>(operation: string, method: string, path: string, body?: unknown) =>
    callByContract<A>(server, token, operation, method, path, body)
