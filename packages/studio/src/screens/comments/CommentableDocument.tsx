/** A document for reading, with the comments on its blocks in the margin. */
import type { Comment, JSONDocumentEncoded } from "@lectern/client/fetch"
import { useEffect, useRef, useState } from "react"
import { useActions } from "../../actions/actions.ts"
import { Button } from "../../components/Button.tsx"
import { Block } from "../../document/Blocks.tsx"
import { blocksOf, DocumentFrame, DocumentView } from "../../document/DocumentView.tsx"
import type { BlockNode } from "../../document/nodes.ts"
import { MessageSquare, MessageSquarePlus } from "../../icons/icons.gen.ts"
import { useStrings } from "../../strings/strings.ts"
import { type Anchor, anchorOfBlock, anchorOfWords, commentsByBlock } from "./anchors.ts"
import { highlightQuotes } from "./quoteRanges.ts"
import { commentsStrings } from "./strings.ts"
import "./comments.css"

/** Properties of {@link CommentableDocument}. */
export interface CommentableDocumentProps {
  readonly document: JSONDocumentEncoded | undefined
  /** The open comments on the page. */
  readonly comments: ReadonlyArray<Comment>
  readonly canComment: boolean
  /** The id of the page. */
  readonly page: string
  /** Begins a comment on a block, or on words of it. */
  readonly onComment: (anchor: Anchor) => void
  /** Displays the comments on a block. */
  readonly onShow: (comment: string) => void
}

interface Selected {
  readonly block: string
  readonly quote: string
  readonly top: number
}

/** Returns the words that are selected inside of one block. */
const readSelection = (container: HTMLElement): Selected | undefined => {
  const selection = window.getSelection()
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return undefined
  const range = selection.getRangeAt(0)
  const blockOf = (node: Node) =>
    (node instanceof Element ? node : node.parentElement)?.closest<HTMLElement>("[data-block]")
  const block = blockOf(range.startContainer)
  const quote = selection.toString().trim()
  if (block === null || block === undefined || block !== blockOf(range.endContainer)) return undefined
  if (quote === "" || !container.contains(block)) return undefined
  const top = range.getBoundingClientRect().bottom - container.getBoundingClientRect().top
  return { block: block.dataset.block!, quote, top }
}

const useSelected = (isEnabled: boolean) => {
  const container = useRef<HTMLDivElement>(null)
  const [selected, setSelected] = useState<Selected>()
  useEffect(() => {
    if (!isEnabled) return
    const onSelect = () =>
      setSelected(container.current === null ? undefined : readSelection(container.current))
    document.addEventListener("selectionchange", onSelect)
    return () => document.removeEventListener("selectionchange", onSelect)
  }, [isEnabled])
  return { container, selected }
}

interface MarginProps {
  readonly node: BlockNode
  readonly comments: ReadonlyArray<Comment>
  readonly properties: CommentableDocumentProps
}

const Margin = ({ node, comments, properties }: MarginProps) => {
  const t = useStrings(commentsStrings)
  const { canComment, onComment, onShow } = properties
  const [first] = comments
  if (first !== undefined) {
    const label = t("commentsOn", { count: comments.length })
    return (
      <button
        type="button"
        className="margin-button has-comments"
        aria-label={label}
        title={label}
        onClick={() => onShow(first.id)}
      >
        <MessageSquare size={15} aria-hidden />
        {comments.length}
      </button>
    )
  }
  if (!canComment) return null
  return (
    <button
      type="button"
      className="margin-button"
      aria-label={t("commentOn")}
      title={t("commentOn")}
      onClick={() => onComment(anchorOfBlock(properties.page, node))}
    >
      <MessageSquarePlus size={15} aria-hidden />
    </button>
  )
}

const quotesOf = (byBlock: ReadonlyMap<string, ReadonlyArray<Comment>>) =>
  [...byBlock].flatMap(([block, comments]) =>
    comments.flatMap((comment) => {
      const quote = comment.target.quote?.text
      return quote === undefined ? [] : [{ block, quote }]
    })
  )

/** A document with comments in the margin. */
export const CommentableDocument = (properties: CommentableDocumentProps) => {
  const t = useStrings(commentsStrings)
  const { comments, canComment, onComment } = properties
  const nodes: ReadonlyArray<BlockNode> = blocksOf(properties.document)
  const byBlock = commentsByBlock(comments, nodes)
  const { container, selected } = useSelected(canComment)
  const quotes = quotesOf(byBlock)
  const quotesKey = JSON.stringify(quotes)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the quotes are compared by their content.
  useEffect(
    () => (container.current === null ? undefined : highlightQuotes(container.current, quotes)),
    [quotesKey, properties.document]
  )
  const commentOnSelection = () => {
    if (selected === undefined) return
    onComment(anchorOfWords(properties.page, selected.block, selected.quote, nodes))
  }
  useActions(
    selected === undefined
      ? []
      : [{ id: "comment.selection", label: t("commentOnSelection"), shortcut: "m", run: commentOnSelection }]
  )
  if (nodes.length === 0) return <DocumentView document={properties.document} />
  return (
    <div ref={container} className="commentable">
      <DocumentFrame document={properties.document}>
        {nodes.map((node, index) => (
          <div key={node.key ?? index} className="commentable-block block-frame" data-block={node.key}>
            <Block node={node} />
            {node.key === undefined ? null : (
              <Margin node={node} comments={byBlock.get(node.key) ?? []} properties={properties} />
            )}
          </div>
        ))}
      </DocumentFrame>
      {selected === undefined ? null : (
        <div className="selection-action" style={{ insetBlockStart: selected.top + 6 }}>
          <Button
            size="small"
            icon={<MessageSquarePlus size={15} aria-hidden />}
            // The press must not remove the selection before the comment has begun.
            preventFocusOnPress
            onPress={commentOnSelection}
          >
            {t("commentOnSelection")}
          </Button>
        </div>
      )}
    </div>
  )
}
