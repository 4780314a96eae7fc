/** Helpers for tests of sites. */
import { callByContract } from "../caller.ts"
import type { TestServer } from "../support.ts"

/** Calls a server as a user, and checks the body of a success against the public contract. */
export const callerOf =
  (server: TestServer, token: string) =>
  <A>(operation: string, method: string, path: string, body?: unknown) =>
    callByContract<A>(server, token, operation, method, path, body)
