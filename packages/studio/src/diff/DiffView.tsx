/** The difference of two documents: inline, or in two columns. */

import { type ReactNode, useState } from "react"
import { Block, Blocks } from "../document/Blocks.tsx"
import { HeadingLevels, headingDepthOf, useHeadingLevel } from "../document/HeadingLevels.tsx"
import { Inlines } from "../document/Inlines.tsx"
import { type BlockNode, type InlineNode, textOf } from "../document/nodes.ts"
import { MessageSquarePlus } from "../icons/icons.gen.ts"
import { useStrings } from "../strings/strings.ts"
import "../document/document.css"
import "./diff.css"
import { type BlockChange, compareBlocks, compareWords } from "./compareBlocks.ts"
import { compareSequences, type SequenceChange } from "./compareSequences.ts"
import { diffStrings } from "./strings.ts"
import { haveSameColumns, TableDifference } from "./TableDifference.tsx"

/** How a difference is displayed. */
export type DiffLayout = "inline" | "side"

const textBlocks = new Set(["paragraph", "heading-1", "heading-2", "heading-3", "code-line"])

/** The blocks whose parts are compared by themselves. */
const containers = new Set([
  "blockquote",
  "hint",
  "list-ordered",
  "list-unordered",
  "list-tasks",
  "list-item",
  "tabs",
  "tabs-item",
  "stepper",
  "stepper-step",
  "columns",
  "column",
  "if",
  "update",
  "updates"
])

const isHeading = (node: BlockNode): boolean => node.type?.startsWith("heading-") === true

interface WordsProps {
  readonly before: BlockNode
  readonly after: BlockNode
  /** The side that is displayed; both by default. */
  readonly only?: "before" | "after"
}

const Word = ({ change }: { readonly change: SequenceChange<InlineNode> }) => {
  const content = <Inlines nodes={[change.kind === "same" ? change.after : change.item]} />
  if (change.kind === "same") return content
  return change.kind === "inserted" ? <ins>{content}</ins> : <del>{content}</del>
}

const Words = ({ before, after, only }: WordsProps) => {
  const level = useHeadingLevel(after)
  const Element = isHeading(after) ? (`h${level}` as "h2") : "p"
  const className = isHeading(after)
    ? `diff-words heading h-${Math.min(headingDepthOf(after), 4)}`
    : "diff-words"
  const hidden = only === "before" ? "inserted" : only === "after" ? "deleted" : undefined
  return (
    <Element className={className}>
      {compareWords(before.nodes ?? [], after.nodes ?? [])
        .filter(({ kind }) => kind !== hidden)
        .map((change, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the words of a comparison never move.
          <Word key={index} change={change} />
        ))}
    </Element>
  )
}

const lineClasses = { same: "diff-line", inserted: "diff-line is-inserted", deleted: "diff-line is-deleted" }

const Lines = ({ before, after }: { readonly before: BlockNode; readonly after: BlockNode }) => {
  const linesOf = (node: BlockNode) => (node.nodes ?? []).map(textOf)
  return (
    <pre className="diff-code">
      {compareSequences(linesOf(before), linesOf(after), (line) => line).map(
        (change: SequenceChange<string>, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a comparison never move.
          <span key={index} className={lineClasses[change.kind]}>
            {change.kind === "same" ? change.after : change.item}
          </span>
        )
      )}
    </pre>
  )
}

const Edited = ({ before, after }: { readonly before: BlockNode; readonly after: BlockNode }) => {
  if (textBlocks.has(after.type ?? "")) return <Words before={before} after={after} />
  if (after.type === "code") return <Lines before={before} after={after} />
  if (after.type === "table" && haveSameColumns(before, after)) {
    return (
      <TableDifference
        before={before}
        after={after}
        render={(one, other) =>
          one.length === 0 ? (
            <Blocks nodes={other} />
          ) : (
            <Changes changes={compareBlocks(one, other)} isNested />
          )
        }
      />
    )
  }
  if (containers.has(after.type ?? "")) {
    return (
      <div className={`diff-container diff-${after.type}`}>
        <Changes changes={compareBlocks(before.nodes ?? [], after.nodes ?? [])} isNested />
      </div>
    )
  }
  return (
    <>
      <div className="diff-block block-frame is-deleted">
        <Block node={before} />
      </div>
      <div className="diff-block block-frame is-inserted">
        <Block node={after} />
      </div>
    </>
  )
}

/** The number of unchanged blocks that are displayed next to a change. */
const contextBlocks = 1

const FoldButton = ({ label, onOpen }: { readonly label: string; readonly onOpen: () => void }) => (
  <button type="button" className="diff-fold" onClick={onOpen}>
    {label}
  </button>
)

const Unchanged = ({ blocks }: { readonly blocks: ReadonlyArray<BlockNode> }) => {
  const t = useStrings(diffStrings)
  const [isOpen, setIsOpen] = useState(false)
  if (isOpen || blocks.length <= 2 * contextBlocks + 1) return <Blocks nodes={blocks} />
  return (
    <>
      <Blocks nodes={blocks.slice(0, contextBlocks)} />
      <FoldButton
        label={t("unchangedBlocks", { count: blocks.length - 2 * contextBlocks })}
        onOpen={() => setIsOpen(true)}
      />
      <Blocks nodes={blocks.slice(-contextBlocks)} />
    </>
  )
}

