/** What callers ask of links: those of a content, those of one of its pages, and the pages that link to something. */
import { Context, Effect, Layer } from "effect"
import { roleOn } from "../../access/Access.ts"
import { NotFound } from "../../kernel/errors.ts"
import { PublicUrl } from "../../kernel/network/PublicUrl.ts"
import { query } from "../../kernel/operation/Operation.ts"
import { pageOfShort } from "../../kernel/pagination/paginate.ts"
import { PageQuery } from "../../kernel/schema/Pagination.ts"
import { Records, type StorageUnavailable } from "../../kernel/storage/index.ts"
import type { ChangeRequest } from "../../model/change-requests/ChangeRequest.ts"
import { baseOf } from "../../model/change-requests/ChangeRequestRules.ts"
import { ContentOf } from "../../model/content/ContentOf.ts"
import { FileId } from "../../model/content/File.ts"
import { PageId } from "../../model/content/Page.ts"
import type { ReusableContentId } from "../../model/content/ReusableContent.ts"
import type { Revision } from "../../model/content/Revision.ts"
import {
  type ContentLocation,
  type Link,
  type LinkStatus,
  ListLinks,
  type PageLocation
} from "../../model/links/Link.ts"
import type { Organization } from "../../model/organizations/Organization.ts"
import { presentChangeRequest } from "../../views/change-requests/ChangeRequestView.ts"
import { presentFile, presentReusableContent } from "../../views/content/FileView.ts"
import { presentPage } from "../../views/content/PageView.ts"
import { presentSpace } from "../../views/spaces/SpaceView.ts"
import { ContentAccess, type Located } from "../content/ContentAccess.ts"
import { FileUrls } from "../content/FileUrls.ts"
import { Outside } from "./ExternalTargets.ts"
import { type LinkGraph, LinkGraphs, type Place, type Usage } from "./LinkGraphs.ts"
import { type Target, writtenAs } from "./LinkTarget.ts"

/** The most places that are shown of what is linked to. */
const mostPlaces = 100

type Resolved = { readonly usage: Usage; readonly status: LinkStatus }

