/** The client of OpenID Connect: discovery, the authorization URL, and the exchange of the code, with `openid-client`. */
import { Fetcher, isLoopbackHost, type OidcClientSettings, UpstreamFailed } from "@lectern/core"
import { Clock, Effect } from "effect"
import * as client from "openid-client"

/** The maximum size of a response of a provider, in bytes. */
const maximumBytes = 1024 * 1024

/** The timeout of a request to a provider, in milliseconds. */
const timeoutMillis = 10_000

/** How long the configuration of a provider is cached, in milliseconds: 10 minutes. Keys are fetched again when they rotate. */
const cacheMillis = 10 * 60 * 1_000

/** The maximum number of groups that count. */
const maximumGroups = 500

/** The user whom a verified ID token names. */
export interface OidcIdentity {
  readonly subject: string
  readonly email: string
  readonly displayName?: string
  readonly groups: ReadonlyArray<string>
}

const failed = (cause: unknown): UpstreamFailed =>
  cause instanceof UpstreamFailed
    ? cause
    : new UpstreamFailed({
        reason: "FetchFailed",
        message: `The identity provider cannot be used: ${(cause instanceof Error ? cause.message : String(cause)).slice(0, 300)}.`
      })

const bodyOf = (body: unknown): Uint8Array =>
  body instanceof Uint8Array ? body : new TextEncoder().encode(String(body ?? ""))

/** Creates the client of all providers. Its requests go through the safe fetcher. */
export const makeOidcClient = Effect.gen(function* () {
  const fetcher = yield* Fetcher
  const configurations = new Map<
    string,
    { readonly loadedAt: number; readonly value: client.Configuration }
  >()

  const safeFetch: client.CustomFetch = async (url, { method, headers, body }) => {
    const response = await Effect.runPromise(
      fetcher({
        url,
        maximumBytes,
        timeoutMillis,
        ...(method === "GET" ? { headers } : { post: { body: bodyOf(body), headers, isResponseRead: true } })
      })
    )
    return new Response(response.body as BodyInit, {
      status: response.status,
      headers: { "content-type": response.contentType }
    })
  }

  const configurationOf = Effect.fnUntraced(function* (settings: OidcClientSettings) {
    const time = yield* Clock.currentTimeMillis
    const cached = configurations.get(settings.id)
    if (cached !== undefined && time - cached.loadedAt < cacheMillis) return cached.value
    const issuer = new URL(settings.issuer)
    // A provider on this machine can be on plain http. Codes and tokens of others are sent only over https.
    const isLocal = issuer.protocol === "http:" && isLoopbackHost(issuer.host)
    const value = yield* Effect.tryPromise({
      try: () =>
        client.discovery(issuer, settings.clientId, settings.clientSecret, undefined, {
          [client.customFetch]: safeFetch,
          timeout: timeoutMillis / 1_000,
          ...(isLocal ? { execute: [client.allowInsecureRequests] } : {})
        }),
      catch: failed
    })
    configurations.set(settings.id, { loadedAt: time, value })
    return value
  })

  return {
    /** Returns the URL at which the user logs in. */
    authorizationUrl: Effect.fnUntraced(function* (
      settings: OidcClientSettings,
      login: { readonly state: string; readonly nonce: string; readonly verifier: string },
      redirectUrl: string
    ) {
      const configuration = yield* configurationOf(settings)
      const challenge = yield* Effect.promise(() => client.calculatePKCECodeChallenge(login.verifier))
      return client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUrl,
        scope: "openid email profile",
        state: login.state,
        nonce: login.nonce,
        code_challenge: challenge,
        code_challenge_method: "S256"
      }).href
    }),

    /** Exchanges the code of a response, and returns its verified user; undefined if the address is not verified. */
    identify: Effect.fnUntraced(function* (
      settings: OidcClientSettings,
      login: { readonly state: string; readonly nonce: string; readonly verifier: string },
      responseUrl: URL
    ) {
      const configuration = yield* configurationOf(settings)
      const claims = yield* Effect.tryPromise({
        try: async () => {
          const tokens = await client.authorizationCodeGrant(configuration, responseUrl, {
            pkceCodeVerifier: login.verifier,
            expectedNonce: login.nonce,
            expectedState: login.state,
            idTokenExpected: true
          })
          const claims = tokens.claims()!
          if (claims.email !== undefined) return claims
          // Some providers return the address only there. The subject must be that of the ID token.
          const info = await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
          return { ...claims, ...info }
        },
        catch: failed
      })
      const { sub, email, email_verified: isVerified, name } = claims
      if (typeof email !== "string" || isVerified !== true) return undefined
      const groups = claims[settings.groupsClaim ?? "groups"]
      const identity: OidcIdentity = {
        subject: sub,
        email,
        ...(typeof name === "string" ? { displayName: name.slice(0, 1_000) } : {}),
        groups: Array.isArray(groups)
          ? groups.filter((group) => typeof group === "string").slice(0, maximumGroups)
          : []
      }
      return identity
    })
  }
})

/** The client of OpenID Connect. */
export interface OidcClient extends Effect.Success<typeof makeOidcClient> {}
