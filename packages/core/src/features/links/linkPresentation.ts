/** The presentation of links with the targets that they lead to. */

import { type Target, urlOfTarget } from "@lectern/content"
import { makeLinkBase, type StorageUnavailable } from "@lectern/kernel"
import { FileId, PageId, type ReusableContentId } from "@lectern/model/content"
import type { ContentLocation, PageLocation } from "@lectern/model/links"
import type { Organization } from "@lectern/model/organizations"
import { Effect } from "effect"
import { presentFile, presentReusableContent } from "../../views/content/FileView.ts"
import { presentPage } from "../../views/content/PageView.ts"
import { presentSpaceFor } from "../../views/spaces/SpaceView.ts"
import type { ResolvedContent } from "../content/ContentAccess.ts"
import { FileUrls } from "../content/FileUrls.ts"
import type { LinkGraph } from "./LinkGraphs.ts"

/** Creates the function that presents links of a revision. */
export const makePresenting = Effect.gen(function* () {
  const urls = yield* FileUrls
  const linkBase = yield* makeLinkBase

  /** Returns the functions that present places and targets of content. */
  const presenting = Effect.fnUntraced(function* (
    resolved: ResolvedContent,
    graph: LinkGraph,
    organization: Organization
  ) {
    const { space, caller, tree, appUrl } = resolved
    const inSpace = {
      organization,
      space: presentSpaceFor(yield* linkBase, caller, space)
    }
    const urlOf = yield* urls.in(space)

    const pageLocation = Effect.fnUntraced(function* (
      id: string,
      anchor: string
    ): Effect.fn.Return<PageLocation, StorageUnavailable> {
      const record = (yield* tree.page(id))!
      const placed = { id: PageId.make(id), page: record }
      return {
        kind: "page",
        ...inSpace,
        page: presentPage(
          { app: appUrl, metadata: true, conditions: true },
          placed,
          graph.pathOf.get(id) ?? "",
          []
        ),
        ...(anchor === "" ? {} : { internalLocation: { type: "anchor", anchor } as const })
      }
    })

    const targetLocation = Effect.fnUntraced(function* (
      target: Target
    ): Effect.fn.Return<ContentLocation, StorageUnavailable> {
      switch (target.kind) {
        case "page":
          return yield* pageLocation(target.page, target.anchor)
        case "file": {
          const id = FileId.make(target.file)
          return { kind: "file", ...inSpace, file: presentFile(urlOf, id, (yield* tree.file(id))!, {}) }
        }
        case "reusable-content": {
          const id = target.reusableContent as ReusableContentId
          const reusableContent = presentReusableContent(id, (yield* tree.reusableContent(id))!, {})
          return { kind: "reusable-content", ...inSpace, reusableContent }
        }
        default:
          return { kind: "url", url: urlOfTarget(target) }
      }
    })
    return { page: pageLocation, target: targetLocation }
  })

  return { presenting }
})
