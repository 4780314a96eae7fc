/** The options of a call through `fetch`. */
import type { CallOptions as SharedOptions } from "../CallOptions.ts"

/** How much of a request body was sent. */
export interface UploadProgress {
  /** The number of bytes that were sent. */
  readonly sentBytes: number
  /** The number of bytes of the body. */
  readonly totalBytes: number
}

/** Options of a single call. */
export interface CallOptions extends SharedOptions {
  /**
   * Called while a body is sent. Only browsers report progress, through `XMLHttpRequest`; elsewhere it is called once, after the
   * response has arrived.
   */
  readonly onUploadProgress?: (progress: UploadProgress) => void
}
