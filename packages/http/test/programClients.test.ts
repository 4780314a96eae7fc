/** Programs of others with a client library of OAuth, and a client of MCP that signs in. */
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  discovery,
  dynamicClientRegistration,
  initiateDeviceAuthorization,
  None,
  pollDeviceAuthorizationGrant,
  randomPKCECodeVerifier,
  randomState,
  refreshTokenGrant,
  tokenRevocation
} from "openid-client"
import { describe, expect, it } from "vitest"
import { memory, ruleDatabases } from "./stores.ts"
import type { TestBrowser } from "./support/browser.ts"
import { callback, type ProgramServer, returnedTo, startProgramServer } from "./support/programServer.ts"

const insecure = { algorithm: "oauth2" as const, execute: [allowInsecureRequests] }

const start = async (store: Parameters<typeof startProgramServer>[0] = memory) => {
  const server = await startProgramServer(store)
  const ada = await server.createUser("ada@example.com")
  const organization = await server.createOrganization("Acme", ada)
  return { server, ada, organization, browser: await server.signIn("ada@example.com") }
}

/** Opens a URL in a browser, authorizes the program, and returns the URL that the program receives. */
const authorizeAt = async (browser: TestBrowser, url: URL): Promise<URL> => {
  const { location = "" } = await browser.request(url.pathname + url.search, { from: "cross-site" })
  await browser.request(location, { from: "cross-site" })
  return returnedTo(await browser.request(location, { form: { decision: "allow" } }))
}

const orgsOf = async (server: ProgramServer, token: string) =>
  (await server.fetch("/v1/orgs", { token })).status

describe.each(ruleDatabases)("a client library of OAuth, on $name", (store) => {
  it("discovers the server, registers, and obtains, refreshes and revokes tokens", async () => {
    const { server, browser } = await start(store)
    const issuer = new URL(server.url)
    const client = await dynamicClientRegistration(
      issuer,
      { client_name: "Library", redirect_uris: [callback], token_endpoint_auth_method: "none" },
      None(),
      insecure
    )
    expect(client.serverMetadata()).toMatchObject({
      issuer: server.url,
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true
    })
    const verifier = randomPKCECodeVerifier()
    const state = randomState()
    const url = buildAuthorizationUrl(client, {
      redirect_uri: callback,
      scope: "organization.view",
      state,
      resource: `${server.url}/v1`,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256"
    })
    const returned = await authorizeAt(browser, url)
    const tokens = await authorizationCodeGrant(client, returned, {
      pkceCodeVerifier: verifier,
      expectedState: state
    })
    expect(tokens).toMatchObject({ token_type: "bearer", scope: "organization.view" })
    expect(await orgsOf(server, tokens.access_token)).toBe(200)
    const renewed = await refreshTokenGrant(client, tokens.refresh_token!)
    expect(await orgsOf(server, renewed.access_token)).toBe(200)
    await tokenRevocation(client, renewed.access_token)
    expect(await orgsOf(server, renewed.access_token)).toBe(401)
    await expect(refreshTokenGrant(client, renewed.refresh_token!)).rejects.toMatchObject({
      error: "invalid_grant"
    })
  })

  it("obtains tokens for a device", async () => {
    const { server, browser } = await start(store)
    const client = await discovery(new URL(server.url), "lectern", undefined, None(), insecure)
    const device = await initiateDeviceAuthorization(client, {})
    const form = { user_code: device.user_code, decision: "allow" }
    expect((await browser.request("/~/device", { form })).status).toBe(200)
    const tokens = await pollDeviceAuthorizationGrant(client, { ...device, interval: 0 })
    expect(await orgsOf(server, tokens.access_token)).toBe(200)
  })
})

/** Publishes a site that requires a sign-in, and returns the URL of its MCP server. */
const publishSite = async ({ server, ada, organization }: Awaited<ReturnType<typeof start>>) => {
  const token = await server.tokenOf(ada)
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await server.fetch(`/v1${path}`, {
      method,
      token,
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    return (await response.json()) as { readonly id: string; readonly urls: { readonly published: string } }
  }
  const space = await call("POST", `/orgs/${organization}/spaces`, { title: "Guide" })
  await call("POST", `/spaces/${space.id}/content`, {
    changes: [{ operation: "insert_page", title: "Start", document: { markdown: "Run the installer." } }]
  })
  const site = await call("POST", `/orgs/${organization}/sites`, {
    title: "Docs",
    spaces: [space.id],
    visibility: "visitor-auth"
  })
  const { urls } = await call("POST", `/orgs/${organization}/sites/${site.id}/publish`)
  return { url: `${urls.published.replace(/\/$/, "")}/~gitbook/mcp`, site: site.id, token }
}

/** Sends a message to an MCP server. */
const send = (url: string, message: object, headers: Readonly<Record<string, string>> = {}) =>
  fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers
    },
    body: JSON.stringify({ jsonrpc: "2.0", ...message })
  })

