/** Plans the edits of the definitions and footnotes of Markdown. */
import type { JsonDocument } from "@lectern/model/document"
import { alignSequences } from "./alignSequences.ts"
import { annotationsOf, type LabeledBody } from "./annotations.ts"
import type { EditPlanner, EditSource } from "./EditPlanner.ts"
import type { SourceRange } from "./SourceRanges.ts"

/** A definition or a footnote. */
interface Labeled {
  readonly label: string
}

/**
 * Plans the edits of the definitions, the footnotes and the bodies of annotations, after the edits of the blocks. Definitions
 * in a replaced block, and new ones, are added at the end. Returns whether it is possible.
 */
export const planDefinitions = (source: EditSource, target: JsonDocument, planner: EditPlanner): boolean => {
  const { edits, writer } = planner
  const { identity, ranges, text } = source

  /** Deletes a definition with its line feed, and with one of two empty lines around it. */
  const deleteLines = ({ start, end }: SourceRange): void => {
    if (start > 0 && text[start - 1] !== "\n") {
      edits.delete(start, end)
      return
    }
    const isAfterEmptyLine = start === 0 || text.slice(start - 2, start) === "\n\n"
    const lineFeeds = (isAfterEmptyLine ? /^\n{0,2}/ : /^\n?/).exec(text.slice(end, end + 2))
    edits.delete(start, end + (lineFeeds?.[0].length ?? 0))
  }

  /** Plans the edits of definitions, which are paired by label. Returns those to add; undefined if it is not possible. */
  const editPairs = <A extends Labeled>(
    before: ReadonlyArray<A>,
    after: ReadonlyArray<A>,
    edit: (before: A, after: A, range: SourceRange) => boolean
  ): ReadonlyArray<A> | undefined => {
    const labels = (all: ReadonlyArray<A>) => all.map(({ label }) => identity.of({ label }))
    const added: Array<A> = []
    let [at, to] = [0, 0]
    for (const [a, b] of [
      ...alignSequences(labels(before), labels(after)),
      [before.length, after.length]
    ] as const) {
      added.push(...after.slice(to, b))
      for (; at < a; at++) {
        const range = ranges.of(before[at]!)
        if (range !== undefined && !edits.covers(range)) deleteLines(range)
      }
      const [one, other] = [before[a], after[b]]
      if (one !== undefined && other !== undefined) {
        const range = ranges.of(one)
        if (range === undefined || edits.covers(range)) added.push(other)
        else if (identity.of(one) !== identity.of(other) && !edit(one, other, range)) return undefined
      }
      at = a + 1
      to = b + 1
    }
    return added
  }

  /** Plans the edits of the bodies of annotations. Returns those to add; undefined if it is not possible. */
  const editAnnotations = (): ReadonlyArray<LabeledBody> | undefined => {
    const [before, after] = [annotationsOf(source.document), annotationsOf(target)]
    for (const key of before.keys()) {
      const range = ranges.ofAnnotation(key)
      if (!after.has(key) && range !== undefined && !edits.covers(range)) deleteLines(range)
    }
    const added: Array<LabeledBody> = []
    for (const [key, body] of after) {
      const [old, range] = [before.get(key), ranges.ofAnnotation(key)]
      if (old === undefined || range === undefined || edits.covers(range)) added.push(body)
      else if (!identity.areEqual(old.nodes, body.nodes)) {
        const prefix = writer.prefixAt(range.start)
        if (prefix === undefined) return undefined
        const [from, to] = [old, body].map((one) => writer.data({ footnotes: [one] }, prefix)) as [
          string,
          string
        ]
        planner.editRange(range, from, to)
      }
    }
    return added
  }

  const footnotes = editPairs(
    source.document.data.footnotes ?? [],
    target.data.footnotes ?? [],
    (before, after) => planner.editBlocks(before.nodes, after.nodes)
  )
  const definitions = editPairs(
    ownDefinitions(source.document),
    ownDefinitions(target),
    (_, after, range) => {
      edits.replace(range.start, range.end, writer.data({ definitions: [after] }))
      return true
    }
  )
  const annotations = editAnnotations()
  if (footnotes === undefined || definitions === undefined || annotations === undefined) return false
  if (footnotes.length + definitions.length + annotations.length > 0) {
    const added = writer.data({ footnotes: [...footnotes, ...annotations], definitions })
    edits.insert(endOfContent(text), `\n\n${added}`)
  }
  return true
}

/** The offset after the last character that is not whitespace in Markdown. */
const endOfContent = (text: string): number => {
  let end = text.length
  while (end > 0 && " \t\n".includes(text[end - 1]!)) end--
  return end
}

/** The definitions that are not in the text of a block. */
const ownDefinitions = ({ data }: JsonDocument) =>
  (data.definitions ?? []).filter(({ inText }) => inText !== true)
