/** `lectern login`, `lectern logout` and `lectern access-token`: the command as a program that a person authorizes in a browser. */
import { Clock, Console, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { Configuration, TokenEndpointResponse } from "openid-client"
import { ConfigurationError } from "../settings/Setting.ts"
import { readCredentials, type ServerCredentials, withLock, writeCredentials } from "./credentials.ts"
import { jsonFlag, printResult } from "./output.ts"

/** The id of this command at every server. */
const clientId = "lectern"

/** How long before its end an access token is replaced, in milliseconds. */
const renewBeforeMillis = 60_000

const loadClient = Effect.promise(() => import("openid-client"))

const messageOf = (error: unknown): string => {
  if (typeof error === "object" && error !== null && "error_description" in error) {
    return String(error.error_description)
  }
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error ? cause.message : error instanceof Error ? error.message : String(error)
}

const request = <A>(problem: string, send: () => Promise<A>): Effect.Effect<A, ConfigurationError> =>
  Effect.tryPromise({
    try: send,
    catch: (error) => new ConfigurationError({ message: `${problem}: ${messageOf(error)}` })
  })

/** Returns the URL of a server as it is stored. Only this machine is reached without https. */
const parseUrl = Effect.fnUntraced(function* (given: string) {
  const parsed = URL.parse(given)
  const isLocal = parsed !== null && ["localhost", "127.0.0.1", "[::1]"].includes(parsed.hostname)
  if (parsed === null || !(parsed.protocol === "https:" || (parsed.protocol === "http:" && isLocal))) {
    return yield* new ConfigurationError({
      message: `The URL "${given}" must start with https://, or name this machine.`
    })
  }
  return `${parsed.origin}${parsed.pathname}`.replace(/\/+$/, "")
})

/** Discovers the authorization server of a workspace. */
const discover = Effect.fnUntraced(function* (
  url: string
): Effect.fn.Return<Configuration, ConfigurationError> {
  const library = yield* loadClient
  // A server at a path of its host has its metadata below the path.
  const metadata = new URL(`${url}/.well-known/oauth-authorization-server`)
  return yield* request(`Cannot log in to ${url}`, () =>
    library.discovery(metadata, clientId, undefined, library.None(), {
      algorithm: "oauth2",
      execute: url.startsWith("http:") ? [library.allowInsecureRequests] : []
    })
  )
})

const credentialsOf = (
  tokens: TokenEndpointResponse,
  former?: ServerCredentials
): Effect.Effect<ServerCredentials> =>
  Effect.map(Clock.currentTimeMillis, (now) => ({
    accessToken: tokens.access_token,
    expiresAt: now + (tokens.expires_in ?? 0) * 1_000,
    refreshToken: tokens.refresh_token ?? former?.refreshToken ?? ""
  }))

/** Returns the server that a command names, or the only one that the person has logged in to. */
const findServer = Effect.fnUntraced(function* (given: Option.Option<string>) {
  const stored = yield* readCredentials
  const urls = Object.keys(stored)
  const url = Option.isSome(given) ? yield* parseUrl(given.value) : urls.length === 1 ? urls[0]! : undefined
  const credentials = url === undefined ? undefined : stored[url]
  if (url === undefined || credentials === undefined) {
    return yield* new ConfigurationError({
      message:
        url === undefined && urls.length > 1
          ? `Name one of the servers: ${urls.join(", ")}.`
          : "Not logged in. Run `lectern login <url>`."
    })
  }
  return { url, credentials }
})

const urlArgument = Argument.String("url").pipe(
  Argument.withDescription("The URL of the server, as in https://docs.example.com")
)

const optionalUrl = urlArgument.pipe(Argument.optional)

export const login = Command.make(
  "login",
  {
    url: urlArgument,
    permissions: Flag.String("permissions").pipe(
      Flag.withDescription(
        "The permissions to request, separated by commas, such as space.view,content.edit; only reading by default"
      ),
      Flag.optional
    ),
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ url: given, permissions, json }) {
    const url = yield* parseUrl(given)
    const library = yield* loadClient
    const server = yield* discover(url)
    const scope = Option.getOrUndefined(permissions)?.split(",").join(" ")
    const device = yield* request(`Cannot log in to ${url}`, () =>
      library.initiateDeviceAuthorization(server, scope === undefined ? {} : { scope })
    )
    // Standard output is the result.
    yield* Console.error(
      `Open ${device.verification_uri} in a browser, and enter the code ${device.user_code}. It expires in ${Math.round(device.expires_in / 60)} minutes.`
    )
    const tokens = yield* request(`Cannot log in to ${url}`, () =>
      library.pollDeviceAuthorizationGrant(server, device)
    )
    yield* withLock(writeCredentials(url, yield* credentialsOf(tokens)))
    yield* printResult(json, { url, permissions: (tokens.scope ?? "").split(" ") }, `Logged in to ${url}.`)
  })
).pipe(
  Command.withShortDescription("Log in to a server."),
  Command.withDescription(
    "Log in to a server: a person authorizes the command in a browser, by a code. The tokens are stored in the folder of the configuration, readable only by the person. The command has at most the permissions of the person, limited to the requested ones."
  ),
  Command.withExamples([
    { command: "lectern login https://docs.example.com", description: "Log in, to read" },
    {
      command: "lectern login https://docs.example.com --permissions space.view,content.read,content.edit",
      description: "Log in, to edit content too"
    }
  ])
)