const initialize = {
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "test", version: "1" }
  }
}

describe("a client of the MCP server of a site that requires a sign-in", () => {
  it("signs in from the response with 401 to the call of a tool, for this server only", async () => {
    const started = await start()
    const { server, browser } = started
    const { url, token: apiToken } = await publishSite(started)
    const rejected = await send(url, initialize)
    expect(rejected.status).toBe(401)
    const metadataUrl = /^Bearer resource_metadata="([^"]+)"$/.exec(
      rejected.headers.get("www-authenticate") ?? ""
    )?.[1]
    const metadata = (await (await fetch(metadataUrl!)).json()) as {
      readonly resource: string
      readonly authorization_servers: ReadonlyArray<string>
      readonly scopes_supported: ReadonlyArray<string>
    }
    expect(metadata).toMatchObject({ resource: url, authorization_servers: [server.url] })

    const client = await dynamicClientRegistration(
      new URL(metadata.authorization_servers[0]!),
      { client_name: "Agent", redirect_uris: ["http://127.0.0.1/callback"] },
      None(),
      insecure
    )
    const verifier = randomPKCECodeVerifier()
    const returned = await authorizeAt(
      browser,
      buildAuthorizationUrl(client, {
        redirect_uri: "http://127.0.0.1:4567/callback",
        scope: metadata.scopes_supported.join(" "),
        resource: metadata.resource,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256"
      })
    )
    const tokens = await authorizationCodeGrant(client, returned, { pkceCodeVerifier: verifier })
    const authorization = `Bearer ${tokens.access_token}`
    const opened = await send(url, initialize, { authorization })
    expect(opened.status).toBe(200)
    const session = {
      authorization,
      "mcp-session-id": opened.headers.get("mcp-session-id") ?? "",
      "mcp-protocol-version": "2025-06-18"
    }
    await send(url, { method: "notifications/initialized" }, session)
    const call = { id: 2, method: "tools/call", params: { name: "read_page", arguments: { path: "/start" } } }
    expect(await (await send(url, call, session)).text()).toContain("Run the installer.")

    // The token is for this server only, and an API token is for the API only.
    expect(await orgsOf(server, tokens.access_token)).toBe(401)
    expect((await send(url, initialize, { authorization: `Bearer ${apiToken}` })).status).toBe(401)
    const other = await send(url.replace("/~gitbook/mcp", "/other/~gitbook/mcp"), initialize, {
      authorization
    })
    expect(other.status).not.toBe(200)
    // The person ends the access.
    const { items } = JSON.parse((await browser.request("/v1/user/programs")).text)
    expect(items).toMatchObject([{ name: "Agent (localhost)", permissions: ["site.view"] }])
    await browser.request(`/v1/user/programs/${items[0].id}`, { method: "DELETE" })
    const ended = await send(url, call, session)
    expect(ended.status).toBe(401)
    expect(ended.headers.get("www-authenticate")).toContain('error="invalid_token"')
  })

  it("loses its access with the membership of the person", async () => {
    const started = await start()
    const { server, organization } = started
    const { url, token } = await publishSite(started)
    const bob = await server.createUser("bob@example.com")
    await server.workspace.administration.setMember({
      organization: organization as never,
      user: bob as never,
      input: { role: "read" }
    })
    const browser = await server.signIn("bob@example.com")
    const client = await dynamicClientRegistration(
      new URL(server.url),
      { client_name: "Agent", redirect_uris: [callback] },
      None(),
      insecure
    )
    const verifier = randomPKCECodeVerifier()
    const returned = await authorizeAt(
      browser,
      buildAuthorizationUrl(client, {
        redirect_uri: callback,
        resource: url,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256"
      })
    )
    const tokens = await authorizationCodeGrant(client, returned, { pkceCodeVerifier: verifier })
    const authorization = `Bearer ${tokens.access_token}`
    expect((await send(url, initialize, { authorization })).status).toBe(200)
    const removed = await server.fetch(`/v1/orgs/${organization}/members/${bob}`, { method: "DELETE", token })
    expect(removed.status).toBe(204)
    expect((await send(url, initialize, { authorization })).status).toBe(401)
  })

  it("finds the metadata of the API in its responses with 401", async () => {
    const { server } = await start()
    const { headers } = await server.fetch("/v1/user")
    const metadataUrl = /resource_metadata="([^"]+)"/.exec(headers.get("www-authenticate") ?? "")?.[1]
    expect(await (await fetch(metadataUrl!)).json()).toMatchObject({ resource: `${server.url}/v1` })
    const missing = await fetch(
      `${server.url}/.well-known/oauth-protected-resource/o/none/s/none/~gitbook/mcp`
    )
    expect(missing.status).toBe(404)
  })
})
