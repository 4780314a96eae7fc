/** The limits of exports. */
import { Context } from "effect"

/** The limits of the archives that a process produces. */
export interface ExportLimitsSettings {
  /** The number of archives that are produced at the same time, of all organizations. */
  readonly concurrent: number
  /** The number of archives that are produced or wait, of all organizations. */
  readonly unfinished: number
  /**
   * The number of archives of one organization that are produced or wait. They are produced one after the other, so that the others
   * remain for other organizations.
   */
  readonly unfinishedPerOrganization: number
  /** The number of archives of one organization that are stored. Beyond it, the oldest is deleted. */
  readonly storedPerOrganization: number
  /** How long an archive is stored, in milliseconds. It must be below 12 hours, after which garbage collection deletes it. */
  readonly storedMillis: number
  /** How long a download waits for the first bytes, in milliseconds. */
  readonly waitMillis: number
  /** How long an archive without a download continues to be produced, in milliseconds. */
  readonly graceMillis: number
}

/**
 * The limits of exports: by default, 2 archives are produced at the same time, and 32 are produced or wait, 4 of them of one
 * organization. Archives are stored for 3 hours, at most 10 of one organization.
 */
export const ExportLimits = Context.Reference<ExportLimitsSettings>("@lectern/core/ExportLimits", {
  defaultValue: () => ({
    concurrent: 2,
    unfinished: 32,
    unfinishedPerOrganization: 4,
    storedPerOrganization: 10,
    storedMillis: 3 * 60 * 60 * 1000,
    waitMillis: 60_000,
    graceMillis: 5_000
  })
})
