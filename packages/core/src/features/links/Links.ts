/** Operations on links: the links of content or of one of its pages, and backlinks to pages and files. */

import { type GrantedReader, Operations, type Query } from "@lectern/access"
import type { Target } from "@lectern/content"
import { makeLinkBase, paginateInMemory } from "@lectern/kernel"
import { baseOf } from "@lectern/kernel/tables"
import type { ChangeRequest } from "@lectern/model/change-requests"
import type { Revision } from "@lectern/model/content"
import { ContentOf, FileId, PageId, ReusableContentId } from "@lectern/model/content"
import { NotFound } from "@lectern/model/errors"
import {
  type Link,
  type LinkStatus,
  ListLinks,
  type PageLocation,
  type Links as PageOfLinks
} from "@lectern/model/links"
import type { Organization } from "@lectern/model/organizations"
import { type Page, PageQuery } from "@lectern/model/schema"
import { Context, Effect, Layer } from "effect"
import { presentChangeRequest } from "../../views/change-requests/ChangeRequestView.ts"
import { ContentAccess, type ContentError, type ResolvedContent } from "../content/ContentAccess.ts"
import type { FileUrls } from "../content/FileUrls.ts"
import { ExternalTargets } from "./ExternalTargets.ts"
import { type LinkGraph, LinkGraphs, type Place, type Usage } from "./LinkGraphs.ts"
import { makePresenting } from "./linkPresentation.ts"

/** Operations on links, on behalf of the `CurrentUser`. */
export interface LinksOperations {
  /**
   * Lists the targets that pages of the content link to, each with up to 100 places that link to it. Fails with
   * `InvalidInput` for a bad cursor.
   */
  readonly list: Query<{ content: ContentOf; input?: ListLinks }, PageOfLinks, ContentError>
  /**
   * Lists the targets that a page links to, each with up to 100 places of the page that link to it. Fails with
   * `NotFound` if the page does not exist.
   */
  readonly listPageLinks: Query<
    { content: ContentOf; page: PageId; input?: ListLinks },
    PageOfLinks,
    ContentError
  >
  /**
   * Lists the places in other pages that link to a page or to an anchor in it. Fails with `NotFound` for a missing
   * page.
   */
  readonly listPageBacklinks: Query<
    { content: ContentOf; page: PageId; input?: PageQuery },
    Page<PageLocation>,
    ContentError
  >
  /** Lists the places in pages that link to a file or embed it. Fails with `NotFound` if the file does not exist. */
  readonly listFileBacklinks: Query<
    { content: ContentOf; file: FileId; input?: PageQuery },
    Page<PageLocation>,
    ContentError
  >
  /** Lists the pages that include a reusable content. Fails with `NotFound` if the reusable content does not exist. */
  readonly listReusableContentBacklinks: Query<
    { content: ContentOf; reusableContent: ReusableContentId; input?: PageQuery },
    Page<PageLocation>,
    ContentError
  >
}

/** The maximum number of places that are returned per target. */
const maximumPlaces = 100

type LinkWithStatus = { readonly usage: Usage; readonly status: LinkStatus }

const makeTargets = Effect.gen(function* () {
  const externalTargets = yield* ExternalTargets

  /** Resolves the targets of graphs that are outside of the content. */
  const resolveTargets = Effect.fnUntraced(function* (
    { caller, grant }: ResolvedContent,
    organization: Organization,
    linkGraphs: ReadonlyArray<LinkGraph>
  ) {
    const found = yield* externalTargets.find(
      grant.records,
      caller,
      organization,
      linkGraphs.flatMap(({ usages }) => [...usages.values()].map(({ target }) => target))
    )
    const statusOf = (target: Target): LinkStatus => {
      switch (target.kind) {
        case "broken":
          return "broken"
        case "page":
        case "file":
        case "reusable-content":
          return "ok"
        case "url":
          return target.isApp ? "in-app" : "ok"
        default:
          return found(target) === undefined ? "broken" : target.isApp ? "in-app" : "ok"
      }
    }
    return { found, statusOf }
  })

  return { resolveTargets }
})

