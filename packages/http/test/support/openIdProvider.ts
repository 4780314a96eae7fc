/** A real provider of OpenID Connect on the loopback interface, and the pages on which its users log in. */
import { generateKeyPairSync, randomUUID } from "node:crypto"
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
  readonly teams?: ReadonlyArray<string>
}

/** A provider with one client. */
export interface TestProvider {
  readonly issuer: string
  readonly users: Map<string, ProviderUser>
  /** Logs a user in at an authorization URL, and returns the URL that the provider redirects to. */
  readonly logIn: (authorizationUrl: string, user: string) => Promise<string>
  /** Replaces the keys that sign ID tokens. */
  readonly rotateKeys: () => void
  /** Makes the provider sign with keys that it does not publish. */
  readonly signWithUnpublishedKeys: () => void
  /** Replaces endpoints in the discovery document. */
  readonly declareEndpoints: (endpoints: Readonly<Record<string, string>>) => void
  /** Adds redirect URLs, as for a provider whose id is known only after its creation. */
  readonly setRedirectUrls: (urls: ReadonlyArray<string>, logoutUrls?: ReadonlyArray<string>) => void
}

/** The client of every provider. */
export const clientSettings = { clientId: "lectern", clientSecret: "a secret of the client for tests" }

/** Generates keys that sign ID tokens. */
const newKeys = (kid: string = randomUUID()) => {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
  return [{ ...privateKey.export({ format: "jwk" }), kid, use: "sig", alg: "RS256" }]
}

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
  let urls = redirectUrls
  let logoutUrls: ReadonlyArray<string> = []
  let keys = newKeys()
  /** The published keys, if they differ from the signing keys. */
  let published: ReadonlyArray<object> | undefined
  let declared: Readonly<Record<string, string>> | undefined

  /** Starts the provider again with the current settings. */
  const restart = (): void => {
    // It warns that its keys and its pages are for development.
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {})
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: clientSettings.clientId,
          client_secret: clientSettings.clientSecret,
          redirect_uris: [...urls],
          post_logout_redirect_uris: [...logoutUrls],
          token_endpoint_auth_method: "client_secret_post"
        }
      ],
      jwks: { keys },
      claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "groups", "teams"] },
      cookies: { keys: ["a key for tests"] },
      pkce: { required: () => true },
      findAccount: (_, id) => {
        const user = users.get(id)
        return user === undefined
          ? undefined
          : { accountId: id, claims: async () => ({ sub: id, ...user, groups: [...(user.groups ?? [])] }) }
      }
    })
    const callback = provider.callback()
    handler = (request, response) => {
      if (declared !== undefined && request.url === "/.well-known/openid-configuration") {
        response.setHeader("content-type", "application/json")
        const base = { issuer, jwks_uri: `${issuer}/jwks`, token_endpoint: `${issuer}/token` }
        response.end(JSON.stringify({ ...base, ...declared }))
        return
      }
      if (published === undefined || request.url !== "/jwks") return callback(request, response)
      response.setHeader("content-type", "application/jwk-set+json")
      response.end(JSON.stringify({ keys: published }))
    }
    warn.mockRestore()
  }
  restart()

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
  return {
    issuer,
    users,
    logIn,
    rotateKeys: () => {
      keys = newKeys()
      restart()
    },
    signWithUnpublishedKeys: () => {
      const kid = String(keys[0]!.kid)
      published = newKeys(kid).map(({ kty, n, e, use, alg }) => ({ kty, n, e, use, alg, kid }))
      restart()
    },
    declareEndpoints: (endpoints) => {
      declared = endpoints
    },
    setRedirectUrls: (next, nextLogout = []) => {
      urls = next
      logoutUrls = nextLogout
      restart()
    }
  }
}
