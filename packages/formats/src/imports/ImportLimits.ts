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

/** Returns the maximum size of the files of an archive, in bytes: twice its transfer size, and at least 128 MiB. */
export const unpackedLimit = ({ archiveBytes }: Pick<ImportLimitsSettings, "archiveBytes">): number =>
  Math.max(bounds.unpackedBytes, 2 * archiveBytes)

/** The limits of imports: by default 10,000 pages and 64 MiB of an archive, and 500 pages of a website. */
export const ImportLimits = Context.Reference<ImportLimitsSettings>("@lectern/core/ImportLimits", {
  defaultValue: () => ({
    archivePages: bounds.archivePages,
    archiveBytes: bounds.archiveBytes,
    websitePages: bounds.websitePages
  })
})