const makeLinkPages = Effect.gen(function* () {
  const access = yield* ContentAccess
  const graphs = yield* LinkGraphs
  const externalTargets = yield* ExternalTargets
  const { resolveTargets } = yield* makeTargets
  const { presenting } = yield* makePresenting

  /** The links of the revision that a change request is based on; undefined for the content of a space. */
  const baseGraph = Effect.fnUntraced(function* ({ space, changeRequest, grant }: ResolvedContent) {
    if (changeRequest === undefined) return undefined
    const row = yield* access
      .revisionOf(grant.records, space.id, baseOf(changeRequest))
      .pipe(Effect.catchTag("NotFound", Effect.die))
    return yield* graphs.get(row.root, access.treeAt(row.root))
  })

  /** A page of the links whose places match the filter. `listKey` identifies the list in cursors. */
  const pageOfLinks = Effect.fnUntraced(function* (
    resolved: ResolvedContent,
    graph: LinkGraph,
    listKey: ReadonlyArray<unknown>,
    matches: (place: Place) => boolean,
    input: ListLinks
  ) {
    const before = yield* baseGraph(resolved)
    const organization = yield* externalTargets.organization(resolved.grant.records, resolved.caller)
    const graphsOfBoth = before === undefined ? [graph] : [graph, before]
    const { found, statusOf } = yield* resolveTargets(resolved, organization, graphsOfBoth)
    const links = [...graph.usages.values()].flatMap((usage): ReadonlyArray<LinkWithStatus> => {
      const places = usage.places.filter(matches)
      return places.length === 0 ? [] : [{ usage: { ...usage, places }, status: statusOf(usage.target) }]
    })
    const page = yield* paginateInMemory(input, {
      list: ["links", resolved.space.id, resolved.changeRequest?.id, listKey, input.status],
      items: links
        .filter(({ status }) => input.status === undefined || status === input.status)
        .map((item) => ({ place: item.usage.key, id: "", item }))
        .sort((a, b) => (a.place < b.place ? -1 : 1))
    })
    const present = yield* presenting(resolved, graph, organization)
    const broken = links.filter(({ status }) => status === "broken")
    const wasBroken = (key: string) => {
      const usage = before?.usages.get(key)
      return usage !== undefined && statusOf(usage.target) === "broken"
    }
    return {
      ...page,
      items: yield* Effect.forEach(page.items, ({ usage, status }) =>
        Effect.gen(function* () {
          const { target } = usage
          const link: Link = {
            status,
            relation: "reference",
            targetReference: found(target) ?? (yield* present.target(target)),
            locationReferences: yield* Effect.forEach(usage.places.slice(0, maximumPlaces), (place) =>
              present.page(place.page, place.anchor)
            )
          }
          return link
        })
      ),
      stats: {
        total: links.length,
        broken: {
          total: broken.length,
          // Excludes links that were broken before the change request.
          ...(before === undefined
            ? {}
            : { changeRequest: broken.filter(({ usage }) => !wasBroken(usage.key)).length })
        }
      }
    }
  })

  return { pageOfLinks }
})

const makeBacklinkPages = Effect.gen(function* () {
  const externalTargets = yield* ExternalTargets
  const linkBase = yield* makeLinkBase
  const { presenting } = yield* makePresenting

  /**
   * The content of backlinks. The pages and files of a revision are omitted, because they would repeat with each
   * backlink.
   */
  const contextOf = Effect.fnUntraced(function* (
    records: GrantedReader,
    { space, changeRequest, revision, appUrl }: ResolvedContent
  ) {
    if (changeRequest !== undefined) {
      const presented: ChangeRequest = yield* presentChangeRequest(
        records,
        yield* linkBase,
        space,
        changeRequest
      )
      return { type: "changeRequest", changeRequest: presented } as const
    }
    const { id, type, parents, createdAt } = revision
    const presented: Revision = {
      ...{ object: "revision", id, type, parents, createdAt, urls: { app: appUrl } },
      ...{ pages: [], tags: [], files: [], reusableContents: [] }
    }
    return { type: "revision", revision: presented } as const
  })

  /** A page of backlinks from places. `listKey` identifies the list in cursors. */
  const pageOfBacklinks = Effect.fnUntraced(function* (
    records: GrantedReader,
    resolved: ResolvedContent,
    graph: LinkGraph,
    listKey: ReadonlyArray<unknown>,
    places: ReadonlyArray<Place>,
    input: PageQuery
  ) {
    const page = yield* paginateInMemory(input, {
      list: ["backlinks", resolved.space.id, resolved.changeRequest?.id, listKey],
      items: [...new Map(places.map((place) => [`${place.page}#${place.anchor}`, place]))]
        .map(([place, item]) => ({ place, id: "", item }))
        .sort((a, b) => (a.place < b.place ? -1 : 1))
    })
    const present = yield* presenting(
      resolved,
      graph,
      yield* externalTargets.organization(resolved.grant.records, resolved.caller)
    )
    const versionContext = yield* contextOf(records, resolved)
    const items = yield* Effect.forEach(page.items, (place) =>
      Effect.map(
        present.page(place.page, place.anchor),
        (location): PageLocation => ({
          ...location,
          versionContext
        })
      )
    )
    return { ...page, items }
  })

  return { pageOfBacklinks }
})

