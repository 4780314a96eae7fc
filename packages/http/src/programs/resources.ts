/** The resources for which programs receive access tokens (RFC 8707): the API, and the MCP servers of the workspace and of sites. */
import {
  apiResource,
  isLoopbackHost,
  PublicUrl,
  PublishedContent,
  type StorageUnavailable,
  tokenPermissions
} from "@lectern/core"
import { Effect } from "effect"
import { mcpSuffix } from "../server/routes/siteMcpPath.ts"
import { workspaceMcpPath } from "../server/routes/workspaceMcpPath.ts"

/** A resource of programs. */
export interface ProgramResource {
  /** The URL that identifies it. */
  readonly url: string
  /** The permissions that a program can receive for it. */
  readonly permissions: ReadonlyArray<string>
  /** The permissions of a program that names none: the ones that only read. */
  readonly defaults: ReadonlyArray<string>
  /** The site whose MCP server it is, with its organization; undefined for the API and for the MCP server of the workspace. */
  readonly site?: Pick<
    Effect.Success<ReturnType<PublishedContent["Service"]["locate"]>>,
    "organization" | "site"
  >
}

/** The maximum length of the URL of a resource, in characters. */
const maximumResourceLength = 1_000

const reads = tokenPermissions.filter((permission) => /\.(?:read|view)$/.test(permission))

/** The permission to visit a site, which its MCP server requires. */
const sitePermissions = ["site.view"]

/** Creates the function that finds the resource that a program names; undefined for an unknown one. */
export const makeFindResource = Effect.gen(function* () {
  const base = yield* PublicUrl
  const published = yield* PublishedContent
  return Effect.fnUntraced(function* (
    given: string
  ): Effect.fn.Return<ProgramResource | undefined, StorageUnavailable> {
    const url = canonicalResource(base, given)
    if (url === apiResource(base) || url === `${base}${workspaceMcpPath}`) {
      return { url, permissions: tokenPermissions, defaults: reads }
    }
    if (url.length > maximumResourceLength || !URL.canParse(url) || !url.endsWith(mcpSuffix)) return undefined
    const found = yield* Effect.catchTag(published.locate(url.slice(0, -mcpSuffix.length)), "NotFound", () =>
      Effect.succeed(undefined)
    )
    if (found === undefined) return undefined
    const { organization, site } = found
    return { url, permissions: sitePermissions, defaults: sitePermissions, site: { organization, site } }
  })
})

/** Finds the resource that a program names. */
export type FindResource = Effect.Success<typeof makeFindResource>

/**
 * Returns the URL of a resource as access tokens name it: with the name of this machine in the URL of the workspace, such as `127.0.0.1`
 * instead of `localhost`. Other URLs are returned unchanged.
 */
export const canonicalResource = (issuer: string, url: string): string => {
  const [own, given] = [new URL(issuer), URL.parse(url)]
  if (given === null || given.origin === own.origin) return url
  const isAlias =
    given.protocol === own.protocol &&
    given.port === own.port &&
    isLoopbackHost(given.hostname) &&
    isLoopbackHost(own.hostname)
  return isAlias ? `${own.origin}${url.slice(given.origin.length)}` : url
}

/** Whether a URL is on the server itself, also by another name of this machine. */
export const isOnServer = (issuer: string, url: string): boolean =>
  URL.parse(canonicalResource(issuer, url))?.origin === new URL(issuer).origin
