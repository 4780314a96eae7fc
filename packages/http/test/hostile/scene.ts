/** The server that receives adversarial requests: a process of its own, and the resources that the requests name. */
import type { ChildProcess } from "node:child_process"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import {
  buildSignedResponse,
  type Keys,
  type LoginResponse,
  makeKeys,
  parseLoginRequest
} from "../identityProvider.ts"
import { adminToken, spawnProcess, waitUntilServing } from "../support/commandProcess.ts"

/** A request to the server. */
export interface HostileRequest {
  readonly method: string
  readonly path: string
  /** Text, bytes, or a value that is sent as JSON. */
  readonly body?: unknown
  readonly headers?: Record<string, string>
  readonly isAnonymous?: boolean
}

/** The response to a request, without its headers. */
export interface HostileResponse {
  readonly status: number
  readonly body: string
}

/** A started login: the state to send, and a valid response of the identity provider. */
export interface StartedLogin {
  readonly state: string
  readonly response: string
}

/** The server, and the paths of the resources that requests attack. */
export interface Scene {
  readonly url: string
  readonly child: ChildProcess
  readonly organization: string
  readonly space: string
  readonly site: string
  /** The path of the published site, with a slash at the end. */
  readonly published: string
  readonly acs: string
  readonly send: (request: HostileRequest) => Promise<HostileResponse>
  /** Sends a request of the scene itself; throws unless it succeeds. */
  readonly call: <A>(method: string, path: string, body?: unknown) => Promise<A>
  /** Serves bytes to imports, and returns their URL. */
  readonly publish: (name: string, contentType: string, body: string | Uint8Array) => string
  readonly startLogin: () => Promise<StartedLogin>
  readonly close: () => Promise<void>
}

const startProcess = () =>
  waitUntilServing(
    spawnProcess(["serve", "--port", "0"], {
      LECTERN_LOG_LEVEL: "error",
      LECTERN_DATABASE_URL: "sqlite::memory:",
      LECTERN_ADMIN_TOKEN: adminToken,
      LECTERN_FETCH_ALLOW: "127.0.0.1",
      LECTERN_RATE_LIMITS: "off"
    })
  )

const startFiles = async () => {
  const files = new Map<string, { readonly contentType: string; readonly body: string | Uint8Array }>()
  const server = createServer((request, response) => {
    const file = files.get(request.url!)
    if (file === undefined) response.writeHead(404).end()
    else response.writeHead(200, { "content-type": file.contentType }).end(file.body)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    publish: (name: string, contentType: string, body: string | Uint8Array) => {
      files.set(`/${name}`, { contentType, body })
      return `${url}/${name}`
    },
    close: () => {
      server.closeAllConnections()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    }
  }
}

const bodyOf = (body: unknown): BodyInit | undefined =>
  body === undefined
    ? undefined
    : typeof body === "string" || body instanceof Uint8Array
      ? (body as BodyInit)
      : JSON.stringify(body)

const entityID = "https://idp.example.com/metadata"

const makeStartLogin =
  (url: string, service: { acsURL: string; startURL: string; entityID: string }, keys: Keys) =>
  async (): Promise<StartedLogin> => {
    const started = await fetch(url + new URL(service.startURL).pathname, { redirect: "manual" })
    const { id, state } = parseLoginRequest(started.headers.get("location")!)
    const fields: LoginResponse = {
      email: "new@example.com",
      audience: service.entityID,
      recipient: service.acsURL,
      destination: service.acsURL,
      issuer: entityID,
      inResponseTo: id,
      notBeforeMillis: -1000,
      notAfterMillis: 300_000,
      signed: "assertion"
    }
    return { state, response: buildSignedResponse(fields, keys) }
  }

/** Starts the server with an organization, a space, a published site and a SAML provider. */
export const startScene = async (): Promise<Scene> => {
  const keys = await makeKeys()
  const files = await startFiles()
  const { child, url, end } = await startProcess()

  const send: Scene["send"] = async ({ method, path, body, headers = {}, isAnonymous = false }) => {
    const content = bodyOf(body)
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(isAnonymous ? {} : { authorization: `Bearer ${adminToken}` }),
        ...(content === undefined ? {} : { "content-type": "application/json" }),
        ...headers
      },
      ...(content === undefined ? {} : { body: content }),
      redirect: "manual",
      signal: AbortSignal.timeout(120_000)
    })
    return { status: response.status, body: await response.text() }
  }
  const call: Scene["call"] = async <A>(method: string, path: string, body?: unknown) => {
    const response = await send({ method, path, body })
    if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${response.body}`)
    return (response.body === "" ? undefined : JSON.parse(response.body)) as A
  }

  const { items } = await call<{ items: ReadonlyArray<{ id: string }> }>("GET", "/v1/orgs")
  const organization = `/v1/orgs/${items[0]!.id}`
  const space = await call<{ id: string }>("POST", `${organization}/spaces`, { title: "Space" })
  const site = await call<{ id: string }>("POST", `${organization}/sites`, { spaces: [space.id] })
  await call("PATCH", `${organization}/sites/${site.id}`, { visibility: "public" })
  await call("POST", `${organization}/sites/${site.id}/publish`)
  const { urls } = await call<{ urls: { published: string } }>("GET", `${organization}/sites/${site.id}`)
  const team = await call<{ id: string }>("PUT", `${organization}/teams`, { title: "Staff" })
  const provider = await call<{ service: { acsURL: string; startURL: string; entityID: string } }>(
    "POST",
    `${organization}/saml`,
    {
      label: "Acme",
      entityID,
      certificate: keys.certificate,
      ssoURL: "https://idp.example.com/sso",
      defaultTeam: team.id,
      defaultRole: "edit"
    }
  )
  return {
    url,
    child,
    organization,
    space: `/v1/spaces/${space.id}`,
    site: `${organization}/sites/${site.id}`,
    published: new URL(urls.published).pathname,
    acs: new URL(provider.service.acsURL).pathname,
    send,
    call,
    publish: files.publish,
    startLogin: makeStartLogin(url, provider.service, keys),
    close: async () => {
      await files.close()
      await end("SIGKILL")
    }
  }
}
