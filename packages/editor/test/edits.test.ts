/** Edits in the editor change only the Markdown of the edited block; merges lose nothing. */

import { runs } from "@lectern/harness"
import { fromMarkdown, mergeTexts, SourceRanges, updateMarkdown } from "@lectern/markdown"
import fc from "fast-check"
import type { Node } from "prosemirror-model"
import { EditorState } from "prosemirror-state"
import { describe, expect, it } from "vitest"
import { page } from "../../markdown/test/support/pages.ts"
import { applyEdit, randomEdit } from "../../markdown/test/support/randomEdits.ts"
import type { DocumentNode } from "../src/convert/json.ts"
import { fromDocument, toDocument } from "../src/convert.ts"
import { markdownOfBlocks } from "../src/markdown.ts"
import type { Document } from "../src/model.ts"
import { contentKey, mergeBlocks } from "../src/saving/mergeDocuments.ts"

const nodesOf = (document: Document): ReadonlyArray<DocumentNode> =>
  document.nodes as unknown as ReadonlyArray<DocumentNode>

/** The positions in the text of a node, after its first character. */
const textPositions = (root: Node): ReadonlyArray<number> => {
  const positions: Array<number> = []
  root.descendants((node, position) => {
    if (node.isText && node.text!.length > 1 && /^\p{L}+/u.test(node.text!)) positions.push(position + 1)
  })
  return positions
}

const changedRange = (before: string, after: string) => {
  let start = 0
  while (start < before.length && before[start] === after[start]) start++
  let end = before.length
  const surplus = after.length - before.length
  while (end > start && end + surplus > start && before[end - 1] === after[end + surplus - 1]) end--
  return { start, end }
}

describe("an edit of text", () => {
  it("keeps the order of marks of the other words in its block, also if the same marks have two orders", () => {
    const before = fromMarkdown("**_one_** word _**two**_ and ***three***\n")
    const root = fromDocument(before)
    const state = EditorState.create({ doc: root })
    const edited = toDocument(state.apply(state.tr.insertText("new ", 5)).doc)
    const leavesOf = (document: Document) =>
      nodesOf(document)[0]!.nodes!.flatMap(({ leaves = [] }) =>
        leaves.flatMap(({ text, marks }) =>
          marks.length === 2 ? [[text, marks.map(({ type }) => type)]] : []
        )
      )
    expect(leavesOf(before).length).toBe(3)
    expect(leavesOf(edited)).toEqual(leavesOf(before))
  })

  it("leaves the other blocks the same objects, and their bytes in Markdown unchanged", () => {
    fc.assert(
      fc.property(page, fc.nat(), (markdown, choice) => {
        const ranges = new SourceRanges()
        const before = fromMarkdown(markdown, ranges)
        const root = fromDocument(before)
        const positions = textPositions(root)
        fc.pre(positions.length > 0)
        const state = EditorState.create({ doc: root })
        const position = positions[choice % positions.length]!
        const index = state.doc.resolve(position).index(0)
        fc.pre(index < before.nodes.length)
        const edited = toDocument(state.apply(state.tr.insertText("x", position)).doc)
        for (const [at, node] of before.nodes.entries()) {
          if (at !== index) expect(edited.nodes[at]).toBe(node)
        }
        expect(edited.nodes[index]).not.toEqual(before.nodes[index])
        const updated = updateMarkdown(markdown, edited)
        const changed = changedRange(markdown, updated)
        const range = ranges.of(before.nodes[index]!)!
        // The notes of annotations are written at the end of the page.
        if (JSON.stringify(before.nodes[index]).includes('"annotation"')) return
        expect(changed.start).toBeGreaterThanOrEqual(range.start)
        expect(changed.end).toBeLessThanOrEqual(range.end)
      }),
      runs(30)
    )
  })
})

const engine = {
  fromMarkdown: (text: string) => nodesOf(fromMarkdown(text)),
  toMarkdown: markdownOfBlocks,
  mergeTexts
}

const keysOf = (nodes: ReadonlyArray<DocumentNode>): ReadonlyArray<string> =>
  nodes.map((node) => contentKey(node))

describe("a merge", () => {
  it("is the version of the one who changed the document, if the other one did not", () => {
    fc.assert(
      fc.property(page, randomEdit, (markdown, edit) => {
        const base = fromMarkdown(markdown)
        const edited = applyEdit(base, edit)?.document
        fc.pre(edited !== undefined)
        const [old, now] = [nodesOf(base), nodesOf(edited!)]
        const result = (mine: ReadonlyArray<DocumentNode>, theirs: ReadonlyArray<DocumentNode>) => {
          const parts = mergeBlocks(engine, old, mine, theirs)
          expect(parts.filter(({ conflict }) => conflict !== undefined)).toEqual([])
          return keysOf(parts.flatMap(({ blocks, from, to }) => blocks ?? mine.slice(from, to)))
        }
        expect(result(now, old)).toEqual(keysOf(now))
        expect(result(old, now)).toEqual(keysOf(now))
        expect(result(now, now)).toEqual(keysOf(now))
      }),
      runs(25)
    )
  })

  it("of changes of different blocks has both, without a conflict; of the same block, both versions remain", () => {
    fc.assert(
      fc.property(page, randomEdit, randomEdit, (markdown, one, other) => {
        const base = fromMarkdown(markdown)
        const [mine, theirs] = [applyEdit(base, one), applyEdit(base, other)]
        fc.pre(mine !== undefined && theirs !== undefined)
        const [old, myNodes, theirNodes] = [nodesOf(base), nodesOf(mine!.document), nodesOf(theirs!.document)]
        const parts = mergeBlocks(engine, old, myNodes, theirNodes)
        const merged = parts.flatMap(({ blocks, from, to }) => blocks ?? myNodes.slice(from, to))
        const hasConflict = parts.some(({ conflict }) => conflict !== undefined)
        const isApart = Math.abs(mine!.index - theirs!.index) > 1
        const isReplaced = [mine!, theirs!].every(
          ({ document }) => document.nodes.length === base.nodes.length
        )
        if (isApart && isReplaced) {
          expect(hasConflict).toBe(false)
          expect(contentKey(merged[mine!.index])).toBe(contentKey(myNodes[mine!.index]))
          expect(contentKey(merged[theirs!.index])).toBe(contentKey(theirNodes[theirs!.index]))
        }
        // A conflict has the blocks of the other version, and the blocks of the writer remain in the text.
        for (const { conflict, blocks } of parts) if (conflict !== undefined) expect(blocks).toBeUndefined()
      }),
      runs(25)
    )
  })
})
