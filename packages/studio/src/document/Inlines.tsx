/** Text with marks, links and other inline nodes, with the elements of published pages. */
import type { ColorMark, Mark } from "@lectern/client/fetch"
import { type ReactNode, useId } from "react"
import { characterOf } from "../components/Emoji.tsx"
import { Link } from "../router/Link.tsx"
import { type AnyRef, isRef, useImage, useTarget } from "./DocumentContext.ts"
import { Formula } from "./Formula.tsx"
import { Icon } from "./Icon.tsx"
import { type BlockNode, type InlineNode, stringOf } from "./nodes.ts"

const elements = {
  bold: "strong",
  italic: "em",
  strikethrough: "s",
  code: "code",
  keyboard: "kbd",
  superscript: "sup",
  subscript: "sub"
} as const

const colorClass = (prefix: string, color: string): string =>
  color === "default" ? "" : `${prefix}-${color.replace("$", "")}`

const Marked = ({
  mark,
  children
}: {
  readonly mark: Mark | ColorMark
  readonly children: ReactNode
}): ReactNode => {
  if (mark.type !== "color") {
    const Element = elements[mark.type]
    return Element === undefined ? children : <Element>{children}</Element>
  }
  const { text, background } = mark.data
  const className = `${colorClass("c", text)} ${colorClass("bg", background)}`.trim()
  if (className === "") return children
  return background === "default" ? (
    <span className={className}>{children}</span>
  ) : (
    <mark className={className}>{children}</mark>
  )
}

/** Surrounds content with marks, of which the first is the outermost. */
const withMarks = (content: ReactNode, [mark, ...others]: ReadonlyArray<Mark | ColorMark>): ReactNode =>
  mark === undefined ? content : <Marked mark={mark}>{withMarks(content, others)}</Marked>

interface LinkNodeProps {
  readonly reference: AnyRef
  readonly children?: ReactNode
  readonly className?: string
}

/** A link to a place of the application, or to a website. */
export const LinkNode = ({ reference, children, className }: LinkNodeProps) => {
  const { to, href, title } = useTarget(reference)
  const content = children ?? title
  const named = className === undefined ? {} : { className }
  if (to !== undefined) {
    return (
      <Link to={to} {...named}>
        {content}
      </Link>
    )
  }
  if (href === undefined) return <span className={className ?? "broken-link"}>{content}</span>
  const isAnchor = href.startsWith("#")
  return (
    <a href={href} {...named} {...(isAnchor ? {} : { target: "_blank", rel: "noreferrer" })}>
      {content}
    </a>
  )
}

interface ImageOfProps {
  readonly reference: AnyRef
  readonly alt: string
  readonly className?: string
}

/** An image in the text. One of another server is a link. */
export const ImageOf = ({ reference, alt, className }: ImageOfProps) => {
  const { source, target } = useImage(reference)
  return source === undefined ? (
    <LinkNode reference={reference}>{alt === "" ? target.title : alt}</LinkNode>
  ) : (
    <img className={className} src={source} alt={alt} />
  )
}

/** A person by name, or a link to a page with its title. */
const Mention = ({ reference, text }: { readonly reference: AnyRef; readonly text: string }) => {
  const { title } = useTarget(reference)
  return reference.kind === "user" ? (
    <span className="mention">@{text}</span>
  ) : (
    <LinkNode reference={reference} className="mention">
      {title === "" ? text : title}
    </LinkNode>
  )
}

/** A link with the form of a button. One that searches the site does nothing here. */
const ButtonLink = ({ node }: { readonly node: InlineNode }) => {
  const { data = {} } = node
  const className = `button ${data.kind === "secondary" ? "secondary" : "primary"}`
  const content = (
    <>
      {stringOf(data.icon) === "" ? null : <Icon name={stringOf(data.icon)} />}
      {stringOf(data.label) === "" ? null : <span>{stringOf(data.label)}</span>}
    </>
  )
  return isRef(data.ref) && data.action === undefined ? (
    <LinkNode reference={data.ref} className={className}>
      {content}
    </LinkNode>
  ) : (
    <span className={`${className} disabled`}>{content}</span>
  )
}

const Annotation = ({ node }: { readonly node: InlineNode }) => {
  const id = useId()
  const [note] = (node as BlockNode).fragments ?? []
  return (
    <>
      <button type="button" className="annotation" popoverTarget={id} aria-describedby={id}>
        <Inlines nodes={node.nodes ?? []} />
      </button>
      <span className="annotation-body" id={id} popover="auto" role="note">
        {note?.nodes.map((block, index) => (
          <span key={block.key ?? index}>
            <Inlines nodes={block.nodes ?? []} />
          </span>
        ))}
      </span>
    </>
  )
}

const renderContent = (node: InlineNode): ReactNode => {
  const { data = {} } = node
  const children = node.nodes === undefined ? undefined : <Inlines nodes={node.nodes} />
  switch (node.type) {
    case "link":
      return isRef(data.ref) ? <LinkNode reference={data.ref}>{children}</LinkNode> : children
    case "mention":
      return isRef(data.ref) ? <Mention reference={data.ref} text={stringOf(data.text)} /> : null
    case "button":
      return <ButtonLink node={node} />
    case "emoji":
      return characterOf(stringOf(data.code))
    case "inline-image":
      return isRef(data.ref) ? (
        <ImageOf
          reference={data.ref}
          alt={stringOf(data.alt)}
          className={`inline-image ${stringOf(data.size)}`.trim()}
        />
      ) : null
    case "inline-math":
      return <Formula formula={stringOf(data.formula)} isBlock={false} />
    case "expression":
      return <code>{stringOf(data.expression)}</code>
    case "icon":
      return <Icon name={stringOf(data.icon)} />
    case "annotation":
      return <Annotation node={node} />
    default:
      return children
  }
}

const Inline = ({ node }: { readonly node: InlineNode }) =>
  withMarks(
    renderContent(node),
    Array.isArray(node.data?.marks) ? (node.data.marks as ReadonlyArray<Mark>) : []
  )

type Leaf = NonNullable<InlineNode["leaves"]>[number]

/** A line of the source is a line of the page, as in published pages. */
const breakableText = (text: string): ReactNode =>
  text.includes("\n")
    ? text.split("\n").flatMap((line, index) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity, and are replaced as a whole.
        index === 0 ? [line] : [<br key={index} />, line]
      )
    : text

const Leaf = ({ leaf: { text, marks, data } }: { readonly leaf: Leaf }): ReactNode => {
  switch (data?.markdown) {
    case "html":
      return null
    case "break":
      return <br />
    case "footnote":
      return <sup className="footnote-ref">{text.replace(/^\[\^|\]$/g, "")}</sup>
    default:
      return withMarks(breakableText(text), marks)
  }
}

/** Inline nodes. */
export const Inlines = ({ nodes }: { readonly nodes: ReadonlyArray<InlineNode> }) => (
  <>
    {nodes.map((node, index) =>
      node.leaves === undefined ? (
        <Inline key={node.key ?? index} node={node} />
      ) : (
        // biome-ignore lint/suspicious/noArrayIndexKey: leaves have no other identity, and are replaced as a whole.
        node.leaves.map((leaf, place) => <Leaf key={`${index} ${place}`} leaf={leaf} />)
      )
    )}
  </>
)
