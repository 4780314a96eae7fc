/** CPU limits of conversions, and how messages name limits. */

/** The maximum CPU time of one task in milliseconds, by kind of task. */
export interface CpuLimits {
  /** A PDF. */
  readonly pdf: number
  /** A web page, a Markdown document or a sitemap of an import. The worst case of parsing is quadratic. */
  readonly page: number
  /**
   * The outline or the document of a page that is saved or read. Its Markdown is not parsed if it is expensive, so that this
   * limit applies to defects only: a result that depends on the speed of the machine is not reproducible.
   */
  readonly text: number
  /** A zip archive or a docx document, whose size is bounded. */
  readonly archive: number
  /** A document of an OpenAPI spec. */
  readonly spec: number
}

/** The limits that apply unless a host sets others. */
export const defaultCpuLimits: CpuLimits = {
  pdf: 60_000,
  page: 10_000,
  text: 3000,
  archive: 60_000,
  spec: 60_000
}

/** Formats a limit for a message, such as `more than 10 s of CPU time`. */
export const moreThanCpu = (cpuMs: number): string => `more than ${cpuMs / 1000} s of CPU time`

/** Formats a limit for a message, such as `more than 1024 MB of memory`. */
export const moreThanMemory = (memoryMb: number): string => `more than ${memoryMb} MB of memory`