export const logout = Command.make(
  "logout",
  { url: optionalUrl, json: jsonFlag },
  Effect.fnUntraced(function* ({ url: given, json }) {
    const { url } = yield* findServer(given)
    yield* withLock(
      Effect.gen(function* () {
        const { credentials } = yield* findServer(Option.some(url))
        const library = yield* loadClient
        // The tokens are removed also if the server does not respond, and expire there.
        yield* Effect.flatMap(discover(url), (server) =>
          request(`Cannot revoke the tokens at ${url}`, () =>
            library.tokenRevocation(server, credentials.refreshToken)
          )
        ).pipe(Effect.catchTag("ConfigurationError", ({ message }) => Console.error(`lectern: ${message}`)))
        yield* writeCredentials(url, undefined)
      })
    )
    yield* printResult(json, { url }, `Logged out of ${url}.`)
  })
).pipe(
  Command.withShortDescription("Log out of a server."),
  Command.withDescription("Log out of a server: revoke the tokens there, and remove them."),
  Command.withExamples([{ command: "lectern logout", description: "Log out of the only server" }])
)

export const accessToken = Command.make(
  "access-token",
  { url: optionalUrl, json: jsonFlag },
  Effect.fnUntraced(function* ({ url: given, json }) {
    const { url } = yield* findServer(given)
    const { accessToken, expiresAt } = yield* withLock(
      Effect.gen(function* () {
        const { credentials } = yield* findServer(Option.some(url))
        if (credentials.expiresAt - (yield* Clock.currentTimeMillis) > renewBeforeMillis) return credentials
        const library = yield* loadClient
        const server = yield* discover(url)
        const tokens = yield* request(`The login to ${url} has ended. Run \`lectern login ${url}\``, () =>
          library.refreshTokenGrant(server, credentials.refreshToken)
        )
        const renewed = yield* credentialsOf(tokens, credentials)
        yield* writeCredentials(url, renewed)
        return renewed
      })
    )
    yield* printResult(json, { accessToken, expiresAt: new Date(expiresAt).toISOString() }, accessToken)
  })
).pipe(
  Command.withShortDescription("Print an access token of a login."),
  Command.withDescription(
    "Print an access token for requests to the API of a server to which `lectern login` has logged in. It is valid for at least a minute."
  ),
  Command.withExamples([
    {
      command: "lectern access-token https://docs.example.com",
      description: "Print a token for the header Authorization: Bearer"
    }
  ])
)
