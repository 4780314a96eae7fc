/** Edits of Markdown by offset. */

import type { SourceRange } from "./SourceRanges.ts"
import { wellFormed } from "./syntax.ts"

interface TextEdit extends SourceRange {
  readonly text: string
}

/** Collects the edits of normalized Markdown and applies them to the Markdown as it is written. */
export class TextEdits {
  private readonly edits: Array<TextEdit> = []

  /** The number of edits, to which `truncate` can return. */
  get size(): number {
    return this.edits.length
  }

  /** Discards the edits after the first `size`. */
  truncate(size: number): void {
    this.edits.length = size
  }

  /** Replaces the text from `start` to `end`. */
  replace(start: number, end: number, text: string): void {
    this.edits.push({ start, end, text })
  }

  /** Inserts text. Insertions at the same offset are applied in their order, before a replacement there. */
  insert(offset: number, text: string): void {
    this.replace(offset, offset, text)
  }

  /** Deletes the text from `start` to `end`. */
  delete(start: number, end: number): void {
    this.replace(start, end, "")
  }

  /** Whether an edit replaces the whole range. */
  covers({ start, end }: SourceRange): boolean {
    return this.edits.some((edit) => edit.start <= start && edit.end >= end)
  }

  /** Returns Markdown with the edits, whose offsets refer to `wellFormed(markdown)`. */
  applyTo(markdown: string): string {
    const { originalOffset, lineEnding } = normalizationOf(markdown)
    const sorted = [...this.edits].sort((a, b) => a.start - b.start || a.end - b.end)
    let [text, at] = ["", 0]
    for (const edit of sorted) {
      const start = Math.max(at, originalOffset(edit.start))
      text += markdown.slice(at, start) + edit.text.replaceAll("\n", lineEnding)
      at = Math.max(at, originalOffset(edit.end))
    }
    return text + markdown.slice(at)
  }
}

/** Returns the line ending of Markdown, and converts offsets in the normalized Markdown to offsets in the Markdown. */
const normalizationOf = (markdown: string) => {
  const start = markdown.startsWith("\uFEFF") ? 1 : 0
  // The normalized offsets of line feeds that are two characters in the original.
  const pairs: Array<number> = []
  for (let at = markdown.indexOf("\r\n"); at >= 0; at = markdown.indexOf("\r\n", at + 2)) {
    pairs.push(at - start - pairs.length)
  }
  const isUnchanged = pairs.length === 0 && start === 0
  const originalOffset = (offset: number): number => {
    if (isUnchanged) return offset
    let [low, high] = [0, pairs.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (pairs[middle]! < offset) low = middle + 1
      else high = middle
    }
    return offset + start + low
  }
  const lines = wellFormed(markdown).split("\n").length - 1
  return { originalOffset, lineEnding: pairs.length * 2 > lines ? "\r\n" : "\n" }
}
