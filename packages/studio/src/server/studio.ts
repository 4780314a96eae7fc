/** Serves the application: one HTML document for every address, and the files of the bundle. */
import { randomBytes } from "node:crypto"
import { type Manifest, readAsset, readManifest } from "./bundle.ts"
import { policyOf, renderPage } from "./page.ts"

/** Options of {@link studio}. */
export interface StudioOptions {
  /**
   * The base URL of the API, without `/v1`: a path such as `/docs-api`, empty for the root of the origin, which is the default, or a
   * URL of another origin that permits the origin of the application by CORS.
   */
  readonly api?: string
  /** The path that the application is mounted at; `/app` by default. */
  readonly basePath?: string
  /**
   * The base URL of the documentation that empty places link: `/help` below the API by default, where `@lectern/http` serves it with a
   * reader. Empty for no links.
   */
  readonly help?: string
  /** The name of your product, which the titles of windows and the page for signing in display; "Lectern" by default. */
  readonly name?: string
  /**
   * Whether the rail and the sidebar are displayed, which is the default. Without them, a host has a single screen in a frame of its own
   * page, such as a page in its editor, a change request or its review.
   */
  readonly hasNavigation?: boolean
  /**
   * Values of the tokens of design, such as `{ "--lectern-primary": "#7c3aed" }`. Their names begin with `--lectern-`; values have no
   * semicolons, braces and angle brackets. Colors with `light-dark()` differ by the appearance.
   */
  readonly tokens?: Readonly<Record<string, string>>
}

/** A request for the application. */
export interface StudioRequest {
  /** The HTTP method, in upper case. */
  readonly method: string
  /** The path of the request, with or without its query, including the base path. */
  readonly path: string
}

/** A response of the application. */
export interface StudioResponse {
  /** The HTTP status. */
  readonly status: number
  /** The headers, by name in lower case. */
  readonly headers: Record<string, string>
  /** The body, if there is one. */
  readonly body: string | Uint8Array | undefined
  /** Whether the response never changes, so that it can be compressed once. */
  readonly isStatic: boolean
}

/** The application, mounted at a path. */
export interface Studio {
  /** The path that the application is mounted at, without a trailing slash. */
  readonly basePath: string
  /** Returns the response, or `undefined` if the path is not below the base path. */
  readonly handle: (request: StudioRequest) => StudioResponse | undefined
  /** The same for web-standard handlers: returns a 404 for other paths. */
  readonly fetch: (request: Request) => Response
}

const contentTypes: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  woff2: "font/woff2",
  svg: "image/svg+xml"
}

const contentTypeOf = (name: string): string =>
  contentTypes[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream"

const normalize = (path: string): string => {
  const trimmed = path.replace(/^\/+|\/+$/g, "")
  return trimmed === "" ? "" : `/${trimmed}`
}

const plain = (status: number, text: string, headers: Record<string, string> = {}): StudioResponse => ({
  status,
  headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store", ...headers },
  body: text,
  isStatic: false
})

/** Throws if a token would end its declaration: its value is a part of the document. */
const checkTokens = (tokens: Readonly<Record<string, string>>): void => {
  for (const [name, value] of Object.entries(tokens)) {
    if (!/^--lectern-[a-z-]{1,40}$/.test(name))
      throw new Error(`The name of the token "${name}" does not begin with "--lectern-".`)
    if (!/^[^;{}<>\\]{1,500}$/.test(value))
      throw new Error(`The value of the token "${name}" has a semicolon, a brace, a bracket or a backslash.`)
  }
}

const assetResponse = (manifest: Manifest, name: string): StudioResponse =>
  manifest.files.includes(name)
    ? {
        status: 200,
        headers: {
          "content-type": contentTypeOf(name),
          "cache-control": "public, max-age=31536000, immutable",
          "x-content-type-options": "nosniff"
        },
        body: readAsset(name),
        isStatic: true
      }
    : plain(404, "Not found.")

/**
 * Creates the application for a server. It uses the API with the session cookie of its origin, or with a token that its user
 * pastes. Throws if the package was not built, or a token of design is invalid.
 *
 * @example
 * const app = studio({ api: "/docs-api", basePath: "/docs-app" })
 * // In a handler of a host, for paths below `/docs-app`:
 * return app.fetch(request)
 */
export const studio = ({
  api = "",
  basePath = "/app",
  help,
  name = "Lectern",
  hasNavigation = true,
  tokens = {}
}: StudioOptions = {}): Studio => {
  checkTokens(tokens)
  const apiBase = api.replace(/\/+$/, "")
  const base = normalize(basePath)
  const manifest = readManifest()
  const assetsPath = `${base}/assets/`

  const page = (): StudioResponse => {
    const options = {
      api: apiBase,
      basePath: base,
      help: (help ?? `${apiBase}/help`).replace(/\/+$/, ""),
      name,
      hasNavigation,
      tokens,
      manifest,
      nonce: randomBytes(16).toString("base64")
    }
    return {
      status: 200,
      headers: {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": policyOf(options),
        "cache-control": "no-store",
        "referrer-policy": "same-origin",
        "x-content-type-options": "nosniff"
      },
      body: renderPage(options),
      isStatic: false
    }
  }

  const handle = ({ method, path }: StudioRequest): StudioResponse | undefined => {
    const [pathname = ""] = path.split("?", 1)
    if (pathname !== base && !pathname.startsWith(`${base}/`)) return undefined
    if (method !== "GET" && method !== "HEAD")
      return plain(405, "Method not allowed.", { allow: "GET, HEAD" })
    return pathname.startsWith(assetsPath)
      ? assetResponse(manifest, pathname.slice(assetsPath.length))
      : page()
  }

  return {
    basePath: base,
    handle,
    fetch: (request) => {
      const { pathname } = new URL(request.url)
      const { status, headers, body } =
        handle({ method: request.method, path: pathname }) ?? plain(404, "Not found.")
      return new Response(request.method === "HEAD" ? null : (body as BodyInit | null), { status, headers })
    }
  }
}
