import { blobScan, chunkedBlobScan, revisionScan, uploadScan } from "@lectern/content"
import { defineFeature, housekeepingJob } from "@lectern/kernel"
import { archivedPages, pageMoves, revisionEvents, revisions } from "@lectern/kernel/tables"
import { Effect, Layer } from "effect"
import { archivedPageSubscriptions } from "./ArchivedPages.ts"
import { ComputedPages } from "./ComputedPages.ts"
import { ContentAccess } from "./ContentAccess.ts"
import { ContentStore } from "./ContentStore.ts"
import { FileUrls } from "./FileUrls.ts"
import { Outlines, outlines } from "./Outlines.ts"
import { PageMoves } from "./PageMoves.ts"
import { publishedSpecsLayer } from "./publishedSpecsLayer.ts"
import { Content } from "./services/Content.ts"
import { Documents } from "./services/Documents.ts"
import { ReferencedSpecs } from "./services/ReferencedSpecs.ts"
import { Revisions } from "./services/Revisions.ts"

/** The content of spaces and of change requests: versioned pages and files. */
export const contentFeature = defineFeature("content", {
  uses: ["openapi-specs"],
  tables: [revisions, outlines, pageMoves, archivedPages],
  events: [revisionEvents],
  userServices: {
    content: Content,
    revisions: Revisions,
    documents: Documents,
    referencedSpecs: ReferencedSpecs
  },
  layer: Layer.mergeAll(
    Content.layer,
    Revisions.layer,
    Documents.layer,
    ReferencedSpecs.layer,
    publishedSpecsLayer
  ).pipe(
    Layer.provideMerge([
      ContentAccess.layer,
      ComputedPages.layer,
      FileUrls.layer,
      Outlines.layer,
      PageMoves.layer
    ]),
    Layer.provideMerge(ContentStore.layer)
  ),
  scans: Effect.succeed([revisionScan, uploadScan, chunkedBlobScan, blobScan]),
  subscriptions: Effect.map(
    Effect.all([PageMoves, archivedPageSubscriptions]),
    ([{ subscriptions }, archived]) => [...subscriptions, ...archived]
  ),
  // The content of removed revisions is deleted a day after them, so that no request in progress reads it.
  jobs: Effect.map(Content, (content) => [
    housekeepingJob("sweep", "24 hours", Effect.andThen(content.sweep, content.expireRevisions)),
    housekeepingJob("replaced revisions", "1 hour", content.removeReplaced),
    housekeepingJob("content bytes", "1 hour", content.countSpaces)
  ])
})
