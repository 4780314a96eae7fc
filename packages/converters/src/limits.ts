/** How much CPU time conversions may use. */

/** The most milliseconds of CPU time of one task, by its kind. */
export interface CpuLimits {
  /** A PDF. */
  readonly pdf: number
  /** A web page, a Markdown text, a sitemap, or the outline of a page: parsing some takes quadratic time. */
  readonly page: number
  /** A zip archive or a docx document, whose size is bounded. */
  readonly archive: number
  /** A document of an OpenAPI spec. */
  readonly spec: number
}

/** The limits where a host sets no others. */
export const defaultCpuLimits: CpuLimits = { pdf: 60_000, page: 10_000, archive: 60_000, spec: 60_000 }

/** A limit in a message, as in `more than 10 s of CPU time`. */
export const moreThanCpu = (cpuMs: number): string => `more than ${cpuMs / 1000} s of CPU time`

/** A limit in a message, as in `more than 1024 MB of memory`. */
export const moreThanMemory = (memoryMb: number): string => `more than ${memoryMb} MB of memory`