const makeOutgoing = Effect.gen(function* () {
  const { query } = yield* Operations
  const access = yield* ContentAccess
  const graphs = yield* LinkGraphs
  const { pageOfLinks } = yield* makeLinkPages

  /** The links of content. */
  const graphOf = ({ revision, tree }: ResolvedContent) => graphs.get(revision.root, tree)

  return {
    list: query(
      "Links.list",
      { parameters: { content: ContentOf, input: ListLinks }, authorize: access.allow("read") },
      function* ({ input }, resolved) {
        return yield* pageOfLinks(resolved, yield* graphOf(resolved), [], () => true, input)
      }
    ),

    listPageLinks: query(
      "Links.listPageLinks",
      { parameters: { content: ContentOf, page: PageId, input: ListLinks }, authorize: access.allow("read") },
      function* ({ page: id, input }, resolved) {
        const graph = yield* graphOf(resolved)
        if ((yield* resolved.tree.page(id)) === undefined) return yield* NotFound.of("page")
        return yield* pageOfLinks(resolved, graph, [id], ({ page }) => page === id, input)
      }
    )
  }
})

const makeIncoming = Effect.gen(function* () {
  const { query } = yield* Operations
  const access = yield* ContentAccess
  const graphs = yield* LinkGraphs
  const { pageOfBacklinks } = yield* makeBacklinkPages

  /** The links of content. */
  const graphOf = ({ revision, tree }: ResolvedContent) => graphs.get(revision.root, tree)

  return {
    listPageBacklinks: query(
      "Links.listPageBacklinks",
      { parameters: { content: ContentOf, page: PageId, input: PageQuery }, authorize: access.allow("read") },
      function* ({ page: id, input }, resolved) {
        const { records } = resolved
        const graph = yield* graphOf(resolved)
        if ((yield* resolved.tree.page(id)) === undefined) return yield* NotFound.of("page")
        const places = [...graph.usages.values()].flatMap(({ target, places }) =>
          target.kind === "page" && target.page === id ? places.filter(({ page }) => page !== id) : []
        )
        return yield* pageOfBacklinks(records, resolved, graph, ["page", id], places, input)
      }
    ),

    listFileBacklinks: query(
      "Links.listFileBacklinks",
      { parameters: { content: ContentOf, file: FileId, input: PageQuery }, authorize: access.allow("read") },
      function* ({ file: id, input }, resolved) {
        const { records } = resolved
        const graph = yield* graphOf(resolved)
        if ((yield* resolved.tree.file(id)) === undefined) return yield* NotFound.of("file")
        const places = graph.usages.get(`file:${id}`)?.places ?? []
        return yield* pageOfBacklinks(records, resolved, graph, ["file", id], places, input)
      }
    ),

    listReusableContentBacklinks: query(
      "Links.listReusableContentBacklinks",
      {
        parameters: { content: ContentOf, reusableContent: ReusableContentId, input: PageQuery },
        authorize: access.allow("read")
      },
      function* ({ reusableContent: id, input }, resolved) {
        const { records } = resolved
        const graph = yield* graphOf(resolved)
        if ((yield* resolved.tree.reusableContent(id)) === undefined) {
          return yield* NotFound.of("reusable content")
        }
        const places = [...graph.usages.values()].flatMap(({ target, places }) =>
          target.kind === "reusable-content" && target.reusableContent === id ? places : []
        )
        return yield* pageOfBacklinks(records, resolved, graph, ["reusable-content", id], places, input)
      }
    )
  }
})

const makeLinks = Effect.gen(function* () {
  return { ...(yield* makeOutgoing), ...(yield* makeIncoming) }
})

/** Operations on links: see {@link LinksOperations}. */
export class Links extends Context.Service<Links, LinksOperations>()("@lectern/core/Links") {
  static readonly layer: Layer.Layer<
    Links,
    never,
    Operations | ContentAccess | LinkGraphs | ExternalTargets | FileUrls
  > = Layer.effect(Links, makeLinks)
}
