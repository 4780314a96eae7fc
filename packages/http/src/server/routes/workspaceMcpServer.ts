/**
 * The MCP server of the workspace: its tools, which act as the user of each request. It is loaded by the first request. Operations
 * authorize every call; the only tool with an effect proposes a change request, which people review and merge.
 */
import {
  ChangeRequests,
  Content,
  CurrentUser,
  EditContent,
  type Identity,
  type OrganizationId,
  Organizations,
  type PageId,
  Records,
  Search,
  type SpaceId,
  Spaces,
  Workspace
} from "@lectern/core"
import { type Context, Effect, Layer, Result, Schema } from "effect"
import { McpServer, Tool, Toolkit } from "effect/ai"
import { HttpRouter, HttpServerRequest } from "effect/http"
import type { McpHandler } from "./mcpMessages.ts"
import { shareSessions } from "./mcpSessions.ts"
import { messageBoundsOf, serverOptions, toolOptions } from "./mcpTools.ts"
import type { WorkspaceMcpServices } from "./workspaceMcp.ts"

/** The header that carries the key of the caller from the route to the tools. Clients cannot set it. */
const callerHeader = "x-lectern-caller"

const text = (description: string) => Schema.String.annotate({ description })

/** The maximum number of results of a search. */
const maximumResults = 20

/** The maximum number of organizations that a search without an organization covers. */
const maximumOrganizations = 5

const SearchWorkspace = Tool.make("search", {
  description:
    "Searches the pages that you can read. Returns the best matches, each with its title, its space and page for `read_page`, and an excerpt.",
  parameters: Schema.Struct({
    query: text("The words to search for, at most 512 characters."),
    organization: Schema.optionalKey(text("The id of an organization. By default, the ones that you are in."))
  }),
  success: Schema.Struct({
    results: Schema.Array(
      Schema.Struct({
        title: Schema.String,
        space: Schema.String,
        spaceTitle: Schema.String,
        page: Schema.String,
        path: Schema.String,
        excerpt: Schema.String
      })
    )
  }),
  ...toolOptions
})
  .annotate(Tool.Readonly, true)
  .annotate(Tool.Destructive, false)

const ReadPage = Tool.make("read_page", {
  description: "Returns a page of a space as Markdown.",
  parameters: Schema.Struct({
    space: text("The id of the space, as in the results of `search`."),
    page: text("The id of the page, as in the results of `search`.")
  }),
  success: Schema.Struct({ title: Schema.String, markdown: Schema.String }),
  ...toolOptions
})
  .annotate(Tool.Readonly, true)
  .annotate(Tool.Destructive, false)

/** The maximum number of pages of a proposal. */
const maximumChanges = 20

const ProposeChangeRequest = Tool.make("propose_change_request", {
  description:
    "Proposes changes of pages as a change request, which people review and merge. It does not change the published content.",
  parameters: Schema.Struct({
    space: text("The id of the space."),
    subject: text("The subject of the change request, at most 100 characters."),
    changes: Schema.Array(
      Schema.Struct({
        page: Schema.optionalKey(text("The id of the page to change. Without it, a page is added.")),
        title: Schema.optionalKey(text("The title of the page. Required for a page that is added.")),
        into: Schema.optionalKey(text("The id of the page to add a page below.")),
        markdown: text("The whole body of the page as Markdown.")
      })
    )
      .check(Schema.isMaxLength(maximumChanges))
      .annotate({ description: `The pages to change or to add, 1 to ${maximumChanges}.` })
  }),
  success: Schema.Struct({ changeRequest: Schema.String, number: Schema.Int, url: Schema.String }),
  ...toolOptions
}).annotate(Tool.Destructive, false)

const WorkspaceTools = Toolkit.make(SearchWorkspace, ReadPage, ProposeChangeRequest)

/** The bounds of a message. */
export const workspaceMessageBounds = messageBoundsOf(WorkspaceTools.tools)

type ProposedChange = (typeof ProposeChangeRequest.parametersSchema.Type)["changes"][number]

/** The change of a batch that a proposed change is. */
const toChange = ({ page, title, into, markdown }: ProposedChange): object =>
  page === undefined
    ? {
        operation: "insert_page",
        ...(title === undefined ? {} : { title }),
        ...(into === undefined ? {} : { into }),
        document: { markdown }
      }
    : { operation: "update_page", page, ...(title === undefined ? {} : { title }), document: { markdown } }

const decodeChanges = Schema.decodeUnknownResult(EditContent)

