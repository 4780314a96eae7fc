/** The manifest of the feature `content`. */

import { Effect, Layer } from "effect"
import { defineFeature } from "../../kernel/features/Feature.ts"
import { housekeepingJob } from "../../kernel/jobs/housekeepingJob.ts"
import { revisionEvents } from "../../model/content/contentResources.ts"
import { revisions } from "../../model/content/Revision.ts"
import { ComputedPages } from "./ComputedPages.ts"
import { Content } from "./Content.ts"
import { ContentAccess } from "./ContentAccess.ts"
import { ContentStore } from "./ContentStore.ts"
import { chunkedBlobScan } from "./checks/chunkedBlobChecks.ts"
import { blobScan, revisionScan } from "./checks/contentChecks.ts"
import { FileUrls } from "./FileUrls.ts"
import { Outlines, outlines } from "./outline/Outlines.ts"

/** The content of spaces and of change requests: versioned pages and files. */
export const contentFeature = defineFeature("content", {
  tables: [revisions, outlines],
  events: [revisionEvents],
  userServices: { content: Content },
  layer: Content.layer.pipe(
    Layer.provideMerge([ContentAccess.layer, ComputedPages.layer, FileUrls.layer, Outlines.layer]),
    Layer.provideMerge(ContentStore.layer)
  ),
  scans: Effect.succeed([revisionScan, chunkedBlobScan, blobScan]),
  jobs: Effect.map(Content, (content) => [housekeepingJob("sweep", "24 hours", content.sweep)])
})
