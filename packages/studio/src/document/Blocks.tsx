/** The blocks of a document, for reading and for differences. */
import type { ReactNode } from "react"
import { CircleAlert, CircleCheck, Info, type LucideIcon, TriangleAlert } from "../icons/icons.gen.ts"
import { useStrings } from "../strings/strings.ts"
import { ApiBlock } from "./ApiBlock.tsx"
import { Formula } from "./Formula.tsx"
import { Inlines } from "./Inlines.tsx"
import { CodeView, ImageView, MediaView, ReferenceView } from "./MediaBlocks.tsx"
import { anchorOf, type BlockNode } from "./nodes.ts"
import { documentStrings } from "./strings.ts"
import { TableView } from "./TableView.tsx"

const fragmentOf = (node: BlockNode, name: string): ReadonlyArray<BlockNode> =>
  node.fragments?.find(({ fragment }) => fragment === name)?.nodes ?? []

const stringOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

const List = ({ node }: { readonly node: BlockNode }) => {
  const items = (node.nodes ?? []).map((item, index) => {
    const isTask = node.type === "list-tasks"
    return (
      <li key={item.key ?? index} className={isTask ? "task" : undefined}>
        {isTask ? (
          <input type="checkbox" checked={item.data?.checked === true} readOnly tabIndex={-1} aria-hidden />
        ) : null}
        <Blocks nodes={item.nodes ?? []} />
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

const Heading = ({ node, level }: { readonly node: BlockNode; readonly level: 2 | 3 }) => {
  const Element = `h${level}` as const
  return (
    <Element id={anchorOf(node)}>
      <Inlines nodes={node.nodes ?? []} />
    </Element>
  )
}

const Titled = ({ title, children }: { readonly title: ReactNode; readonly children: ReactNode }) => (
  <section className="titled-block">
    <p className="titled-block-title">{title}</p>
    {children}
  </section>
)

const Expandable = ({ node }: { readonly node: BlockNode }) => (
  <details className="expandable" open={node.open === true}>
    <summary>
      {fragmentOf(node, "expandable-title").map((block, index) => (
        <Inlines key={block.key ?? index} nodes={block.nodes ?? []} />
      ))}
    </summary>
    <Blocks nodes={fragmentOf(node, "expandable-body")} />
  </details>
)

const hintIcons: Readonly<Record<string, LucideIcon>> = {
  info: Info,
  success: CircleCheck,
  warning: CircleAlert,
  danger: TriangleAlert
}

/** A hint, with the icon of its style. */
const Hint = ({ style, children }: { readonly style: string; readonly children: ReactNode }) => {
  const Icon = hintIcons[style] ?? Info
  return (
    <aside className={`hint hint-${style}`}>
      <Icon size={18} aria-hidden className="hint-icon" />
      <div className="hint-body">{children}</div>
    </aside>
  )
}

const Container = ({ node }: { readonly node: BlockNode }) => {
  const t = useStrings(documentStrings)
  const { nodes = [], data = {} } = node
  switch (node.type) {
    case "hint":
      return (
        <Hint style={stringOf(data.style) ?? "info"}>
          <Blocks nodes={nodes} />
        </Hint>
      )
    case "tabs":
      return (
        <div className="tab-list">
          {nodes.map((tab, index) => (
            <Titled
              key={tab.key ?? index}
              title={stringOf(tab.data?.title) ?? t("tab", { number: index + 1 })}
            >
              <Blocks nodes={tab.nodes ?? []} />
            </Titled>
          ))}
        </div>
      )
    case "stepper":
      return (
        <ol className="stepper">
          {nodes.map((step, index) => (
            <li key={step.key ?? index}>
              <Blocks nodes={step.nodes ?? []} />
            </li>
          ))}
        </ol>
      )
    case "columns":
      return (
        <div className="columns">
          {nodes.map((column, index) => (
            <div key={column.key ?? index}>
              <Blocks nodes={column.nodes ?? []} />
            </div>
          ))}
        </div>
      )
    case "updates":
      return (
        <div className="stack">
          {nodes.map((update, index) => (
            <Titled key={update.key ?? index} title={stringOf(update.data?.date)}>
              <Blocks nodes={update.nodes ?? []} />
            </Titled>
          ))}
        </div>
      )
    case "if":
      return (
        <Titled title={<code>{t("condition", { expression: stringOf(data.expression) ?? "" })}</code>}>
          <Blocks nodes={nodes} />
        </Titled>
      )
    default:
      return <Blocks nodes={nodes} />
  }
}

/** A block. */
export const Block = ({ node }: { readonly node: BlockNode }) => {
  const { nodes = [] } = node
  switch (node.type) {
    case "paragraph":
      return (
        <p>
          <Inlines nodes={nodes} />
        </p>
      )
    case "heading-1":
      return <Heading node={node} level={2} />
    case "heading-2":
      return <Heading node={node} level={2} />
    case "heading-3":
      return <Heading node={node} level={3} />
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
      return <Formula formula={stringOf(node.data?.formula) ?? ""} isBlock />
    case "swagger":
    case "openapi-operation":
    case "openapi-webhook":
    case "openapi-schemas":
      return <ApiBlock node={node} />
    case "content-ref":
    case "reusable-content":
    case "integration":
      return <ReferenceView node={node} />
    default:
      return node.leaves === undefined ? <Container node={node} /> : <Inlines nodes={[node]} />
  }
}

/** Blocks, one below the other. */
export const Blocks = ({ nodes }: { readonly nodes: ReadonlyArray<BlockNode> }) => (
  <>
    {nodes.map((node, index) => (
      <Block key={node.key ?? index} node={node} />
    ))}
  </>
)
