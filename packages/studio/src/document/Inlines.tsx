/** Text with marks, links and other inline nodes. */
import type { ColorMark, Mark } from "@lectern/client/fetch"
import type { ReactNode } from "react"
import { characterOf } from "../components/Emoji.tsx"
import { Link } from "../router/Link.tsx"
import { type AnyRef, useImage, useTarget } from "./DocumentContext.ts"
import { Formula } from "./Formula.tsx"
import type { InlineNode } from "./nodes.ts"

const elements = {
  bold: "strong",
  italic: "em",
  strikethrough: "s",
  code: "code",
  keyboard: "kbd",
  superscript: "sup",
  subscript: "sub"
} as const

const withMarks = (content: ReactNode, marks: ReadonlyArray<Mark | ColorMark>): ReactNode => {
  let marked = content
  for (const { type } of marks) {
    const Element = type === "color" ? undefined : elements[type]
    if (Element !== undefined) marked = <Element>{marked}</Element>
  }
  return marked
}

const isRef = (value: unknown): value is AnyRef =>
  typeof value === "object" &&
  value !== null &&
  typeof (value as { readonly kind?: unknown }).kind === "string"

const LinkNode = ({ reference, children }: { readonly reference: AnyRef; readonly children?: ReactNode }) => {
  const { to, href, title } = useTarget(reference)
  const content = children ?? title
  if (to !== undefined) return <Link to={to}>{content}</Link>
  if (href === undefined) return <span className="broken-link">{content}</span>
  const isAnchor = href.startsWith("#")
  return (
    <a href={href} {...(isAnchor ? {} : { target: "_blank", rel: "noreferrer" })}>
      {content}
    </a>
  )
}

const InlineImage = ({ reference, alt }: { readonly reference: AnyRef; readonly alt: string }) => {
  const { source, target } = useImage(reference)
  return source === undefined ? (
    <LinkNode reference={reference}>{alt === "" ? target.title : alt}</LinkNode>
  ) : (
    <img className="inline-image" src={source} alt={alt} />
  )
}

const stringOf = (value: unknown): string => (typeof value === "string" ? value : "")

/** A person by name, or a link to a page with its title. */
const Mention = ({ reference, text }: { readonly reference: AnyRef; readonly text: string }) =>
  reference.kind === "user" ? <span className="mention">@{text}</span> : <LinkNode reference={reference} />

const Inline = ({ node }: { readonly node: InlineNode }) => {
  const { data = {} } = node
  const children = node.nodes === undefined ? undefined : <Inlines nodes={node.nodes} />
  switch (node.type) {
    case "link":
      return isRef(data.ref) ? <LinkNode reference={data.ref}>{children}</LinkNode> : children
    case "mention":
      return isRef(data.ref) ? <Mention reference={data.ref} text={stringOf(data.text)} /> : null
    case "button":
      return isRef(data.ref) ? (
        <span className="document-button">
          <LinkNode reference={data.ref}>{stringOf(data.label)}</LinkNode>
        </span>
      ) : null
    case "emoji":
      return <span className="emoji">{characterOf(stringOf(data.code))}</span>
    case "inline-image":
      return isRef(data.ref) ? <InlineImage reference={data.ref} alt={stringOf(data.alt)} /> : null
    case "inline-math":
      return <Formula formula={stringOf(data.formula)} isBlock={false} />
    case "expression":
      return <code>{`{{ ${stringOf(data.expression)} }}`}</code>
    case "icon":
      return null
    default:
      return children
  }
}

const Leaves = ({ leaves }: { readonly leaves: NonNullable<InlineNode["leaves"]> }) =>
  leaves.map(({ text, marks, data }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: leaves have no other identity, and are replaced as a whole.
    <span key={index}>{data?.markdown === "break" ? <br /> : withMarks(text, marks)}</span>
  ))

/** Inline nodes. */
export const Inlines = ({ nodes }: { readonly nodes: ReadonlyArray<InlineNode> }) => (
  <>
    {nodes.map((node, index) =>
      node.leaves === undefined ? (
        <Inline key={node.key ?? index} node={node} />
      ) : (
        <Leaves key={node.key ?? index} leaves={node.leaves} />
      )
    )}
  </>
)
