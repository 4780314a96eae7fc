/** Helpers for tests of organizations and their members. */
import { callByContract } from "../caller.ts"
import type { TestServer } from "../support.ts"

/** Calls a server, checks the body of a success against the public contract, and returns status and body. */
export const callerOf =
  (server: TestServer) =>
  async <A>(token: string, operation: string, method: string, path: string, body?: unknown) => {
    const { status, value } = await callByContract<A>(server, token, operation, method, path, body)
    return { status, value }
  }

/** A page of a list. */
export interface ListPage<A> {
  readonly count: number
  readonly items: ReadonlyArray<A>
  readonly next?: { readonly page: string }
}

/** Creates an organization with an administrator, whose token is returned, and three readers. */
export const startOrganizationOfThree = async (server: TestServer) => {
  const call = callerOf(server)
  const admin = await server.core.createUser("admin@example.com")
  const id = await server.core.createOrganization("Acme", admin)
  const token = await server.tokenOf(admin)
  const { value } = await call<{ users: ReadonlyArray<string> }>(token, "", "POST", `/orgs/${id}/invites`, {
    role: "read",
    emails: ["ada@example.com", "bob@example.com", "cy@example.com"]
  })
  const [ada, bob, cy] = value.users as [string, string, string]
  return { call, admin, id, token, ada, bob, cy }
}
