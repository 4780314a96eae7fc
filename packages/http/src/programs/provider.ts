/** The authorization server of programs of others, with the library `oidc-provider`. It is loaded by the first request. */
import { generateKeyPairSync, randomBytes } from "node:crypto"
import type { RequestListener } from "node:http"
import { apiResource, type ProgramGrantsService } from "@lectern/core"
import { Effect } from "effect"
import { type Configuration, errors, type KoaContextWithOIDC, Provider } from "oidc-provider"
import { makeAdapter, type RunStorage } from "./adapter.ts"
import { deviceGrant } from "./clientMetadata.ts"
import { commandProgram, oauthPaths } from "./paths.ts"
import type { FindResource } from "./resources.ts"

/** The services that the authorization server uses. */
export interface ProviderServices {
  readonly issuer: string
  readonly grants: ProgramGrantsService
  readonly findResource: FindResource
  readonly run: RunStorage
  /** Reports an error of the library. */
  readonly onServerError: (error: unknown) => void
  /** Renders the page of an error that no program can receive. */
  readonly renderError: (context: KoaContextWithOIDC, error: string) => void
}

/** The lifetimes of records, in seconds. */
export const lifetimes = {
  AccessToken: 15 * 60,
  AuthorizationCode: 60,
  DeviceCode: 10 * 60,
  Grant: 90 * 24 * 60 * 60,
  Interaction: 15 * 60,
  RefreshToken: 30 * 24 * 60 * 60,
  Session: 15 * 60
} as const

/** A key that signs nothing: the library requires one for ID tokens, which no scope requests. */
const unusedKey = () => {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  return { ...privateKey.export({ format: "jwk" }), use: "sig", alg: "ES256" }
}

const resourceFeature = ({ issuer, findResource, run }: ProviderServices) => ({
  enabled: true,
  defaultResource: (_: unknown, __: unknown, oneOf?: ReadonlyArray<string>) =>
    oneOf?.[0] ?? apiResource(issuer),
  useGrantedResource: () => true,
  getResourceServerInfo: async (_: unknown, url: string) => {
    const resource = await run(findResource(url))
    if (resource === undefined) throw new errors.InvalidTarget("There is no such resource.")
    return {
      scope: resource.permissions.join(" "),
      audience: url,
      accessTokenTTL: lifetimes.AccessToken,
      accessTokenFormat: "opaque" as const
    }
  }
})

/** Returns the account of a source of tokens; undefined if its authorization has ended. */
const accountOf = async (
  { grants, run }: ProviderServices,
  sub: string,
  source: unknown
): Promise<{ readonly accountId: string; readonly claims: () => { readonly sub: string } } | undefined> => {
  const account = { accountId: sub, claims: () => ({ sub }) }
  if (typeof source !== "object" || source === null || !("grantId" in source)) return account
  const found = await run(grants.find(String(source.grantId)))
  return found?.user === sub ? account : undefined
}

const configurationOf = (services: ProviderServices): Configuration => {
  const { grants, run } = services
  return {
    adapter: makeAdapter(grants, run, () => new errors.InvalidGrant("already used")),
    clients: [
      {
        client_id: commandProgram,
        client_name: "lectern",
        application_type: "native",
        redirect_uris: [],
        response_types: [],
        grant_types: [deviceGrant, "refresh_token"],
        token_endpoint_auth_method: "none"
      }
    ],
    clientAuthMethods: ["none"],
    clientDefaults: {
      id_token_signed_response_alg: "ES256",
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"]
    },
    clientBasedCORS: (_, origin, client) =>
      (client.redirectUris ?? []).some((uri) => URL.parse(uri)?.origin === origin),
    enabledJWA: { idTokenSigningAlgValues: ["ES256"] },
    jwks: { keys: [unusedKey()] },
    responseTypes: ["code"],
    scopes: [],
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      deviceFlow: {
        enabled: true,
        deviceInfo: () => ({}),
        userCodeInputSource: () => undefined,
        userCodeConfirmSource: () => undefined,
        successSource: () => undefined
      },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      registration: {
        enabled: true,
        issueRegistrationAccessToken: false,
        idFactory: () => randomBytes(16).toString("base64url")
      },
      resourceIndicators: resourceFeature(services),
      revocation: { enabled: true, allowedPolicy: (_, client, token) => token.clientId === client.clientId },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false }
    },
    routes: {
      authorization: oauthPaths.authorize,
      token: oauthPaths.token,
      registration: oauthPaths.register,
      revocation: oauthPaths.revoke,
      device_authorization: oauthPaths.deviceAuthorization,
      code_verification: oauthPaths.device
    },
    cookies: { short: { httpOnly: true, sameSite: "lax" }, long: { httpOnly: true, sameSite: "lax" } },
    interactions: { url: (_, interaction) => `${oauthPaths.consent}/${interaction.uid}` },
    ttl: lifetimes,
    expiresWithSession: () => false,
    issueRefreshToken: (_, client) => client.grantTypeAllowed("refresh_token"),
    rotateRefreshToken: true,
    revokeGrantPolicy: () => true,
    findAccount: (_, sub, source) => accountOf(services, sub, source),
    renderError: (context, out) => services.renderError(context, out.error_description ?? out.error)
  }
}

/** The library with its listener. */
export interface LoadedProvider {
  readonly provider: Provider
  readonly listener: RequestListener
}

/** Creates the authorization server. */
export const makeProvider = (services: ProviderServices): Effect.Effect<LoadedProvider> =>
  Effect.sync(() => {
    const provider = new Provider(services.issuer, configurationOf(services))
    provider.on("server_error", (_, error) => services.onServerError(error))
    return { provider, listener: provider.callback() }
  })
