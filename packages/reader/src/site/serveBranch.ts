/** Serves the lists of pages that the navigation of a large site does not contain. */
import { Effect } from "effect"
import type { ReaderResponse } from "../http/messages.ts"
import { renderedHtml, respond } from "../http/messages.ts"
import { renderBranch, renderBranchPage } from "../page/renderBranch.ts"
import type { LinkOrigin } from "./links.ts"
import { branchItems, isListed, listedBelow } from "./pageTree.ts"
import type { SitePages } from "./SitePages.ts"
import type { SiteRequest } from "./serveSite.ts"

/** The maximum length of the path that the links of a branch are relative to. */
const maximumPathLength = 4_000

/** Creates the function that serves a branch: as a page, or as a list that the script adds to the navigation. */
export const makeServeBranch = (pages: SitePages) =>
  Effect.fnUntraced(function* ({ request, site, space: current, path, query }: SiteRequest) {
    const id = query.get("page") ?? ""
    const loaded = yield* pages.loadSpace(site, query.get("space") ?? current.id)
    const space = loaded ?? current
    const indexed = id === "" ? undefined : space.index.byId.get(id)
    if (id !== "" && (indexed === undefined || indexed.isHidden)) return undefined
    const isPart = query.get("part") === "branch"
    const from = isPart ? (query.get("from") ?? "").slice(0, maximumPathLength) : path
    const below = indexed === undefined ? space.index.pages.filter(isListed) : listedBelow(indexed.page)
    const offset = Math.max(0, Math.trunc(Number(query.get("offset") ?? 0)) || 0)
    const { frame, origin } = yield* pages.frameAt(site, space, from, indexed)
    const items = branchItems(origin satisfies LinkOrigin, id, below, offset)
    const body = isPart
      ? renderBranch(frame, items)
      : renderBranchPage(frame, indexed?.page.title ?? space.title, items)
    return respond(request, renderedHtml(body), "private") satisfies ReaderResponse
  })
