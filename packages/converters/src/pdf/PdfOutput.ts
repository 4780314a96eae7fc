/** Writes the bytes of a document in large blocks while it is rendered. The chunks of pdfkit are many and small. */
import type { Flow } from "./Flow.ts"
import { PdfTooLarge } from "./PdfTooLarge.ts"
import { redirectOutput } from "./pdfkit.ts"

/** The size of all blocks except for the last, in bytes. */
const blockSize = 1024 * 1024

/** The maximum size of a PDF, in bytes. */
const maximumPdfBytes = 64 * 1024 * 1024

/** The output of a document. */
export class PdfOutput {
  private readonly flow: Flow
  private readonly write: (block: Uint8Array) => void | Promise<void>
  private block = new Uint8Array(blockSize)
  private blockText = Buffer.from(this.block.buffer)
  private used = 0
  private full: Array<Uint8Array> = []
  private size = 0

  /** A block is not used after it is written, so that it can be transferred to another thread. */
  constructor(flow: Flow, write: (block: Uint8Array) => void | Promise<void>) {
    this.flow = flow
    this.write = write
    redirectOutput(flow.document, {
      addBytes: (bytes) =>
        this.add(bytes.length, (from, length) =>
          this.block.set(bytes.subarray(from, from + length), this.used)
        ),
      addText: (text) =>
        this.add(text.length, (from, length) =>
          this.blockText.write(text.slice(from, from + length), this.used, "latin1")
        )
    })
  }

  /** Adds bytes. `copy` copies a range of them to the block. */
  private add(length: number, copy: (from: number, length: number) => void): void {
    this.size += length
    let from = 0
    while (from < length) {
      const part = Math.min(length - from, blockSize - this.used)
      copy(from, part)
      from += part
      this.used += part
      if (this.used < blockSize) return
      this.full.push(this.block)
      this.block = new Uint8Array(blockSize)
      this.blockText = Buffer.from(this.block.buffer)
      this.used = 0
    }
  }

  /** Writes complete blocks. Throws `PdfTooLarge`. */
  async flush(): Promise<void> {
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
    this.flow.finish()
    await this.flush()
    await this.write(this.block.slice(0, this.used))
  }
}
