/** Serves previews for signed-in readers: the content of a space, of a change request or of a revision. */
import {
  type ChangeRequest,
  ChangeRequests,
  Content,
  type ContentOf,
  defaultCustomization,
  type Identity,
  type NotFound,
  RevisionId,
  SpaceId,
  Spaces,
  type StorageUnavailable
} from "@lectern/core"
import { Effect, Option, Schema } from "effect"
import { element, type Html } from "../html/Html.ts"
import { decodePart, relativeUrl } from "../html/urls.ts"
import { type ReaderRequest, type ReaderResponse, redirect, renderedHtml, respond } from "../http/messages.ts"
import { renderFramedPage } from "../page/layout.ts"
import type { LoadedSpace, ReadableSite, SpaceOnSite } from "../site/ReadableSite.ts"
import type { SitePages } from "../site/SitePages.ts"
import type { SiteRequest } from "../site/serveSite.ts"
import { type ContentLoader, orNotFound, orUndefined } from "../source/ContentLoader.ts"
import { renderChanges, renderConflicts } from "./renderChanges.ts"
import { renderDiff } from "./renderDiff.ts"
import { logoutPath, pathOf } from "./session.ts"

/** The part of a URL that names content, and the path within it. */
interface NamedContent {
  readonly space: SpaceId
  readonly changeRequest: number | undefined
  readonly revision: RevisionId | undefined
  /** The number of segments before the path within the content. */
  readonly consumed: number
}

const decodeSpace = Schema.decodeUnknownOption(SpaceId)
const decodeRevision = Schema.decodeUnknownOption(RevisionId)

/** Parses the path of a preview: `s/<space>/`, followed by `~/changes/<number>/` or `~/revisions/<id>/`. */
const parsePath = (path: string): NamedContent | undefined => {
  const [prefix, first, tilde, kind, id] = path.split("/")
  const space = Option.getOrUndefined(decodeSpace(first))
  if (prefix !== "s" || space === undefined) return undefined
  if (tilde === "~" && kind === "changes" && /^\d{1,9}$/.test(id ?? "")) {
    return { space, changeRequest: Number(id), revision: undefined, consumed: 5 }
  }
  if (tilde === "~" && kind === "revisions") {
    const revision = Option.getOrUndefined(decodeRevision(id))
    return revision === undefined ? undefined : { space, changeRequest: undefined, revision, consumed: 5 }
  }
  return { space, changeRequest: undefined, revision: undefined, consumed: 2 }
}

/** The maximum number of changes that are listed. */
const maximumChanges = 500

/** Returns the function that finds the name of a page or a file by its id. */
const nameIn =
  ({ index }: LoadedSpace) =>
  (id: string): string | undefined =>
    index.byId.get(id)?.page.title ?? index.files.get(id)?.name

