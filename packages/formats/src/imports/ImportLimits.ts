/** The limits of imports that a host can set. */

import { bounds } from "@lectern/model/imports"
import { Context } from "effect"

/** The limits of one import. */
export interface ImportLimitsSettings {
  /** The maximum number of pages of an archive. An archive with more pages is rejected. */
  readonly archivePages: number
  /** The maximum transfer size of an archive, in bytes. A larger archive is rejected. */
  readonly archiveBytes: number
  /** The maximum number of pages of a website. Further pages are omitted, and listed in the report of the run. */
  readonly websitePages: number
}

/** The limits of imports: by default 10,000 pages and 64 MiB of an archive, and 500 pages of a website. */
export const ImportLimits = Context.Reference<ImportLimitsSettings>("@lectern/core/ImportLimits", {
  defaultValue: () => ({
    archivePages: bounds.archivePages,
    archiveBytes: bounds.archiveBytes,
    websitePages: bounds.websitePages
  })
})
