/** The resources for which programs receive access tokens (RFC 8707): the API, and the MCP servers of sites. */
import { PublishedContent, PublicUrl, type StorageUnavailable, tokenPermissions } from "@lectern/core"
import { Effect } from "effect"
import { isLoopbackHost } from "@lectern/core"
import type { ApiRequest } from "../server/messages/Message.ts"
import { mcpSuffix } from "../server/routes/siteMcpPath.ts"

/** A resource of programs. */
export interface ProgramResource {
  /** The URL that identifies it. */
  readonly url: string
  /** The permissions that a program can receive for it. */
  readonly permissions: ReadonlyArray<string>
  /** The permissions of a program that names none: those that only read. */
  readonly defaults: ReadonlyArray<string>
  /** The site whose MCP server it is, with its organization; undefined for the API. */
  readonly site?: Pick<Effect.Success<ReturnType<PublishedContent["Service"]["locate"]>>, "organization" | "site">
}

/** The maximum length of the URL of a resource, in characters. */
const maximumResourceLength = 1_000

const reads = tokenPermissions.filter((permission) => /\.(?:read|view)$/.test(permission))

/** The permission to visit a site, which its MCP server requires. */
const sitePermissions = ["site.view"]

/** Creates the function that finds the resource that a program names; undefined if there is none. */
export const makeFindResource = Effect.gen(function* () {
  const base = yield* PublicUrl
  const published = yield* PublishedContent
  return Effect.fnUntraced(function* (
    url: string
  ): Effect.fn.Return<ProgramResource | undefined, StorageUnavailable> {
    if (url === `${base}/v1`) return { url, permissions: tokenPermissions, defaults: reads }
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

/** Returns the URL that the resources of a request begin with: that of an own domain, and not another name of this machine. */
export const resourceBaseOf = ({ baseUrl }: Pick<ApiRequest, "baseUrl">, issuer: string): string =>
  baseUrl === undefined || isLoopbackHost(new URL(baseUrl).host) ? issuer : baseUrl
