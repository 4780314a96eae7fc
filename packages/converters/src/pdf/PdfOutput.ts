/** Writes the bytes of a document in large blocks while it is rendered. The chunks of pdfkit are many and small. */
import type { Flow } from "./Flow.ts"

/** The size of all blocks except for the last, in bytes. */
const blockSize = 1024 * 1024

/** The maximum size of a PDF, in bytes. */
const maximumPdfBytes = 64 * 1024 * 1024

/** The PDF of a book exceeds the size limit of 64 MB. The message can be shown to users. */
export class PdfTooLarge extends Error {}

/** The output of a document. */
export class PdfOutput {
  private readonly flow: Flow
  private readonly write: (block: Uint8Array) => void | Promise<void>
  private block = new Uint8Array(blockSize)
  private used = 0
  private full: Array<Uint8Array> = []
  private size = 0

  /** A block is not used after it is written, so that it can be transferred to another thread. */
  constructor(flow: Flow, write: (block: Uint8Array) => void | Promise<void>) {
    this.flow = flow
    this.write = write
    flow.document.on("data", (chunk: Uint8Array) => this.add(chunk))
  }

  private add(chunk: Uint8Array): void {
    this.size += chunk.length
    let from = 0
    while (from < chunk.length) {
      const part = chunk.subarray(from, from + blockSize - this.used)
      this.block.set(part, this.used)
      from += part.length
      this.used += part.length
      if (this.used < blockSize) return
      this.full.push(this.block)
      this.block = new Uint8Array(blockSize)
      this.used = 0
    }
  }

  /** Waits until the stream has emitted all chunks, and writes complete blocks. Throws `PdfTooLarge`. */
  async flush(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve))
    if (this.size > maximumPdfBytes)
      throw new PdfTooLarge(
        `The PDF of this content is larger than ${maximumPdfBytes / 1024 / 1024} MB. Export a part of it: one page, or the pages below one.`
      )
    const { full } = this
    this.full = []
    for (const block of full) await this.write(block)
  }

  /** Completes the document and writes the rest. */
  async finish(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.flow.document.on("end", () => resolve())
      this.flow.document.on("error", reject)
      this.flow.finish()
    })
    await this.flush()
    await this.write(this.block.slice(0, this.used))
  }
}