const makeLinks = Effect.gen(function* () {
  const records = yield* Records
  const access = yield* ContentAccess
  const graphs = yield* LinkGraphs
  const outside = yield* Outside
  const urls = yield* FileUrls
  const base = yield* PublicUrl

  /** A content that the caller may read, with its links. */
  const open = Effect.fnUntraced(function* (ref: ContentOf) {
    const located = yield* access.open(ref, "read")
    return { located, graph: yield* graphs.of(located.revision.root, located.tree) }
  })

  /** What places are shown with, the same for all of them. */
  const showing = Effect.fnUntraced(function* (
    located: Located,
    graph: LinkGraph,
    organization: Organization
  ) {
    const { space, caller, tree, app } = located
    const inSpace = { organization, space: presentSpace(base, space, roleOn(caller, space)) }
    const urlOf = yield* urls.in(space.id)

    const page = Effect.fnUntraced(function* (
      id: string,
      anchor: string
    ): Effect.fn.Return<PageLocation, StorageUnavailable> {
      const record = (yield* tree.page(id))!
      const placed = { id: PageId.make(id), page: record }
      return {
        kind: "page",
        ...inSpace,
        page: presentPage({ app, metadata: true }, placed, graph.pathOf.get(id) ?? "", []),
        ...(anchor === "" ? {} : { internalLocation: { type: "anchor", anchor } as const })
      }
    })

    const target = Effect.fnUntraced(function* (
      of: Target
    ): Effect.fn.Return<ContentLocation, StorageUnavailable> {
      switch (of.kind) {
        case "page":
          return yield* page(of.page, of.anchor)
        case "file": {
          const id = FileId.make(of.file)
          return { kind: "file", ...inSpace, file: presentFile(urlOf, id, (yield* tree.file(id))!, {}) }
        }
        case "reusable-content": {
          const id = of.reusableContent as ReusableContentId
          const reusableContent = presentReusableContent(id, (yield* tree.reusableContent(id))!, {})
          return { kind: "reusable-content", ...inSpace, reusableContent }
        }
        default:
          return { kind: "url", url: writtenAs(of) }
      }
    })
    return { page, target }
  })

  /** The usages of graphs with what is outside of the content found. */
  const resolving = Effect.fnUntraced(function* (
    { caller }: Located,
    organization: Organization,
    all: ReadonlyArray<LinkGraph>
  ) {
    const found = yield* outside.find(
      caller,
      organization,
      all.flatMap(({ usages }) => [...usages.values()].map(({ target }) => target))
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

  /** The links of the content that a change request started from; of a space, there is none. */
  const baseGraph = Effect.fnUntraced(function* ({ space, changeRequest }: Located) {
    if (changeRequest === undefined) return undefined
    const row = yield* access
      .revisionOf(space.id, baseOf(changeRequest))
      .pipe(Effect.catchTag("NotFound", Effect.die))
    return yield* graphs.of(row.root, access.treeAt(row.root))
  })

  /** A list of links, of those usages that have places left. */
  const list = Effect.fnUntraced(function* (
    { located, graph }: Effect.Success<ReturnType<typeof open>>,
    of: ReadonlyArray<unknown>,
    keep: (place: Place) => boolean,
    input: typeof ListLinks.Type
  ) {
    const before = yield* baseGraph(located)
    const organization = yield* outside.organization(located.caller)
    const graphsOfBoth = before === undefined ? [graph] : [graph, before]
    const { found, statusOf } = yield* resolving(located, organization, graphsOfBoth)
    const resolved = [...graph.usages.values()].flatMap((usage): ReadonlyArray<Resolved> => {
      const places = usage.places.filter(keep)
      return places.length === 0 ? [] : [{ usage: { ...usage, places }, status: statusOf(usage.target) }]
    })
    const page = yield* pageOfShort(input, {
      list: ["links", located.space.id, located.changeRequest?.id, of, input.status],
      items: resolved
        .filter(({ status }) => input.status === undefined || status === input.status)
        .map((item) => ({ place: item.usage.key, id: "", item }))
        .sort((a, b) => (a.place < b.place ? -1 : 1))
    })
    const show = yield* showing(located, graph, organization)
    const broken = resolved.filter(({ status }) => status === "broken")
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
            targetReference: found(target) ?? (yield* show.target(target)),
            locationReferences: yield* Effect.forEach(usage.places.slice(0, mostPlaces), (place) =>
              show.page(place.page, place.anchor)
            )
          }
          return link
        })
      ),
      stats: {
        total: resolved.length,
        broken: {
          total: broken.length,
          // What was broken before is not this change request's doing.
          ...(before === undefined
            ? {}
            : { changeRequest: broken.filter(({ usage }) => !wasBroken(usage.key)).length })
        }
      }
    }
  })

  /** In which content backlinks are. What a revision holds is not repeated with each of them. */
  const contextOf = Effect.fnUntraced(function* ({ space, changeRequest, revision, app }: Located) {
    if (changeRequest !== undefined) {
      const shown: ChangeRequest = yield* presentChangeRequest(records, base, space, changeRequest)
      return { type: "changeRequest", changeRequest: shown } as const
    }
    const { id, type, parents, createdAt } = revision
    const shown: Revision = {
      ...{ object: "revision", id, type, parents, createdAt, urls: { app } },
      ...{ pages: [], files: [], reusableContents: [] }
    }
    return { type: "revision", revision: shown } as const
  })

  const backlinks = Effect.fnUntraced(function* (
    { located, graph }: Effect.Success<ReturnType<typeof open>>,
    of: ReadonlyArray<unknown>,
    places: ReadonlyArray<Place>,
    input: PageQuery
  ) {
    const page = yield* pageOfShort(input, {
      list: ["backlinks", located.space.id, located.changeRequest?.id, of],
      items: [...new Map(places.map((place) => [`${place.page}#${place.anchor}`, place]))]
        .map(([place, item]) => ({ place, id: "", item }))
        .sort((a, b) => (a.place < b.place ? -1 : 1))
    })
    const show = yield* showing(located, graph, yield* outside.organization(located.caller))
    const versionContext = yield* contextOf(located)
    const items = yield* Effect.forEach(page.items, (place) =>
      Effect.map(show.page(place.page, place.anchor), (shown): PageLocation => ({ ...shown, versionContext }))
    )
    return { ...page, items }
  })

  return {
    /** What the pages of a content link to, each with the pages that do. */
    list: query([ContentOf, ListLinks], function* (ref, input) {
      return yield* list(yield* open(ref), [], () => true, input)
    }),

    /** What a page links to. */
    ofPage: query([ContentOf, PageId, ListLinks], function* (ref, id, input) {
      const opened = yield* open(ref)
      if ((yield* opened.located.tree.page(id)) === undefined) return yield* NotFound.of("page")
      return yield* list(opened, [id], ({ page }) => page === id, input)
    }),

    /** The other pages that link to a page, or to a place in it. */
    toPage: query([ContentOf, PageId, PageQuery], function* (ref, id, input) {
      const opened = yield* open(ref)
      if ((yield* opened.located.tree.page(id)) === undefined) return yield* NotFound.of("page")
      const places = [...opened.graph.usages.values()].flatMap(({ target, places }) =>
        target.kind === "page" && target.page === id ? places.filter(({ page }) => page !== id) : []
      )
      return yield* backlinks(opened, ["page", id], places, input)
    }),

    /** The pages that link to a file, or show it. */
    toFile: query([ContentOf, FileId, PageQuery], function* (ref, id, input) {
      const opened = yield* open(ref)
      if ((yield* opened.located.tree.file(id)) === undefined) return yield* NotFound.of("file")
      return yield* backlinks(
        opened,
        ["file", id],
        opened.graph.usages.get(`file:${id}`)?.places ?? [],
        input
      )
    })
  }
})

/** See the module's comment. */
export class Links extends Context.Service<Links, Effect.Success<typeof makeLinks>>()("@lectern/core/Links") {
  static readonly layer: Layer.Layer<
    Links,
    never,
    Records | ContentAccess | LinkGraphs | Outside | FileUrls
  > = Layer.effect(Links, makeLinks)
}
