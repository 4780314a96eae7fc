/** Operations that return the whole content and its changes. */

import { Operations } from "@lectern/access"
import { emptyRoot, sizeOfRevision } from "@lectern/content"
import { type BlobHash, makeLinkBase } from "@lectern/kernel"
import { baseOf, changeRequests } from "@lectern/kernel/tables"
import type { Revision } from "@lectern/model/content"
import {
  ChangesQuery,
  ContentOf,
  ContentOptions,
  defaultChanges,
  type SemanticChanges
} from "@lectern/model/content"
import { Effect } from "effect"
import { presentChangeRequest } from "../../../views/change-requests/ChangeRequestView.ts"
import { presentFile, presentReusableContent } from "../../../views/content/FileView.ts"
import { ContentAccess, type ResolvedContent } from "../ContentAccess.ts"
import { ContentStore } from "../ContentStore.ts"
import { changesBetween } from "../changesBetween.ts"
import { FileUrls } from "../FileUrls.ts"
import { presentationOf } from "../storedPages.ts"
import { makeVisibleParts } from "../visibleContent.ts"
import { makeFileLists, type Presentation } from "./contentPresentation.ts"

/** The change request whose merge created the revision. */
const mergedFrom = Effect.fnUntraced(function* (
  linkBase: Effect.Effect<string>,
  { space, revision, visitor, grant: { records } }: ResolvedContent
) {
  if (revision.mergedFrom === null || visitor !== undefined) return {}
  const row = (yield* records.get(changeRequests, { id: revision.mergedFrom }))!
  return { mergedFrom: yield* presentChangeRequest(records, yield* linkBase, space, row) }
})

/** Creates the operations on the content as a revision. */
export const makeRevisions = Effect.fnUntraced(function* ({
  computedIn,
  rendered,
  presentTree
}: Presentation) {
  const { query } = yield* Operations
  const access = yield* ContentAccess
  const store = yield* ContentStore
  const urls = yield* FileUrls
  const linkBase = yield* makeLinkBase
  const visibleParts = makeVisibleParts(store)
  const { filesOf } = yield* makeFileLists

  /** Presents the whole content as a revision. */
  const presentRevision = Effect.fnUntraced(function* (resolved: ResolvedContent, options: ContentOptions) {
    const { revision, appUrl, tree, visitor } = resolved
    const { pages } = yield* presentTree(resolved, options)
    const parts = yield* visibleParts(resolved)
    const reusableContents = (yield* tree.reusableContents).filter(
      ([id]) => parts === undefined || parts.reusableContents.has(id)
    )
    return {
      object: "revision",
      id: revision.id,
      type: revision.type,
      // Visitors cannot read earlier revisions, nor the git repository.
      parents: visitor === undefined ? revision.parents : [],
      pages,
      tags: [],
      files: yield* presentFiles(resolved, options),
      reusableContents: reusableContents.map(([id, record]) =>
        presentReusableContent(id, record, presentationOf(resolved, options))
      ),
      createdAt: revision.createdAt,
      ...(revision.git === null || !presentationOf(resolved, options).metadata ? {} : { git: revision.git }),
      urls: { app: appUrl }
    } satisfies Revision
  })

  const presentFiles = Effect.fnUntraced(function* (resolved: ResolvedContent, options: ContentOptions) {
    const urlOf = yield* urls.in(resolved.space)
    return (yield* filesOf(resolved)).map(([id, file]) =>
      presentFile(urlOf, id, file, presentationOf(resolved, options))
    )
  })

  return {
    getRevision: query(
      "Content.getRevision",
      { parameters: { content: ContentOf, input: ContentOptions }, authorize: access.allowPublished },
      function* ({ input }, resolved) {
        const merged = yield* mergedFrom(linkBase, resolved)
        const { version } = yield* computedIn(resolved, input)
        return yield* rendered.get(
          [
            "revision",
            resolved.revision.id,
            presentationOf(resolved, input),
            merged,
            version,
            resolved.visitor?.contextId,
            yield* urls.viewer(resolved.space)
          ],
          Effect.map(presentRevision(resolved, input), (revision): Revision => ({ ...revision, ...merged })),
          sizeOfRevision
        )
      }
    ),

    listChanges: query(
      "Content.listChanges",
      { parameters: { content: ContentOf, input: ChangesQuery }, authorize: access.allow("read") },
      function* ({ input: { limit = defaultChanges } }, resolved) {
        const { space, changeRequest, revision } = resolved
        const from = changeRequest === undefined ? revision.parents[0] : baseOf(changeRequest)
        const before: BlobHash =
          from === undefined
            ? emptyRoot
            : yield* access.revisionOf(resolved.records, space.id, from).pipe(
                Effect.map(({ root }) => root),
                // Retention has removed it since the revision was cached.
                Effect.catchTag("NotFound", () => Effect.succeed(emptyRoot))
              )
        const urlOf = yield* urls.in(space)
        const changes = yield* changesBetween(store, before, revision.root, urlOf)
        return {
          ...(yield* mergedFrom(linkBase, resolved)),
          changes: changes.slice(0, limit),
          ...(changes.length > limit ? { more: changes.length - limit } : {})
        } satisfies SemanticChanges
      }
    )
  }
})
