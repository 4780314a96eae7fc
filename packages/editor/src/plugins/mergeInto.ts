/** Merges a document of another person, or of another tab, into the text. */
import type { EditorView } from "prosemirror-view"
import type { DocumentNode } from "../convert/json.ts"
import { toDocument } from "../convert.ts"
import type { Document } from "../model.ts"
import { mergeData } from "../saving/mergeData.ts"
import { contentKey, mergeBlocks } from "../saving/mergeDocuments.ts"
import type { JsonObject } from "../schema/attributes.ts"
import { applyMerge } from "./conflicts.ts"
import { applyData } from "./documentData.ts"
import type { MarkdownView } from "./MarkdownView.ts"

const nodesOf = ({ nodes }: Document): ReadonlyArray<DocumentNode> =>
  nodes as unknown as ReadonlyArray<DocumentNode>

const dataOf = ({ data }: Document): JsonObject => data as unknown as JsonObject

/** Merges the change from one document to another into the text. Returns the number of conflicts. */
export const mergeInto = async (
  view: EditorView,
  markdownView: MarkdownView,
  base: Document,
  current: Document
): Promise<number> => {
  const { fromMarkdown, mergeTexts, markdownOfBlocks } = await import("../markdown.ts")
  const engine = {
    fromMarkdown: (text: string) => nodesOf(fromMarkdown(text)),
    toMarkdown: markdownOfBlocks,
    mergeTexts
  }
  // The Markdown that is displayed must not replace the merged blocks.
  markdownView.flush()
  const mine = toDocument(view.state.doc)
  const count = applyMerge(view, mergeBlocks(engine, nodesOf(base), nodesOf(mine), nodesOf(current)))
  const data = mergeData(dataOf(base), dataOf(mine), dataOf(current))
  if (contentKey(data) !== contentKey(mine.data)) applyData(view, { ...mine, data } as unknown as Document)
  markdownView.refresh()
  return count
}