/** Creates the function that serves previews. It fails with `NotFound` for content that the reader cannot see. */
export const makeServePreview = Effect.fnUntraced(function* (
  loader: ContentLoader,
  pages: SitePages,
  serve: (request: SiteRequest) => Effect.Effect<ReaderResponse, NotFound | StorageUnavailable>
) {
  const spaces = yield* Spaces
  const changeRequests = yield* ChangeRequests
  const content = yield* Content

  const barOf =
    (title: string, changeRequest: ChangeRequest | undefined, rootPath: string) =>
    (from: string): Html =>
      element(
        "div",
        { class: "preview-bar", role: "region", "aria-label": "Preview" },
        element(
          "strong",
          {},
          changeRequest === undefined
            ? `Preview of ${title}`
            : `#${changeRequest.number} ${changeRequest.subject || "Untitled"} (${changeRequest.status})`
        ),
        changeRequest !== undefined && [
          element("a", { href: relativeUrl(from, "") }, "Content"),
          element("a", { href: relativeUrl(from, "~/changes") }, "Changes"),
          element("a", { href: relativeUrl(from, "~/conflicts") }, "Conflicts")
        ],
        element(
          "form",
          { method: "post", action: relativeUrl(`${rootPath}${from}`, logoutPath) },
          element("button", { class: "button secondary" }, "Log out")
        )
      )

  /** Returns the Markdown of a page in content; empty if the content does not have it. */
  const markdownOf = (identity: Identity, contentOf: ContentOf, page: string) =>
    Effect.map(
      orUndefined(
        loader.as(identity)(content.getPage({ content: contentOf, page, input: { format: "markdown" } }))
      ),
      (found) =>
        found !== undefined && "markdown" in found
          ? { title: found.title, markdown: found.markdown ?? "" }
          : undefined
    )

  /** Renders the parts of a change request besides its content; `undefined` for other paths. */
  const renderPart = Effect.fnUntraced(function* (
    identity: Identity,
    changeRequest: ChangeRequest,
    loaded: LoadedSpace,
    path: string
  ) {
    const { space, id } = changeRequest
    const proposed = { space, changeRequest: id }
    if (path === "~/changes") {
      const input = { limit: maximumChanges }
      const { changes, more = 0 } = yield* orNotFound(
        loader.as(identity)(content.listChanges({ content: proposed, input }))
      )
      return { title: "Changes", main: renderChanges(path, changes, more) }
    }
    if (path === "~/conflicts") {
      const found = yield* orUndefined(
        loader.as(identity)(changeRequests.previewMerge({ space, changeRequest: id }))
      )
      const isClosed = found === undefined || found.status === "merged" || found.status === "archived"
      const main = isClosed
        ? element("p", {}, "The change request is closed.")
        : renderConflicts(found.conflicts)
      return { title: "Conflicts", main }
    }
    const page = /^~\/diff\/([^/]+)$/.exec(path)?.[1]
    if (page === undefined) return undefined
    const base = RevisionId.make(changeRequest.revisionMergedAncestor ?? changeRequest.revisionInitial)
    const before = yield* markdownOf(identity, { space, revision: base }, decodePart(page))
    const after = yield* markdownOf(identity, proposed, decodePart(page))
    const title = (after ?? before)?.title
    return title === undefined
      ? undefined
      : { title, main: renderDiff(before?.markdown ?? "", after?.markdown ?? "", nameIn(loaded)) }
  })

  return Effect.fnUntraced(function* (
    request: ReaderRequest,
    identity: Identity
  ): Effect.fn.Return<ReaderResponse | undefined, NotFound | StorageUnavailable> {
    const fullPath = pathOf(request)
    const named = parsePath(fullPath)
    if (named === undefined) return undefined
    const segments = fullPath.split("/")
    const rootPath = `${segments.slice(0, named.consumed).join("/")}/`
    if (segments.length === named.consumed) return redirect(`${segments.at(-1)}/`)
    const path = segments.slice(named.consumed).join("/")
    const spaceId = named.space
    const space = yield* orNotFound(loader.as(identity)(spaces.get({ space: spaceId })))
    const changeRequest =
      named.changeRequest === undefined
        ? undefined
        : yield* orNotFound(
            loader.as(identity)(
              changeRequests.get({ space: spaceId, changeRequest: String(named.changeRequest) })
            )
          )
    const contentOf: ContentOf = {
      space: spaceId,
      ...(changeRequest === undefined ? {} : { changeRequest: changeRequest.id }),
      ...(named.revision === undefined ? {} : { revision: named.revision })
    }
    const onSite: SpaceOnSite = { id: spaceId, title: space.title, root: "", content: contentOf }
    const site: ReadableSite = {
      kind: "preview",
      identity,
      organization: space.organization,
      title: space.title,
      customization: defaultCustomization,
      structure: undefined,
      spaces: new Map([[spaceId, onSite]]),
      publicUrl: undefined,
      isIndexed: false,
      isPublic: false,
      isAdaptive: true,
      bar: barOf(space.title, changeRequest, rootPath)
    }
    const loaded = yield* loader.space(identity, onSite)
    const part =
      changeRequest === undefined ? undefined : yield* renderPart(identity, changeRequest, loaded, path)
    if (part !== undefined) {
      const { frame } = yield* pages.frameAt(site, loaded, path, undefined)
      const body = renderFramedPage(frame, {
        title: part.title,
        metadata: { isIndexed: false },
        hasSidebar: true,
        outline: undefined,
        main: element(
          "div",
          { class: "page" },
          element("div", { class: "page-head" }, element("h1", {}, element("span", {}, part.title))),
          element("div", { class: "content" }, part.main)
        )
      })
      return respond(request, renderedHtml(body), "private")
    }
    const pagePath = path.split("/").map(decodePart).join("/").replace(/\/+$/, "")
    const query = new URLSearchParams(request.url.split("?")[1] ?? "")
    return yield* serve({ request, site, space: loaded, path, pagePath, query })
  })
})
