/** The MCP server of published sites: its tools, which act with the access of a visitor. It is loaded by the first request. */
import {
  Content,
  type ContentPage,
  CurrentUser,
  PublishedContent,
  PublishedSearch,
  type PublishedSiteContent,
  PublishedSites,
  visitorIdentity,
  visitorOfToken
} from "@lectern/core"
import { type Context, Effect, Layer, Schema } from "effect"
import { McpServer, Tool, Toolkit } from "effect/ai"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { siteSpacesOf } from "../../answers/siteSpacesOf.ts"
import type { McpHandler } from "./mcpMessages.ts"
import { shareSessions } from "./mcpSessions.ts"
import { messageBoundsOf, serverOptions, toolOptions } from "./mcpTools.ts"

/** The header that carries the visited URL with its credentials from the route to the tools. Clients cannot set it. */
export const contentHeader = "x-lectern-content"

const SearchSite = Tool.make("search", {
  description:
    "Searches the pages of this documentation site. Returns the best matches, each with its title, the path to read it with `read_page`, and an excerpt.",
  parameters: Schema.Struct({
    query: Schema.String.annotate({ description: "The words to search for, at most 512 characters." })
  }),
  success: Schema.Struct({
    results: Schema.Array(
      Schema.Struct({ title: Schema.String, path: Schema.String, excerpt: Schema.String })
    )
  }),
  ...toolOptions
})
  .annotate(Tool.Readonly, true)
  .annotate(Tool.Destructive, false)

const ReadPage = Tool.make("read_page", {
  description: "Returns a page of this documentation site as Markdown.",
  parameters: Schema.Struct({
    path: Schema.String.annotate({
      description: "The path of the page, as in the results of `search`, or its URL."
    })
  }),
  success: Schema.Struct({ title: Schema.String, markdown: Schema.String }),
  ...toolOptions
})
  .annotate(Tool.Readonly, true)
  .annotate(Tool.Destructive, false)

const SiteTools = Toolkit.make(SearchSite, ReadPage)

/** The bounds of a message. */
export const siteMessageBounds = messageBoundsOf(SiteTools.tools)

/** The maximum number of results of a search. */
const maximumResults = 20

const failedTool = { message: "The site does not exist, or its access has ended. Open its URL again." }

const excludedPage = { message: "There is no such page." }

/** Returns the first document in reading order that is not hidden. */
const firstVisible = (pages: ReadonlyArray<ContentPage>): ContentPage | undefined => {
  for (const page of pages) {
    if ("hidden" in page && page.hidden === true) continue
    if (page.type === "document") return page
    const below = "pages" in page ? firstVisible(page.pages) : undefined
    if (below !== undefined) return below
  }
  return undefined
}

/** The handlers of the tools. */
const siteTools = Effect.gen(function* () {
  const published = yield* PublishedContent
  const search = yield* PublishedSearch
  const sites = yield* PublishedSites
  const content = yield* Content

  /** Returns the content that the URL of the current request names. Its credentials are verified again. */
  const visited = Effect.gen(function* () {
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const { url, jwtToken } = JSON.parse(decodeURIComponent(headers[contentHeader] ?? "%7B%7D")) as {
      readonly url: string
      readonly jwtToken?: string
    }
    const visitor = jwtToken === undefined ? {} : { visitor: { jwtToken } }
    const lookup = yield* published.resolve({ input: { url, ...visitor } })
    return "redirect" in lookup ? yield* Effect.fail(failedTool) : { url, visitor, lookup }
  })

  const asVisitor = <A, E, R>(
    { apiToken }: PublishedSiteContent,
    effect: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E, Exclude<R, CurrentUser>> =>
    Effect.provideService(effect, CurrentUser, visitorIdentity(visitorOfToken(apiToken)!))

  return SiteTools.of({
    search: ({ query }) =>
      Effect.gen(function* () {
        const { url, lookup } = yield* visited
        const { organization, site } = lookup
        const found = yield* asVisitor(
          lookup,
          search.searchSite({ organization, site, input: { query, limit: maximumResults } })
        )
        const { structure } = yield* asVisitor(lookup, sites.get({ organization, site }))
        const siteSpaces = siteSpacesOf(structure)
        const root = new URL(url.endsWith("/") ? url : `${url}/`)
        const results = found.items.flatMap(({ id, pages }) => {
          const siteSpace = siteSpaces.find(({ space }) => space.id === id)
          const base = siteSpace?.urls.published
          if (base === undefined) return []
          const prefix = decodeURIComponent(new URL(base).pathname).slice(
            decodeURIComponent(root.pathname).length
          )
          return pages.map((page) => ({
            title: page.title,
            path: `/${prefix}${page.path}`,
            excerpt: page.sections[0]?.body ?? ""
          }))
        })
        return { results: results.slice(0, maximumResults) }
      }).pipe(Effect.mapError((error) => ({ message: error.message }))),

    read_page: ({ path }) =>
      Effect.gen(function* () {
        const { url, visitor } = yield* visited
        const root = url.endsWith("/") ? url : `${url}/`
        const address = URL.canParse(path)
          ? path
          : root + path.replace(/^\/+/, "").split("/").map(encodeURIComponent).join("/")
        const page = yield* published.resolve({ input: { url: address, ...visitor } })
        if ("redirect" in page) return yield* Effect.fail(failedTool)
        const found = yield* asVisitor(
          page,
          page.pathname === ""
            ? Effect.flatMap(content.listPages({ content: { space: page.space } }), ({ pages }) => {
                return content.getPage({
                  content: { space: page.space },
                  page: firstVisible(pages)?.id ?? "none",
                  input: { format: "markdown" }
                })
              })
            : content.getPageByPath({
                content: { space: page.space },
                path: decodeURIComponent(page.pathname),
                input: { format: "markdown" }
              })
        )
        // Such a page is not part of any list for machines. Visitors open it by its link.
        if ("hidden" in found && found.hidden === true && "noIndex" in found && found.noIndex === true) {
          return yield* Effect.fail(excludedPage)
        }
        return { title: found.title, markdown: ("markdown" in found ? found.markdown : undefined) ?? "" }
      }).pipe(Effect.mapError((error) => ({ message: error.message })))
  })
})

/** Creates the handler of MCP requests at the path `/mcp`. The route authorizes them first. */
export const makeMcpHandler = (
  services: Context.Context<PublishedContent | PublishedSearch | PublishedSites | Content>
): McpHandler => {
  const server = McpServer.layerHttp({
    name: "lectern-site",
    ...serverOptions,
    registrations: McpServer.toolkit(SiteTools).pipe(
      Layer.provide(SiteTools.toLayer(siteTools)),
      Layer.provide(Layer.succeedContext(services))
    )
  })
  return shareSessions(HttpRouter.toWebHandler(server, { disableLogger: true }).handler)
}
