/** Organizations with a SCIM client: an administrator, and an API token that provisions. */
import { SignIns } from "@lectern/core"
import { Effect, Redacted } from "effect"
import { openBrowser, type TestBrowser } from "./browser.ts"
import type { WorkspaceServer } from "./workspaceServer.ts"

/** The JSON of a response: resources, lists and errors. */
export interface ScimJson {
  readonly id: string
  readonly externalId?: string
  readonly userName: string
  readonly displayName?: string
  readonly active: boolean
  readonly name?: Readonly<Record<string, string>>
  readonly emails: ReadonlyArray<{ readonly value: string; readonly type: string; readonly primary: boolean }>
  readonly members?: ReadonlyArray<{ readonly value: string; readonly $ref: string }>
  readonly meta: { readonly version: string; readonly location: string; readonly lastModified: string }
  readonly totalResults: number
  readonly startIndex: number
  readonly itemsPerPage: number
  readonly Resources: ReadonlyArray<ScimJson>
  readonly status: string
  readonly scimType?: string
  readonly detail: string
  readonly schemas: ReadonlyArray<string>
}

/** A response with its decoded body. */
export interface ScimResult {
  readonly status: number
  readonly headers: Headers
  readonly body: ScimJson
}

/** An identity provider that provisions an organization. */
export interface ScimClient {
  readonly organization: string
  readonly admin: string
  /** The secret of the token. */
  readonly token: string
  /** An unlimited token of the administrator, for the API. */
  readonly adminToken: string
  readonly send: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>
  ) => Promise<ScimResult>
  readonly api: (method: string, path: string, body?: unknown) => Promise<ScimResult>
}

/** The schema of the message of a PATCH request. */
const patchSchema = "urn:ietf:params:scim:api:messages:2.0:PatchOp"

/** Returns the body of a PATCH request. */
export const patchOf = (...Operations: ReadonlyArray<unknown>) => ({ schemas: [patchSchema], Operations })

const resultOf = async (response: Response): Promise<ScimResult> => {
  const text = await response.text()
  const body = (text === "" ? undefined : JSON.parse(text)) as ScimJson
  return { status: response.status, headers: response.headers, body }
}

/** Sends requests to the endpoints of SCIM with a token. */
export const scimSender =
  (server: WorkspaceServer, token: string | undefined): ScimClient["send"] =>
  async (method, path, body, headers = {}) =>
    resultOf(
      await server.fetch(`/scim/v2${path}`, {
        method,
        ...(token === undefined ? {} : { token }),
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
        headers: { ...(body === undefined ? {} : { "content-type": "application/scim+json" }), ...headers }
      })
    )

/** Creates an organization with an e-mail domain, and a token of its administrator that provisions. */
export const openScim = async (
  server: WorkspaceServer,
  name = "acme",
  domain = `${name}.example.com`
): Promise<ScimClient> => {
  const admin = await server.createUser(`admin@${name}.example.com`)
  const organization = await server.createOrganization(name, admin)
  const adminToken = await server.tokenOf(admin)
  const api: ScimClient["api"] = async (method, path, body) =>
    resultOf(
      await server.fetch(`/v1${path}`, {
        method,
        token: adminToken,
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
    )
  await api("PATCH", `/orgs/${organization}`, { emailDomains: [domain] })
  const created = await api("POST", "/user/tokens", {
    label: "Provisioning",
    organization,
    permissions: ["organization.provision"]
  })
  const { secret } = created.body as unknown as { readonly secret: string }
  return { organization, admin, token: secret, adminToken, send: scimSender(server, secret), api }
}

/** Opens a browser in which a user has signed in. */
export const signInTo = async (server: WorkspaceServer, email: string): Promise<TestBrowser> => {
  const create = Effect.flatMap(SignIns, (signIns) => signIns.createLink({ input: { email } }))
  const { secret } = await server.workspace.runtime.runPromise(create)
  const browser = openBrowser(server)
  const response = await browser.request(`/~/sign-in/${Redacted.value(secret)}`, { method: "POST" })
  if (response.status !== 303) throw new Error(`The sign-in failed: ${response.text}`)
  return browser
}
