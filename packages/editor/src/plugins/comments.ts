/** Comments on blocks and on selected text. They move with the text, and remain when it is removed. */
import type { Node } from "prosemirror-model"
import { type EditorState, Plugin, PluginKey } from "prosemirror-state"
import type { Mappable } from "prosemirror-transform"
import { Decoration, DecorationSet, type EditorView } from "prosemirror-view"
import { keyOf } from "../convert/writeBlocks.ts"
import type { CommentAnchor, CommentThread } from "../EditorBackend.ts"
import { readSelection } from "./reportedSelection.ts"

/** A comment with its place in the text; without one if the text was removed. */
export interface PlacedComment {
  readonly thread: CommentThread
  readonly from: number | undefined
  readonly to: number | undefined
}

type Action =
  | { readonly threads: ReadonlyArray<CommentThread> }
  | { readonly update: CommentThread }
  | { readonly shown: string | undefined }

interface CommentsState {
  readonly list: ReadonlyArray<PlacedComment>
  /** The id of the comment whose text is marked more strongly. */
  readonly shown: string | undefined
}

const key = new PluginKey<CommentsState>("lectern-comments")

const contextLength = 32

/** The maximum length of a quote: that of the server. */
const quoteLength = 1_000

/** The length of the preview of a block: that of the server. */
const previewLength = 200

interface Found {
  readonly node: Node
  readonly position: number
}

/** The text of a block as previews have it. */
const previewOf = (node: Node): string =>
  Array.from(node.textContent.replaceAll(/\s+/g, " ").trim()).slice(0, previewLength).join("")

const findNode = (doc: Node, matches: (node: Node) => boolean): Found | undefined => {
  let found: Found | undefined
  doc.descendants((node, position) => {
    if (found === undefined && node.isBlock && matches(node)) found = { node, position }
    return found === undefined && !node.isTextblock
  })
  return found
}

/**
 * Returns the block of a comment. Keys are positions in the document that was saved last, so a block whose text differs is only the
 * one of the comment if no other block has its text.
 */
const findBlock = (doc: Node, { block, preview }: CommentAnchor): Found | undefined => {
  const byKey = block === undefined ? undefined : findNode(doc, (node) => keyOf(node) === block)
  if (preview === undefined || (byKey !== undefined && previewOf(byKey.node) === preview)) return byKey
  return findNode(doc, (node) => previewOf(node) === preview) ?? byKey
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
  const block = findBlock(doc, anchor)
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
  const block = pathKey(state.doc, at)
  const preview = node === null ? "" : previewOf(node)
  const ofBlock = preview === "" ? { block } : { block, preview }
  if (position !== undefined || empty || node?.isTextblock !== true) return ofBlock
  const text = node.textBetween(0, node.content.size, "\n", "\ufffc")
  const start = from - at - 1
  const end = Math.min(to - at - 1, text.length, start + quoteLength)
  return {
    ...ofBlock,
    quote: {
      text: text.slice(start, end),
      before: text.slice(Math.max(0, start - contextLength), start),
      after: text.slice(end, end + contextLength)
    }
  }
}

/** Returns the comments with their places, in the order of the text. Comments on removed text are at the end. */
export const commentsOf = (state: EditorState): ReadonlyArray<PlacedComment> =>
  [...(key.getState(state)?.list ?? [])].sort(
    (one, other) => (one.from ?? Number.POSITIVE_INFINITY) - (other.from ?? Number.POSITIVE_INFINITY)
  )

/** Displays these comments. */
export const showComments = (view: EditorView, threads: ReadonlyArray<CommentThread>): void => {
  readSelection(view)
  view.dispatch(view.state.tr.setMeta(key, { threads } satisfies Action))
}

/** Displays a comment that was posted or changed. */
export const updateComment = (view: EditorView, thread: CommentThread): void =>
  view.dispatch(view.state.tr.setMeta(key, { update: thread } satisfies Action))

/** Marks the text of a comment more strongly, until another one is shown. */
export const showComment = (view: EditorView, shown: string | undefined): void =>
  view.dispatch(view.state.tr.setMeta(key, { shown } satisfies Action))

/** Maps the places of comments. Text that is moved is removed and inserted again, so it is searched. */
const mapComments = (
  list: ReadonlyArray<PlacedComment>,
  mapping: Mappable,
  doc: Node
): ReadonlyArray<PlacedComment> =>
  list.map((comment) => {
    if (comment.from === undefined || comment.to === undefined) return place(doc, comment.thread)
    const [from, to] = [mapping.map(comment.from, 1), mapping.map(comment.to, -1)]
    return from < to ? { ...comment, from, to } : place(doc, comment.thread)
  })

const apply = (state: CommentsState, action: Action, doc: Node): CommentsState => {
  if ("shown" in action) return { ...state, shown: action.shown }
  if ("threads" in action) return { ...state, list: action.threads.map((thread) => place(doc, thread)) }
  const { update } = action
  const known = state.list.find(({ thread }) => thread.id === update.id)
  const others = state.list.filter(({ thread }) => thread.id !== update.id)
  return {
    ...state,
    list: [...others, known === undefined ? place(doc, update) : { ...known, thread: update }]
  }
}

const decorationOf = (doc: Node, { thread, from, to }: PlacedComment, isShown: boolean): Decoration => {
  const node = doc.nodeAt(from!)
  const isBlock = node?.isBlock === true && from! + node.nodeSize === to
  const attributes = {
    class: `${isBlock ? "editor-commented-block" : "editor-commented"}${isShown ? " editor-comment-shown" : ""}`,
    "data-comment": thread.id
  }
  return isBlock ? Decoration.node(from!, to!, attributes) : Decoration.inline(from!, to!, attributes)
}

const decorationsOf = (doc: Node, { list, shown }: CommentsState): DecorationSet | null => {
  const visible = list.filter(({ thread, from }) => !thread.isResolved && from !== undefined)
  if (visible.length === 0) return null
  return DecorationSet.create(
    doc,
    visible.map((comment) => decorationOf(doc, comment, comment.thread.id === shown))
  )
}

/**
 * Creates the plugin of comments. `onSelect` is called with the comments at the cursor, `onChange` when comments or their places have
 * changed.
 */
export const comments = (onSelect: (threads: ReadonlyArray<string>) => void, onChange: () => void): Plugin =>
  new Plugin<CommentsState>({
    key,
    state: {
      init: () => ({ list: [], shown: undefined }),
      apply: (transaction, before, _, { doc }) => {
        const action = transaction.getMeta(key) as Action | undefined
        const state =
          transaction.docChanged && before.list.length > 0
            ? { ...before, list: mapComments(before.list, transaction.mapping, doc) }
            : before
        return action === undefined ? state : apply(state, action, doc)
      }
    },
    view: () => ({
      update: (view, before) => {
        if (key.getState(view.state) !== key.getState(before)) onChange()
      }
    }),
    props: {
      decorations: (state) => decorationsOf(state.doc, key.getState(state)!),
      handleClick: (view, position) => {
        const found = key
          .getState(view.state)!
          .list.filter(
            ({ from, to, thread }) =>
              !thread.isResolved && from !== undefined && from <= position && position <= to!
          )
        if (found.length > 0) onSelect(found.map(({ thread }) => thread.id))
        return false
      }
    }
  })