/** Unchanged blocks in both columns. The copy in the first one is only to be seen. */
const UnchangedPair = ({ blocks }: { readonly blocks: ReadonlyArray<BlockNode> }) => {
  const t = useStrings(diffStrings)
  const [isOpen, setIsOpen] = useState(false)
  const pair = (nodes: ReadonlyArray<BlockNode>) => (
    <div className="diff-side-pair">
      <div className="diff-side-copy" inert>
        <Blocks nodes={nodes} />
      </div>
      <div>
        <Blocks nodes={nodes} />
      </div>
    </div>
  )
  if (isOpen || blocks.length <= 2 * contextBlocks + 1) return pair(blocks)
  return (
    <>
      {pair(blocks.slice(0, contextBlocks))}
      <FoldButton
        label={t("unchangedBlocks", { count: blocks.length - 2 * contextBlocks })}
        onOpen={() => setIsOpen(true)}
      />
      {pair(blocks.slice(-contextBlocks))}
    </>
  )
}

/** Begins comments on blocks of the newer document. */
export interface BlockCommenting {
  readonly begin: (block: BlockNode) => void
  /** Returns the field of the comment that is written on the block with a key. */
  readonly composerOf: (key: string) => ReactNode
}

type CommentOn = BlockCommenting | undefined

/** A changed block at the top of a document, with the button that comments on it. */
const Commentable = ({
  block,
  onComment,
  children
}: {
  readonly block: BlockNode | undefined
  readonly onComment: CommentOn
  readonly children: ReactNode
}) => {
  const t = useStrings(diffStrings)
  const key = block?.key
  if (onComment === undefined || block === undefined || key === undefined) return children
  return (
    <div className="diff-commentable">
      {children}
      <button
        type="button"
        className="diff-comment"
        aria-label={t("comment")}
        title={t("comment")}
        onClick={() => onComment.begin(block)}
      >
        <MessageSquarePlus size={15} aria-hidden />
      </button>
      {onComment.composerOf(key)}
    </div>
  )
}

/** Returns the block of the newer document that a change is on, which a comment can name. */
const afterOf = (change: BlockChange): BlockNode | undefined =>
  change.kind === "changed" ? change.after : change.kind === "inserted" ? change.block : undefined

const Changes = ({
  changes,
  isNested = false,
  onComment
}: {
  readonly changes: ReadonlyArray<BlockChange>
  readonly isNested?: boolean
  readonly onComment?: CommentOn
}) => (
  <>
    {changes.map((change, index) => {
      const key = index
      if (change.kind === "same") {
        return isNested ? (
          <Blocks key={key} nodes={change.blocks} />
        ) : (
          <Unchanged key={key} blocks={change.blocks} />
        )
      }
      return (
        <Commentable key={key} block={afterOf(change)} onComment={onComment}>
          {change.kind === "changed" ? (
            <Edited before={change.before} after={change.after} />
          ) : (
            <div className={`diff-block is-${change.kind}`}>
              <Block node={change.block} />
            </div>
          )}
        </Commentable>
      )
    })}
  </>
)

const SideBySide = ({
  changes,
  onComment
}: {
  readonly changes: ReadonlyArray<BlockChange>
  readonly onComment: CommentOn
}) => {
  const t = useStrings(diffStrings)
  return (
    <div className="diff-side">
      <p className="diff-side-title">{t("before")}</p>
      <p className="diff-side-title">{t("after")}</p>
      {changes.map((change, index) => {
        const key = index
        if (change.kind === "same") return <UnchangedPair key={key} blocks={change.blocks} />
        if (change.kind === "changed" && textBlocks.has(change.after.type ?? "")) {
          return (
            <Commentable key={key} block={change.after} onComment={onComment}>
              <div className="diff-side-pair">
                <Words before={change.before} after={change.after} only="before" />
                <Words before={change.before} after={change.after} only="after" />
              </div>
            </Commentable>
          )
        }
        const before =
          change.kind === "changed" ? change.before : change.kind === "deleted" ? change.block : undefined
        const after =
          change.kind === "changed" ? change.after : change.kind === "inserted" ? change.block : undefined
        return (
          <Commentable key={key} block={after} onComment={onComment}>
            <div className="diff-side-pair">
              <div className={before === undefined ? "" : "diff-block is-deleted"}>
                {before === undefined ? null : <Block node={before} />}
              </div>
              <div className={after === undefined ? "" : "diff-block is-inserted"}>
                {after === undefined ? null : <Block node={after} />}
              </div>
            </div>
          </Commentable>
        )
      })}
    </div>
  )
}

/** The difference of two documents. */
export const DiffView = ({
  before,
  after,
  layout,
  onComment
}: {
  readonly before: ReadonlyArray<BlockNode>
  readonly after: ReadonlyArray<BlockNode>
  readonly layout: DiffLayout
  /** Begins a comment on a block of the newer document. */
  readonly onComment?: CommentOn
}) => {
  const t = useStrings(diffStrings)
  const changes = compareBlocks(before, after)
  if (changes.every(({ kind }) => kind === "same")) return <p className="muted small">{t("sameText")}</p>
  return (
    <div className="document diff" translate="no">
      <HeadingLevels blocks={after}>
        {layout === "side" ? (
          <SideBySide changes={changes} onComment={onComment} />
        ) : (
          <Changes changes={changes} onComment={onComment} />
        )}
      </HeadingLevels>
    </div>
  )
}
