/** A real provider of OpenID Connect on the loopback interface, and the pages on which its users log in. */
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { Provider } from "oidc-provider"
import { onTestFinished, vi } from "vitest"

/** A user of the provider. Its name is its subject. */
export interface ProviderUser {
  readonly email: string
  readonly email_verified: boolean
  readonly name?: string
  readonly groups?: ReadonlyArray<string>
}

/** A provider with one client. */
export interface TestProvider {
  readonly issuer: string
  readonly users: Map<string, ProviderUser>
  /** Logs a user in at an authorization URL, and returns the URL that the provider redirects to. */
  readonly logIn: (authorizationUrl: string, user: string) => Promise<string>
}

/** The client of every provider. */
export const clientSettings = { clientId: "lectern", clientSecret: "a secret of the client for tests" }

/** Starts a provider whose client has these redirect URLs. */
export const startOpenIdProvider = async (redirectUrls: ReadonlyArray<string>): Promise<TestProvider> => {
  const users = new Map<string, ProviderUser>()
  let handler: RequestListener | undefined
  const server = createServer((request, response) => handler?.(request, response))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  // It warns that its keys and its pages are for development.
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {})
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientSettings.clientId,
        client_secret: clientSettings.clientSecret,
        redirect_uris: [...redirectUrls],
        token_endpoint_auth_method: "client_secret_post"
      }
    ],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "groups"] },
    cookies: { keys: ["a key for tests"] },
    pkce: { required: () => true },
    findAccount: (_, id) => {
      const user = users.get(id)
      return user === undefined
        ? undefined
        : { accountId: id, claims: async () => ({ sub: id, ...user, groups: [...(user.groups ?? [])] }) }
    }
  })
  handler = provider.callback()
  warn.mockRestore()

  const logIn = async (authorizationUrl: string, user: string): Promise<string> => {
    const cookies = new Map<string, string>()
    let url = authorizationUrl
    let body: URLSearchParams | undefined
    for (let step = 0; step < 12; step++) {
      const response = await fetch(url, {
        redirect: "manual",
        headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
        ...(body === undefined ? {} : { method: "POST", body })
      })
      for (const set of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!
        cookies.set(name!, value!)
      }
      const location = response.headers.get("location")
      if (location !== null) {
        url = new URL(location, url).href
        body = undefined
        if (!url.startsWith(issuer)) return url
        continue
      }
      const html = await response.text()
      const [, prompt] = /name="prompt" value="(\w+)"/.exec(html) ?? []
      if (prompt === undefined) throw new Error(`The provider responds with ${response.status}: ${html}`)
      const [, action] = /<form[^>]* action="([^"]+)"/.exec(html) ?? []
      url = new URL(action ?? url, url).href
      body = new URLSearchParams({ prompt, login: user, password: "any" })
    }
    throw new Error("The login at the provider does not end.")
  }
  return { issuer, users, logIn }
}
