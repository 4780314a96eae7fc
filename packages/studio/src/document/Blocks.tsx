/** The blocks of a document, for reading and for differences, with the elements and the style of published pages. */
import { useStrings } from "../strings/strings.ts"
import { ApiBlock } from "./ApiBlock.tsx"
import { CodeView } from "./CodeView.tsx"
import { Columns, Condition, Expandable, Hint, Stepper, Tabs, Updates } from "./containers.tsx"
import { Formula } from "./Formula.tsx"
import { headingDepthOf, useHeadingLevel } from "./HeadingLevels.tsx"
import { Inlines } from "./Inlines.tsx"
import { ImageView, IntegrationView, MediaView, ReferenceView } from "./MediaBlocks.tsx"
import { anchorOf, type BlockNode, stringOf, textOf } from "./nodes.ts"
import { documentStrings } from "./strings.ts"
import { TableView } from "./TableView.tsx"

interface NodeProps {
  readonly node: BlockNode
}

const alignClass = (align: unknown): string => (align === "center" || align === "end" ? `text-${align}` : "")

/** Blocks, of which the first is text without the margins of a paragraph if it is one. */
export const TextBlocks = ({ nodes }: { readonly nodes: ReadonlyArray<BlockNode> }) => {
  const [first, ...rest] = nodes
  if (first?.type !== "paragraph") return <Blocks nodes={nodes} />
  return (
    <>
      <Inlines nodes={first.nodes ?? []} />
      <Blocks nodes={rest} />
    </>
  )
}

const ItemBlocks = ({ node: { nodes = [], data } }: NodeProps) =>
  data?.spread === true ? <Blocks nodes={nodes} /> : <TextBlocks nodes={nodes} />

const List = ({ node }: NodeProps) => {
  const t = useStrings(documentStrings)
  const items = (node.nodes ?? []).map((item, index) => {
    if (node.type !== "list-tasks") {
      return (
        <li key={item.key ?? index}>
          <ItemBlocks node={item} />
        </li>
      )
    }
    const checked = item.data?.checked === true
    return (
      <li key={item.key ?? index} className="task">
        <input type="checkbox" checked={checked} disabled aria-label={t(checked ? "done" : "notDone")} />
        <div>
          <ItemBlocks node={item} />
        </div>
      </li>
    )
  })
  const start = node.data?.start
  return node.type === "list-ordered" ? (
    <ol start={typeof start === "number" ? start : undefined}>{items}</ol>
  ) : (
    <ul className={node.type === "list-tasks" ? "tasks" : undefined}>{items}</ul>
  )
}

const Heading = ({ node }: NodeProps) => {
  const t = useStrings(documentStrings)
  const Element = `h${useHeadingLevel(node)}` as "h2"
  const id = anchorOf(node)
  const className = `heading h-${Math.min(headingDepthOf(node), 4)} ${alignClass(node.data?.align)}`
  return (
    <Element id={id} className={className.trim()}>
      <Inlines nodes={node.nodes ?? []} />
      <a className="anchor" href={`#${id}`} aria-label={t("linkToSection", { title: textOf(node) })}>
        #
      </a>
    </Element>
  )
}

const isEmptyText = (node: BlockNode): boolean =>
  (node.nodes ?? []).every(
    ({ leaves }) =>
      leaves?.every(({ text, data }) => data?.markdown === "html" || text.trim() === "") === true
  )

/** A block. */
export const Block = ({ node }: NodeProps) => {
  const { nodes = [] } = node
  switch (node.type) {
    case "paragraph":
      // Comments leave an empty paragraph.
      return isEmptyText(node) ? null : (
        <p className={alignClass(node.data?.align) || undefined}>
          <Inlines nodes={nodes} />
        </p>
      )
    case "heading-1":
    case "heading-2":
    case "heading-3":
      return <Heading node={node} />
    case "divider":
      return <hr />
    case "blockquote":
      return (
        <blockquote>
          <Blocks nodes={nodes} />
        </blockquote>
      )
    case "list-ordered":
    case "list-unordered":
    case "list-tasks":
      return <List node={node} />
    case "hint":
      return <Hint node={node} />
    case "tabs":
      return <Tabs node={node} />
    case "stepper":
      return <Stepper node={node} />
    case "columns":
      return <Columns node={node} />
    case "updates":
      return <Updates node={node} />
    case "if":
      return <Condition node={node} />
    case "expandable":
      return <Expandable node={node} />
    case "table":
      return <TableView node={node} />
    case "code":
      return <CodeView node={node} />
    case "images":
    case "drawing":
      return <ImageView node={node} />
    case "embed":
    case "file":
      return <MediaView node={node} />
    case "math":
      return <MathBlock node={node} />
    case "swagger":
    case "openapi-operation":
    case "openapi-webhook":
    case "openapi-schemas":
      return <ApiBlock node={node} />
    case "integration":
      return <IntegrationView node={node} />
    case "content-ref":
    case "reusable-content":
      return <ReferenceView node={node} />
    default:
      return node.leaves === undefined ? <Blocks nodes={nodes} /> : <Inlines nodes={[node]} />
  }
}

const MathBlock = ({ node }: NodeProps) => {
  const t = useStrings(documentStrings)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a formula that scrolls must be reachable by the keyboard.
    <div className="math" tabIndex={0} role="group" aria-label={t("formula")}>
      <Formula formula={stringOf(node.data?.formula)} isBlock />
    </div>
  )
}

/** Blocks, one below the other. */
export const Blocks = ({ nodes }: { readonly nodes: ReadonlyArray<BlockNode> }) => (
  <>
    {nodes.map((node, index) => (
      <Block key={node.key ?? index} node={node} />
    ))}
  </>
)