const workspaceTools = (callers: ReadonlyMap<string, Identity>) =>
  Effect.gen(function* () {
    const search = yield* Search
    const content = yield* Content
    const changeRequests = yield* ChangeRequests
    const organizations = yield* Organizations
    const spaces = yield* Spaces
    const records = yield* Records

    /** Runs a tool as the user of its request. */
    const asCaller = <A, E extends { readonly message: string }>(
      effect: Effect.Effect<A, E, CurrentUser>
    ): Effect.Effect<A, { readonly message: string }, HttpServerRequest.HttpServerRequest> =>
      Effect.gen(function* () {
        const { headers } = yield* HttpServerRequest.HttpServerRequest
        const identity = callers.get(headers[callerHeader] ?? "")
        if (identity === undefined) return yield* Effect.fail({ message: "The request has ended." })
        return yield* Effect.provideService(effect, CurrentUser, identity)
      }).pipe(Effect.mapError(({ message }) => ({ message })))

    const searchAll = Effect.fnUntraced(function* (query: string, organization: string | undefined) {
      const ids =
        organization === undefined
          ? (yield* organizations.list({ input: { limit: maximumOrganizations } })).items.map(({ id }) => id)
          : [organization as OrganizationId]
      const found = yield* Effect.forEach(ids, (id) =>
        search.searchOrganization({ organization: id, input: { query, limit: maximumResults } })
      )
      return found.flatMap(({ items }) => items)
    })

    const propose = Effect.fnUntraced(function* (
      space: SpaceId,
      subject: string,
      changes: ReadonlyArray<ProposedChange>
    ) {
      if (changes.length === 0 || changes.length > maximumChanges) {
        return yield* Effect.fail({ message: `\`changes\` must have 1 to ${maximumChanges} pages.` })
      }
      const batch = decodeChanges({ changes: changes.map(toChange) })
      if (Result.isFailure(batch)) return yield* Effect.fail({ message: batch.failure.message })
      const { organization } = yield* spaces.get({ space })
      // In one transaction, so that invalid changes leave no change request and no gap in the numbers.
      return yield* Workspace.transaction({ organizations: [organization] }, () =>
        Effect.gen(function* () {
          const {
            id: changeRequest,
            number,
            urls
          } = yield* changeRequests.create({ space, input: { subject } })
          yield* content.edit({ content: { space, changeRequest }, input: batch.success })
          // Drafts are in no list that people review.
          yield* changeRequests.update({ space, changeRequest, input: { status: "open" } })
          return { changeRequest, number, url: urls.app }
        })
      ).pipe(Effect.provideService(Records, records))
    })

    return WorkspaceTools.of({
      search: ({ query, organization }) =>
        asCaller(
          Effect.map(searchAll(query, organization), (spaces) => ({
            results: spaces
              .flatMap(({ id, title: spaceTitle, pages }) =>
                pages.map(({ id: page, title, path, sections }) => ({
                  title,
                  space: id,
                  spaceTitle,
                  page,
                  path,
                  excerpt: sections[0]?.body ?? ""
                }))
              )
              .slice(0, maximumResults)
          }))
        ),
      read_page: ({ space, page }) =>
        asCaller(
          Effect.map(
            content.getPage({
              content: { space: space as SpaceId },
              page: page as PageId,
              input: { format: "markdown" }
            }),
            (found) => ({
              title: found.title,
              markdown: ("markdown" in found ? found.markdown : undefined) ?? ""
            })
          )
        ),
      propose_change_request: ({ space, subject, changes }) =>
        asCaller(propose(space as SpaceId, subject, changes))
    })
  })

/** Creates the handler of MCP requests, as a user whom the route has authenticated. */
export const makeWorkspaceMcpHandler = (
  services: Context.Context<WorkspaceMcpServices>
): ((identity: Identity) => McpHandler) => {
  const callers = new Map<string, Identity>()
  const server = McpServer.layerHttp({
    name: "lectern",
    ...serverOptions,
    registrations: McpServer.toolkit(WorkspaceTools).pipe(
      Layer.provide(WorkspaceTools.toLayer(workspaceTools(callers))),
      Layer.provide(Layer.succeedContext(services))
    )
  })
  const handler = shareSessions(HttpRouter.toWebHandler(server, { disableLogger: true }).handler)
  return (identity) => async (request, message, context) => {
    const key = crypto.randomUUID()
    callers.set(key, identity)
    request.headers.set(callerHeader, key)
    try {
      const response = await handler(request, message, context)
      // A tool runs until its response is complete.
      const body = await response.arrayBuffer()
      return new Response(body.byteLength === 0 ? null : body, {
        status: response.status,
        headers: response.headers
      })
    } finally {
      callers.delete(key)
    }
  }
}
