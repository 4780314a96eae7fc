/** Comments on blocks and on selected text. They move with the text, and remain when it is removed. */
import type { Node } from "prosemirror-model"
import { type EditorState, Plugin, PluginKey } from "prosemirror-state"
import { Decoration, DecorationSet, type EditorView } from "prosemirror-view"
import type { EditorContext } from "../context.ts"
import { keyOf } from "../convert/writeBlocks.ts"
import type { CommentAnchor, CommentThread } from "../EditorBackend.ts"

/** A comment with its place in the text; without one if the text was removed. */
export interface PlacedComment {
  readonly thread: CommentThread
  readonly from: number | undefined
  readonly to: number | undefined
}

type Action = { readonly threads: ReadonlyArray<CommentThread> } | { readonly update: CommentThread }

const key = new PluginKey<ReadonlyArray<PlacedComment>>("lectern-comments")

const contextLength = 32

interface Found {
  readonly node: Node
  readonly position: number
}

const findBlock = (doc: Node, block: string): Found | undefined => {
  let found: Found | undefined
  doc.descendants((node, position) => {
    if (found === undefined && node.isBlock && keyOf(node) === block) found = { node, position }
    return found === undefined && !node.isTextblock
  })
  return found
}

/** Returns the place of a quote in a block: the occurrence whose surroundings match best. */
const findQuote = (
  { node, position }: Found,
  quote: NonNullable<CommentAnchor["quote"]>
): readonly [number, number] | undefined => {
  const text = node.textBetween(0, node.content.size, "\n", "\ufffc")
  if (!node.isTextblock || quote.text === "") return undefined
  let best: { readonly at: number; readonly score: number } | undefined
  for (let at = text.indexOf(quote.text); at >= 0; at = text.indexOf(quote.text, at + 1)) {
    const score =
      Number(text.slice(0, at).endsWith(quote.before)) +
      Number(text.slice(at + quote.text.length).startsWith(quote.after))
    if (best === undefined || score > best.score) best = { at, score }
  }
  return best === undefined ? undefined : [position + 1 + best.at, position + 1 + best.at + quote.text.length]
}

/** Returns the place of a comment in a document. */
export const placeOf = (doc: Node, anchor: CommentAnchor): readonly [number, number] | undefined => {
  const block = anchor.block === undefined ? undefined : findBlock(doc, anchor.block)
  if (anchor.quote === undefined) return block && [block.position, block.position + block.node.nodeSize]
  const quoted = block === undefined ? undefined : findQuote(block, anchor.quote)
  if (quoted !== undefined) return quoted
  // The text was moved to another block, or the block has another key since.
  let found: readonly [number, number] | undefined
  doc.descendants((node, position) => {
    if (found === undefined && node.isTextblock) found = findQuote({ node, position }, anchor.quote!)
    return found === undefined && !node.isTextblock
  })
  return found
}

const place = (doc: Node, thread: CommentThread): PlacedComment => {
  const found = placeOf(doc, thread.anchor)
  return { thread, from: found?.[0], to: found?.[1] }
}

/** Returns the key that a block has in the saved document: the path of its indexes. */
const pathKey = (doc: Node, position: number): string => {
  const $position = doc.resolve(position)
  return Array.from({ length: $position.depth + 1 }, (_, depth) => $position.index(depth)).join(".")
}

/** Returns the anchor of a comment on the selected text, or on the block at a position. */
export const anchorOf = (state: EditorState, position?: number): CommentAnchor => {
  const { $from, from, to, empty } = state.selection
  const at = position ?? $from.before(Math.max(1, $from.depth))
  const node = state.doc.nodeAt(at)
  const block = (node === null ? undefined : keyOf(node)) ?? pathKey(state.doc, at)
  if (position !== undefined || empty || node?.isTextblock !== true) return { block }
  const text = node.textBetween(0, node.content.size, "\n", "\ufffc")
  const [start, end] = [from - at - 1, Math.min(to - at - 1, text.length)]
  return {
    block,
    quote: {
      text: text.slice(start, end),
      before: text.slice(Math.max(0, start - contextLength), start),
      after: text.slice(end, end + contextLength)
    }
  }
}

/** Returns the comments with their places, in the order of the text. Comments on removed text are at the end. */
export const commentsOf = (state: EditorState): ReadonlyArray<PlacedComment> =>
  [...(key.getState(state) ?? [])].sort(
    (one, other) => (one.from ?? Number.POSITIVE_INFINITY) - (other.from ?? Number.POSITIVE_INFINITY)
  )

/** Displays these comments. */
export const showComments = (view: EditorView, threads: ReadonlyArray<CommentThread>): void =>
  view.dispatch(view.state.tr.setMeta(key, { threads } satisfies Action))

/** Displays a comment that was posted or changed. */
export const updateComment = (view: EditorView, thread: CommentThread): void =>
  view.dispatch(view.state.tr.setMeta(key, { update: thread } satisfies Action))

/** Creates the plugin of comments. `onSelect` is called with the comments at the cursor. */
export const comments = (
  _context: EditorContext,
  onSelect: (threads: ReadonlyArray<string>) => void
): Plugin =>
  new Plugin<ReadonlyArray<PlacedComment>>({
    key,
    state: {
      init: () => [],
      apply: (transaction, list, _, state) => {
        const action = transaction.getMeta(key) as Action | undefined
        const mapped = transaction.docChanged
          ? list.map((comment): PlacedComment => {
              if (comment.from === undefined || comment.to === undefined)
                return place(state.doc, comment.thread)
              const [from, to] = [
                transaction.mapping.map(comment.from, 1),
                transaction.mapping.map(comment.to, -1)
              ]
              if (from < to) return { ...comment, from, to }
              // Text that is moved is removed and inserted again.
              return place(state.doc, comment.thread)
            })
          : list
        if (action === undefined) return mapped
        if ("threads" in action) return action.threads.map((thread) => place(state.doc, thread))
        const others = mapped.filter(({ thread }) => thread.id !== action.update.id)
        const known = mapped.find(({ thread }) => thread.id === action.update.id)
        return [
          ...others,
          known === undefined ? place(state.doc, action.update) : { ...known, thread: action.update }
        ]
      }
    },
    props: {
      decorations: (state) => {
        const list = (key.getState(state) ?? []).filter(
          ({ thread, from }) => !thread.isResolved && from !== undefined
        )
        if (list.length === 0) return null
        return DecorationSet.create(
          state.doc,
          list.map(({ thread, from, to }) => {
            const node = state.doc.nodeAt(from!)
            const isBlock = node?.isBlock === true && from! + node.nodeSize === to
            const attributes = {
              class: isBlock ? "editor-commented-block" : "editor-commented",
              "data-comment": thread.id
            }
            return isBlock
              ? Decoration.node(from!, to!, attributes)
              : Decoration.inline(from!, to!, attributes)
          })
        )
      },
      handleClick: (view, position) => {
        const found = (key.getState(view.state) ?? []).filter(
          ({ from, to, thread }) =>
            !thread.isResolved && from !== undefined && from <= position && position <= to!
        )
        if (found.length > 0) onSelect(found.map(({ thread }) => thread.id))
        return false
      }
    }
  })
