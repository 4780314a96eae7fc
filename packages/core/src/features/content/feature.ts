/** What a workspace takes from the feature `content`. */

import { Effect, Layer } from "effect"
import { feature } from "../../kernel/features/Feature.ts"
import { housekeeping } from "../../kernel/jobs/housekeeping.ts"
import { revisions } from "../../model/content/Revision.ts"
import { ComputedPages } from "./ComputedPages.ts"
import { Content } from "./Content.ts"
import { ContentAccess } from "./ContentAccess.ts"
import { ContentStore } from "./ContentStore.ts"
import { blobScan, revisionScan } from "./checks/contentChecks.ts"
import { FileUrls } from "./FileUrls.ts"
import { Outlines, outlines } from "./outline/Outlines.ts"

/** The content of spaces and of change requests: versioned pages and files. */
export const contentFeature = feature("content", {
  tables: [revisions, outlines],
  userServices: { content: Content },
  layer: Content.layer.pipe(
    Layer.provideMerge([ContentAccess.layer, ComputedPages.layer, FileUrls.layer, Outlines.layer]),
    Layer.provideMerge(ContentStore.layer)
  ),
  scans: Effect.succeed([revisionScan, blobScan]),
  jobs: Effect.map(Content, (content) => [housekeeping("sweep", "24 hours", content.sweep)])
})
