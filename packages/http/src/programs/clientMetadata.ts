/** Decodes the metadata with which a program registers (RFC 7591), before the library of the authorization server receives it. */

import { jsonBoundsOf } from "@lectern/model/schema"
import { Effect, Schema } from "effect"
import { parseJson } from "../server/messages/json.ts"
import { isOnServer } from "./resources.ts"

/** The maximum size of a registration, in bytes. */
export const registrationLimit = 16 * 1024

/** The maximum number of redirect URIs. */
const maximumRedirectUris = 10

const maximumUriLength = 500

/** Schemes that browsers execute, or that no program can receive. */
const forbiddenSchemes = new Set([
  "about:",
  "blob:",
  "chrome:",
  "data:",
  "file:",
  "filesystem:",
  "ftp:",
  "intent:",
  "javascript:",
  "mailto:",
  "tel:",
  "vbscript:",
  "view-source:",
  "ws:",
  "wss:"
])

/** Whether a host name is one of this machine. */
export const isLoopback = (hostname: string): boolean =>
  hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]"

/**
 * The schemes without a dot of widespread programs. RFC 8252, section 7.1, requires the name of a domain in reverse order, because
 * another program of the machine, or its system, can own a short scheme.
 */
const knownSchemes = new Set(["cursor:", "vscode:", "vscode-insiders:"])

/** Returns the problem of a redirect URI; undefined for a valid one. */
const redirectUriProblem = (uri: string, issuer: string): string | undefined => {
  const parsed = URL.parse(uri)
  if (parsed === null || /[\s\\<>"]/.test(uri)) return "must be absolute URIs"
  if (uri.includes("#")) return "must have no fragment"
  if (parsed.username !== "" || parsed.password !== "") return "must have no credentials"
  if (forbiddenSchemes.has(parsed.protocol)) return `must not have the scheme \`${parsed.protocol}\``
  if (parsed.protocol === "http:" && !isLoopback(parsed.hostname)) {
    return "must be https, a loopback address, or have a scheme of the program"
  }
  if (/^https?:$/.test(parsed.protocol)) {
    if (parsed.hostname.includes("*")) return "must have no wildcards in their hosts"
    if (isOnServer(issuer, uri)) return "must not be on this server"
  } else if (!parsed.protocol.includes(".") && !knownSchemes.has(parsed.protocol)) {
    return "must have a scheme with a dot, the name of a domain in reverse order"
  }
  return undefined
}

/** The grant of a program on a device without a browser (RFC 8628). */
export const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"

/** The grants that programs can register for. */
export const grantTypes: ReadonlyArray<string> = ["authorization_code", "refresh_token", deviceGrant]

const short = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(100))
const address = Schema.String.check(
  Schema.isMaxLength(maximumUriLength),
  Schema.makeFilter((uri: string) => /^https?:$/.test(URL.parse(uri)?.protocol ?? "") || "must be a web URL")
)

/** The metadata that is used. Other fields are ignored, as the RFC permits; logos are neither stored nor requested. */
const Metadata = Schema.Struct({
  client_name: Schema.optionalKey(short),
  client_uri: Schema.optionalKey(address),
  redirect_uris: Schema.optionalKey(
    Schema.Array(Schema.String.check(Schema.isMaxLength(maximumUriLength))).check(
      Schema.isMaxLength(maximumRedirectUris)
    )
  ),
  grant_types: Schema.optionalKey(Schema.Array(short).check(Schema.isMaxLength(20))),
  software_id: Schema.optionalKey(short),
  software_version: Schema.optionalKey(short)
})

const decode = Schema.decodeUnknownEffect(Metadata)
const metadataBounds = jsonBoundsOf(Metadata)

/** An error of a registration, as the RFC names it. */
export interface MetadataError {
  readonly error: "invalid_client_metadata" | "invalid_redirect_uri"
  readonly error_description: string
}

/** The metadata of a program, as the library receives it. Every program is public: it proves itself by PKCE only. */
export interface ProgramMetadata {
  readonly client_name: string
  readonly client_uri?: string
  readonly application_type: "native" | "web"
  readonly redirect_uris: ReadonlyArray<string>
  readonly response_types: ReadonlyArray<"code">
  readonly grant_types: ReadonlyArray<string>
  readonly token_endpoint_auth_method: "none"
}

/** Whether a redirect URI is one of a program on the machine of its user. */
const isNative = (uri: string): boolean => !uri.startsWith("https:")

/** Removes characters that change the direction or the line of a name, so that a page displays it unchanged. */
const plainName = (name: string): string =>
  name
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "")
    .replace(/\s+/g, " ")
    .trim()

/** Decodes a registration. Fails with the error that the program receives. */
export const decodeMetadata = (
  body: Uint8Array,
  issuer: string
): Effect.Effect<ProgramMetadata, MetadataError> =>
  Effect.gen(function* () {
    const given = yield* Effect.mapError(
      Effect.flatMap(Effect.fromResult(parseJson(body, metadataBounds)), decode),
      (): MetadataError => ({
        error: "invalid_client_metadata",
        error_description: `The registration must be a JSON object with the fields of RFC 7591: at most ${maximumRedirectUris} redirect_uris of at most ${maximumUriLength} characters, and names of at most 100 characters.`
      })
    )
    const problem = given.redirect_uris
      ?.map((uri) => redirectUriProblem(uri, issuer))
      .find((one) => one !== undefined)
    if (problem !== undefined) {
      return yield* Effect.fail<MetadataError>({
        error: "invalid_redirect_uri",
        error_description: `redirect_uris ${problem}.`
      })
    }
    const redirectUris = [...new Set(given.redirect_uris ?? [])]
    const usesDevice = given.grant_types?.includes(deviceGrant) === true
    if (redirectUris.length === 0 && !usesDevice) {
      return yield* Effect.fail<MetadataError>({
        error: "invalid_redirect_uri",
        error_description: "redirect_uris must have at least one URI."
      })
    }
    const name = plainName(given.client_name ?? "")
    return {
      client_name: name === "" ? "Program" : name,
      ...(given.client_uri === undefined ? {} : { client_uri: given.client_uri }),
      application_type: redirectUris.some(isNative) || redirectUris.length === 0 ? "native" : "web",
      redirect_uris: redirectUris,
      response_types: redirectUris.length === 0 ? [] : ["code"],
      grant_types: grantTypes.filter(
        (grant) =>
          (grant !== "authorization_code" || redirectUris.length > 0) && (grant !== deviceGrant || usesDevice)
      ),
      token_endpoint_auth_method: "none"
    }
  })

/** Returns how a page names the receiver of a redirect URI: its host, this machine (undefined), or its scheme. */
export const receiverOf = (
  uri: string
): { readonly host: string } | { readonly scheme: string } | "loopback" => {
  const { hostname, host, protocol } = new URL(uri)
  if (isLoopback(hostname)) return "loopback"
  return protocol === "https:" ? { host } : { scheme: protocol }
}
