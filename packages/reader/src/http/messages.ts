/** Requests and responses of the reader, independent of the server that receives and sends them. */
import { createHash } from "node:crypto"
import type {
  Identity,
  JsonDocument,
  MissedSubject,
  OrganizationId,
  PageView,
  SiteId,
  SiteSpaceId
} from "@lectern/core"
import type { Effect, Stream } from "effect"
import { frameOrigins } from "../document/embeds.ts"

/** A question of a visitor of a site. */
export interface SiteQuestion {
  /** The visitor on whose behalf pages are found and read. */
  readonly identity: Identity
  readonly organization: OrganizationId
  readonly site: SiteId
  /** The site-space that the visitor is in. */
  readonly siteSpace: SiteSpaceId | undefined
  readonly question: string
}

/** An answer as far as it is generated. Each replaces the one before. Its links lead only to the cited pages. */
export interface SiteAnswer {
  readonly document: JsonDocument
  /** The cited pages. */
  readonly sources: ReadonlyArray<{ readonly space: string; readonly page: string }>
  readonly followUpQuestions: ReadonlyArray<string>
  /** Whether this is the last update. */
  readonly isComplete: boolean
  /** Whether no page answers the question. */
  readonly isUnanswered: boolean
}

/** Answers the questions of the client of a request. */
export type AskSite = (question: SiteQuestion) => Effect.Effect<Stream.Stream<SiteAnswer, unknown>, unknown>

/** A request to the reader. */
export interface ReaderRequest {
  /** The method, in upper case. */
  readonly method: string
  /** The path and the query, without the path that the reader is mounted at. */
  readonly url: string
  /** Returns a header by its name in lower case. */
  readonly header: (name: string) => string | undefined
  /** The form of a POST request. */
  readonly form: Effect.Effect<URLSearchParams>
  /** Whether the server itself serves the path, at a host of its own. A site has a page there only at the root of the host. */
  readonly isServerPath?: boolean
  /** Whether the operator lists the host, at which the server also serves the application and the API. */
  readonly isApplicationHost?: boolean
  /** Answers questions. Absent if the server has no language model. */
  readonly ask?: AskSite | undefined
}

/** A response of the reader. */
export interface ReaderResponse {
  /** The HTTP status. */
  readonly status: number
  /** The headers, by name in lower case. */
  readonly headers: Record<string, string>
  /** The body; `undefined` for redirects and for 304. */
  readonly body: string | Uint8Array | undefined
  /** The body, if it is sent while it is produced. */
  readonly stream?: Stream.Stream<Uint8Array>
  /** Whether shared caches may store the response for a time, because it is the same for all visitors of a public site. */
  readonly isShared?: boolean
  /** The page of a published site that the response displays. */
  readonly view?: PageView
  /** The path that no page of a published site has, or the search without results. */
  readonly missed?: MissedSubject
}

/**
 * Returns the policy of a page: scripts, styles and fonts of this origin only, and frames of known websites. Scripts send requests
 * to this origin, and to `origins`.
 */
export const policyFor = (origins: ReadonlyArray<string>): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' https: http: data:",
    "media-src 'self' https: http:",
    ["connect-src 'self'", ...origins].join(" "),
    `frame-src ${frameOrigins.join(" ")}`,
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'self'"
  ].join("; ")

/** The policy of pages that send no requests to other servers. */
export const contentSecurityPolicy = policyFor([])

/** Returns the entity tag of a body. */
export const etagOf = (body: string | Uint8Array): string =>
  `"${createHash("sha256").update(body).digest("base64url").slice(0, 24)}"`

/** Whether the header `If-None-Match` has an entity tag. */
export const matchesTag = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  (header.trim() === "*" || header.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag))

/** A body with its type and its entity tag, which can be cached. */
export interface Rendered {
  readonly status: number
  readonly contentType: string
  readonly body: string | Uint8Array
  readonly etag: string
  /** The origins that the scripts of a page can send requests to, besides its own. */
  readonly origins?: ReadonlyArray<string>
}

/** Creates a body with its entity tag. */
export const rendered = (contentType: string, body: string | Uint8Array, status = 200): Rendered => ({
  status,
  contentType,
  body,
  etag: etagOf(body)
})

/** Creates an HTML page. */
export const renderedHtml = (body: string, status = 200): Rendered =>
  rendered("text/html; charset=utf-8", body, status)

/**
 * How caches may store a response: for all readers, also if a shared cache does not revalidate it; for all readers after revalidation;
 * for one reader after revalidation; or permanently.
 */
export type Caching = "shared" | "public" | "private" | "immutable" | "none"

const cacheControl: Readonly<Record<Caching, string>> = {
  shared: "public, no-cache",
  public: "public, no-cache",
  private: "private, no-cache",
  immutable: "public, max-age=31536000, immutable",
  none: "no-store"
}

/** Creates the response for a body. It is 304 if the client has it already. */
export const respond = (
  request: Pick<ReaderRequest, "header">,
  { status, contentType, body, etag, origins = [] }: Rendered,
  caching: Caching
): ReaderResponse => {
  const headers: Record<string, string> = {
    "cache-control": cacheControl[status === 200 ? caching : "none"],
    "x-content-type-options": "nosniff",
    "referrer-policy": "strict-origin-when-cross-origin",
    ...(caching === "private" ? { vary: "cookie" } : {})
  }
  const shared = status === 200 && caching === "shared" ? { isShared: true } : {}
  if (status === 200) {
    headers.etag = etag
    if (matchesTag(request.header("if-none-match"), etag)) {
      return { status: 304, headers, body: undefined, ...shared }
    }
  }
  headers["content-type"] = contentType
  headers["content-security-policy"] = origins.length === 0 ? contentSecurityPolicy : policyFor(origins)
  return { status, headers, body, ...shared }
}

/** Creates a redirect. The location is relative, or the URL of a backend that the site is configured with. */
export const redirect = (
  location: string,
  status: 302 | 303 | 307 | 308 = 308,
  headers: Record<string, string> = {}
): ReaderResponse => ({
  status,
  headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer", ...headers },
  body: undefined
})

/** Returns the value of a cookie. */
export const cookieOf = (request: Pick<ReaderRequest, "header">, name: string): string | undefined => {
  for (const part of (request.header("cookie") ?? "").split(";")) {
    const at = part.indexOf("=")
    if (at > 0 && part.slice(0, at).trim() === name) {
      try {
        return decodeURIComponent(part.slice(at + 1).trim())
      } catch {
        return undefined
      }
    }
  }
  return undefined
}

/** Options of a cookie. */
export interface CookieOptions {
  readonly path: string
  readonly isSecure: boolean
  /** The lifetime in seconds; until the browser is closed by default. */
  readonly maxAge?: number
}

/** Formats a cookie that scripts cannot read and that other websites cannot send, except by links. */
export const formatCookie = (
  name: string,
  value: string,
  { path, isSecure, maxAge }: CookieOptions
): string =>
  [
    `${name}=${encodeURIComponent(value)}`,
    `Path=${path}`,
    "HttpOnly",
    "SameSite=Lax",
    ...(isSecure ? ["Secure"] : []),
    ...(maxAge === undefined ? [] : [`Max-Age=${maxAge}`])
  ].join("; ")
