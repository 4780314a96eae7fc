/** Serves the root of the server: a page with links for browsers, and the same links as JSON for API clients. */
import { PublicUrl } from "@lectern/core"
import { Context, Effect } from "effect"
import { etagOf, matchesEtag } from "../messages/etag.ts"
import { emptyResponse } from "../messages/Message.ts"
import { escapeHtml, htmlHeaders, prefersHtml, renderHtmlPage } from "./htmlPages.ts"
import type { Route } from "./Route.ts"

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
  return renderHtmlPage(
    "Lectern",
    `<h1>Lectern</h1>
<p>This server hosts a documentation workspace: versioned content, change requests and published sites, with an API.</p>
<ul>
${items.join("\n")}
</ul>
<h2>Your first request</h2>
<pre><code>curl -H "Authorization: Bearer $TOKEN" ${api}/v1/orgs</code></pre>
<p>The server prints a token when it creates its database. <code>lectern token create</code> creates others.</p>`
  )
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
