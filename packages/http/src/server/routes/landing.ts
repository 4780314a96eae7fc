/** Serves the root of the server: a page with links for browsers, and the same links as JSON for API clients. */
import { PublicUrl } from "@lectern/core"
import { Context, Effect } from "effect"
import { etagOf, matchesEtag } from "../messages/etag.ts"
import { type ApiRequest, emptyResponse } from "../messages/Message.ts"
import type { Route } from "./Route.ts"

/** Returns the quality of a media type in an `Accept` header, 0 to 1. Only the exact type counts, not a wildcard. */
const qualityOf = (accept: string, mediaType: string): number => {
  for (const range of accept.split(",")) {
    const [type, ...parameters] = range.split(";").map((part) => part.trim().toLowerCase())
    if (type !== mediaType) continue
    const quality = parameters.find((parameter) => parameter.startsWith("q="))
    const value = quality === undefined ? 1 : Number(quality.slice(2))
    return value >= 0 && value <= 1 ? value : 0
  }
  return 0
}

/** Whether a client prefers HTML to JSON. Clients that name no type, such as `curl`, receive JSON. */
const prefersHtml = (request: ApiRequest): boolean => {
  const accept = request.header("accept") ?? ""
  const html = qualityOf(accept, "text/html")
  return html > 0 && html >= qualityOf(accept, "application/json")
}

const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

const styles = `
:root { color-scheme: light dark; --text: #1c2024; --muted: #60646c; --line: #e0e1e6; --card: #fcfcfd; --accent: #3a5bc7; --code: #f0f0f3; }
@media (prefers-color-scheme: dark) {
  :root { --text: #edeef0; --muted: #b0b4ba; --line: #363a3f; --card: #18191b; --accent: #9eb1ff; --code: #212225; }
}
* { box-sizing: border-box; }
body { margin: 0; padding: 4rem 1.25rem; color: var(--text); background: Canvas; font: 1rem/1.6 ui-sans-serif, system-ui, sans-serif; }
main { max-width: 44rem; margin: auto; }
h1 { margin: 0 0 .5rem; font-size: 2.25rem; line-height: 1.2; letter-spacing: -.02em; }
h2 { margin: 2.5rem 0 .75rem; font-size: 1.1rem; }
p { margin: 0; color: var(--muted); }
ul { display: grid; grid-template-columns: repeat(auto-fit, minmax(18rem, 1fr)); gap: 1rem; margin: 2rem 0 0; padding: 0; list-style: none; }
li a { display: block; height: 100%; padding: 1rem 1.25rem; border: 1px solid var(--line); border-radius: .75rem; background: var(--card); color: inherit; text-decoration: none; }
li a:hover, li a:focus-visible { border-color: var(--accent); }
li strong { display: block; color: var(--accent); }
li span { color: var(--muted); font-size: .925rem; }
pre { margin: 0 0 .75rem; padding: 1rem 1.25rem; overflow-x: auto; border-radius: .75rem; background: var(--code); font: .85rem/1.6 ui-monospace, monospace; }
`

/** A link of the page. */
interface LandingLink {
  /** The name of the link in the JSON representation. */
  readonly key: string
  readonly href: string
  readonly title: string
  readonly description: string
}

const linksOf = (base: string, hasReader: boolean, hasStudio: boolean): ReadonlyArray<LandingLink> => [
  ...(hasStudio
    ? [
        {
          key: "app",
          href: `${base}/app`,
          title: "Open Lectern",
          description: "Write, review and publish in the browser."
        }
      ]
    : []),
  {
    key: "reference",
    href: `${base}/docs`,
    title: "API reference",
    description: "Every operation, with examples that you can run."
  },
  {
    key: "openapi",
    href: `${base}/openapi.json`,
    title: "OpenAPI document",
    description: "For code generators and API clients."
  },
  {
    key: "health",
    href: `${base}/readyz`,
    title: "Health",
    description: "Whether this server can serve requests."
  },
  {
    key: "documentation",
    href: `${base}/help`,
    title: "Documentation",
    description: "Quick start, guides and concepts."
  },
  ...(hasReader
    ? [
        {
          key: "login",
          href: `${base}/~/login`,
          title: "Sign in",
          description: "Read drafts, and manage your sessions."
        }
      ]
    : [])
]

const renderPage = (base: string, links: ReadonlyArray<LandingLink>): string => {
  const api = escapeHtml(base === "." ? "https://your-server" : base)
  const items = links.map(
    ({ href, title, description }) =>
      `<li><a href="${escapeHtml(href)}"><strong>${title}</strong><span>${description}</span></a></li>`
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Lectern</title>
<style>${styles}</style>
</head>
<body>
<main>
<h1>Lectern</h1>
<p>This server hosts a documentation workspace: versioned content, change requests and published sites, with an API.</p>
<ul>
${items.join("\n")}
</ul>
<h2>Your first request</h2>
<pre><code>curl -H "Authorization: Bearer $TOKEN" ${api}/v1/orgs</code></pre>
<p>The server prints a token when it creates its database. <code>lectern token create</code> creates others.</p>
</main>
</body>
</html>
`
}

const htmlHeaders = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

/**
 * Creates the route of the root. The links begin with the public URL of the server. If none is configured, they are
 * relative. `hasReader` is whether the server renders pages, which readers sign in to, and `hasStudio` whether it serves the
 * application.
 */
export const makeLandingRoute = Effect.fnUntraced(function* (hasReader: boolean, hasStudio: boolean) {
  const context = yield* Effect.context<never>()
  const configuredUrl = Context.getOrUndefined(context, PublicUrl)?.replace(/\/+$/, "")
  const route: Route = (request) =>
    Effect.sync(() => {
      const base = request.baseUrl ?? configuredUrl ?? "."
      const links = linksOf(base, hasReader, hasStudio)
      const isHtml = prefersHtml(request)
      const body = isHtml
        ? renderPage(base, links)
        : JSON.stringify({
            name: "Lectern",
            urls: { api: `${base}/v1`, ...Object.fromEntries(links.map(({ key, href }) => [key, href])) }
          })
      const etag = etagOf(body)
      const caching = { etag, "cache-control": "private, no-cache", vary: "accept" }
      const cachedTag = request.header("if-none-match")
      if (cachedTag !== undefined && matchesEtag(cachedTag, etag)) return emptyResponse(304, caching)
      const headers = isHtml ? htmlHeaders : { "content-type": "application/json" }
      return { status: 200, headers: { ...headers, ...caching }, body }
    })
  return route
})
