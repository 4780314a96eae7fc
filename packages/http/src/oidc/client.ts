/** The client of OpenID Connect: discovery, the authorization URL, and the exchange of the code, with `openid-client`. */
import { createHash } from "node:crypto"
import {
  Fetcher,
  isLoopbackHost,
  maximumIdTokenLength,
  type OidcClientSettings,
  UpstreamFailed
} from "@lectern/core"
import { Clock, Effect } from "effect"
import * as client from "openid-client"

/** The maximum size of a response of a provider, in bytes. */
const maximumBytes = 1024 * 1024

/** The timeout of a request to a provider, in milliseconds. */
const timeoutMillis = 10_000

/** How long the configuration of a provider is cached, in milliseconds: 10 minutes. Keys are fetched again when they rotate. */
const cacheMillis = 10 * 60 * 1_000

/** The maximum number of providers whose configurations are cached. */
const maximumConfigurations = 1_000

/** The maximum number of groups that count. */
const maximumGroups = 500

/** The user whom a verified ID token names. */
export interface OidcIdentity {
  readonly subject: string
  readonly email: string
  readonly isEmailVerified: boolean
  readonly displayName?: string
  readonly groups: ReadonlyArray<string>
  /** The ID token, which is sent back at the logout; absent if it is too long to be stored. */
  readonly idToken?: string
}

const failed = (cause: unknown): UpstreamFailed =>
  cause instanceof UpstreamFailed
    ? cause
    : new UpstreamFailed({
        reason: "FetchFailed",
        message: `The identity provider cannot be used: ${(cause instanceof Error ? cause.message : String(cause)).slice(0, 300)}.`
      })

const attempt = <A>(run: () => A): Effect.Effect<A, UpstreamFailed> => Effect.try({ try: run, catch: failed })

/** Whether a claim is true. Some providers send it as text or as a number. */
const isTrue = (claim: unknown): boolean => claim === true || claim === "true" || claim === 1 || claim === "1"

/** Whether a provider has verified the address. Microsoft Entra ID has a claim of its own, which counts only without the standard one. */
const isVerified = ({
  email_verified: verified,
  xms_edov: domainVerified
}: Readonly<Record<string, unknown>>): boolean =>
  verified === undefined ? isTrue(domainVerified) : isTrue(verified)

const bodyOf = (body: unknown): Uint8Array =>
  body instanceof Uint8Array ? body : new TextEncoder().encode(String(body ?? ""))

/** Creates the client of all providers. Its requests go through the safe fetcher. */
export const makeOidcClient = Effect.gen(function* () {
  const fetcher = yield* Fetcher
  const configurations = new Map<
    string,
    { readonly loadedAt: number; readonly version: string; readonly value: client.Configuration }
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

  const discover = Effect.fnUntraced(function* (settings: OidcClientSettings) {
    const issuer = new URL(settings.issuer)
    // A provider on this machine can be on plain http. Codes and tokens of others are sent only over https.
    const isLocal = issuer.protocol === "http:" && isLoopbackHost(issuer.host)
    return yield* Effect.tryPromise({
      try: () =>
        client.discovery(issuer, settings.clientId, settings.clientSecret, undefined, {
          [client.customFetch]: safeFetch,
          timeout: timeoutMillis / 1_000,
          // Without this, the library trusts the connection instead of the signature of the ID token.
          execute: [client.enableNonRepudiationChecks, ...(isLocal ? [client.allowInsecureRequests] : [])]
        }),
      catch: failed
    })
  })

  const configurationOf = Effect.fnUntraced(function* (settings: OidcClientSettings) {
    const time = yield* Clock.currentTimeMillis
    const { id, issuer, clientId, clientSecret = "" } = settings
    // Administrators change the settings of a provider: another secret is another configuration.
    const version = createHash("sha256")
      .update(JSON.stringify([issuer, clientId, clientSecret]))
      .digest("hex")
    const cached = configurations.get(id)
    if (cached?.version === version && time - cached.loadedAt < cacheMillis) return cached.value
    const value = yield* discover(settings)
    configurations.delete(id)
    configurations.set(id, { loadedAt: time, version, value })
    for (const oldest of configurations.keys()) {
      if (configurations.size <= maximumConfigurations) break
      configurations.delete(oldest)
    }
    return value
  })

  return {
    /** Returns the URL at which the user logs in. */
    authorizationUrl: Effect.fnUntraced(function* (
      settings: OidcClientSettings,
      login: { readonly state: string; readonly nonce: string; readonly verifier: string },
      { redirectUrl, isRepeated }: { readonly redirectUrl: string; readonly isRepeated: boolean }
    ) {
      const configuration = yield* configurationOf(settings)
      const challenge = yield* Effect.promise(() => client.calculatePKCECodeChallenge(login.verifier))
      // The provider declares its endpoints: an invalid one throws.
      return yield* attempt(
        () =>
          client.buildAuthorizationUrl(configuration, {
            redirect_uri: redirectUrl,
            scope: "openid email profile",
            state: login.state,
            nonce: login.nonce,
            code_challenge: challenge,
            code_challenge_method: "S256",
            ...(isRepeated ? { prompt: "login" } : {})
          }).href
      )
    }),

    /** Exchanges the code of a response, and returns its user; undefined if the provider states no address. */
    identify: Effect.fnUntraced(function* (
      settings: OidcClientSettings,
      login: { readonly state: string; readonly nonce: string; readonly verifier: string },
      responseUrl: URL
    ) {
      const configuration = yield* configurationOf(settings)
      const groupsClaim = settings.groupsClaim ?? "groups"
      const { claims, idToken } = yield* Effect.tryPromise({
        try: async () => {
          const tokens = await client.authorizationCodeGrant(configuration, responseUrl, {
            pkceCodeVerifier: login.verifier,
            expectedNonce: login.nonce,
            expectedState: login.state,
            idTokenExpected: true
          })
          const claims = tokens.claims()!
          const idToken = tokens.id_token ?? ""
          const isComplete = claims.email !== undefined && claims[groupsClaim] !== undefined
          const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined
          if (isComplete || !hasMore) return { claims, idToken }
          // Some providers return the address or the groups only there. The subject must be that of the ID token.
          const info = await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
          return { claims: { ...claims, ...info }, idToken }
        },
        catch: failed
      })
      const { sub, email, name } = claims
      if (typeof email !== "string") return undefined
      const groups = claims[groupsClaim]
      const identity: OidcIdentity = {
        subject: sub,
        email,
        isEmailVerified: isVerified(claims),
        ...(typeof name === "string" ? { displayName: name.slice(0, 1_000) } : {}),
        groups: Array.isArray(groups)
          ? groups.filter((group) => typeof group === "string").slice(0, maximumGroups)
          : [],
        ...(idToken.length <= maximumIdTokenLength ? { idToken } : {})
      }
      return identity
    }),

    /** Returns the URL at which the session at the provider ends; undefined for a provider without logouts. */
    endSessionUrl: Effect.fnUntraced(function* (
      settings: OidcClientSettings,
      idToken: string | undefined,
      returnUrl: string
    ) {
      const configuration = yield* configurationOf(settings)
      if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined
      return yield* attempt(
        () =>
          client.buildEndSessionUrl(configuration, {
            post_logout_redirect_uri: returnUrl,
            ...(idToken === undefined ? {} : { id_token_hint: idToken })
          }).href
      )
    })
  }
})

/** The client of OpenID Connect. */
export interface OidcClient extends Effect.Success<typeof makeOidcClient> {}
