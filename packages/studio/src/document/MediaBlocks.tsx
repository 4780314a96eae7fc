/** Blocks without text of their own: code, images, embeds, files and references. */

import type { ReactNode } from "react"
import { FileText, Link2, Paperclip, Puzzle } from "../icons/icons.gen.ts"
import { Link } from "../router/Link.tsx"
import { useStrings } from "../strings/strings.ts"
import { Blocks } from "./Blocks.tsx"
import { type AnyRef, useImage, useTarget } from "./DocumentContext.ts"
import { type BlockNode, textOf } from "./nodes.ts"
import { documentStrings } from "./strings.ts"

const stringOf = (value: unknown): string => (typeof value === "string" ? value : "")

const isRef = (value: unknown): value is AnyRef =>
  typeof value === "object" &&
  value !== null &&
  typeof (value as { readonly kind?: unknown }).kind === "string"

const captionOf = (node: BlockNode): ReadonlyArray<BlockNode> =>
  (node.fragments ?? []).flatMap(({ nodes }) => nodes)

/** A block of code. */
export const CodeView = ({ node }: { readonly node: BlockNode }) => (
  <figure className="code-block">
    {stringOf(node.data?.title) === "" ? null : <figcaption>{stringOf(node.data?.title)}</figcaption>}
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a block that scrolls must be reachable by the keyboard. */}
    <pre tabIndex={0}>
      <code>{(node.nodes ?? []).map(textOf).join("\n")}</code>
    </pre>
  </figure>
)

const Image = ({ node }: { readonly node: BlockNode }) => {
  const t = useStrings(documentStrings)
  const reference = isRef(node.data?.ref) ? node.data.ref : { kind: "none" }
  const { source, target } = useImage(reference)
  const alt = stringOf(node.data?.alt)
  return (
    <figure>
      {source === undefined ? (
        <Card icon={<FileText size={18} />} title={alt === "" ? t("image") : alt} detail={target.title} />
      ) : (
        <img src={source} alt={alt} loading="lazy" />
      )}
      {captionOf(node).length === 0 ? null : (
        <figcaption>
          <Blocks nodes={captionOf(node)} />
        </figcaption>
      )}
    </figure>
  )
}

/** Images, or a drawing. */
export const ImageView = ({ node }: { readonly node: BlockNode }) => (
  <div className="images">
    {node.type === "drawing" ? (
      <Image node={node} />
    ) : (
      (node.nodes ?? []).map((image, index) => <Image key={image.key ?? index} node={image} />)
    )}
  </div>
)

interface CardProps {
  readonly icon: ReactNode
  readonly title: string
  readonly detail?: string
  readonly to?: string | undefined
  readonly href?: string | undefined
}

const Card = ({ icon, title, detail = "", to, href }: CardProps) => {
  const content = (
    <>
      <span aria-hidden>{icon}</span>
      <span>
        <strong>{title}</strong>
        {detail === "" ? null : <span className="card-detail">{detail}</span>}
      </span>
    </>
  )
  if (to !== undefined) {
    return (
      <Link className="card" to={to}>
        {content}
      </Link>
    )
  }
  return href === undefined ? (
    <div className="card">{content}</div>
  ) : (
    <a className="card" href={href} target="_blank" rel="noreferrer">
      {content}
    </a>
  )
}

/** An embedded URL, or a file. Nothing of other servers is loaded. */
export const MediaView = ({ node }: { readonly node: BlockNode }) => {
  const t = useStrings(documentStrings)
  const url = stringOf(node.data?.url)
  const reference: AnyRef = isRef(node.data?.ref) ? node.data.ref : { kind: "url", url }
  const { to, href, title } = useTarget(reference)
  const caption = captionOf(node).map(textOf).join(" ")
  const isFile = node.type === "file"
  return (
    <Card
      icon={isFile ? <Paperclip size={18} /> : <Link2 size={18} />}
      title={caption !== "" ? caption : title !== "" ? title : t(isFile ? "missingFile" : "embed")}
      detail={caption === "" ? "" : title}
      to={to}
      href={href}
    />
  )
}

const detailOf = ({ type, data = {} }: BlockNode): string => {
  if (type === "openapi-operation" || type === "swagger")
    return `${stringOf(data.method).toUpperCase()} ${stringOf(data.path)}`
  if (type === "openapi-schemas" && Array.isArray(data.schemas)) return data.schemas.map(String).join(", ")
  return stringOf(data.integration) || stringOf(data.name)
}

/** A block that the published page displays from another source. */
export const ReferenceView = ({ node }: { readonly node: BlockNode }) => {
  const t = useStrings(documentStrings)
  const { to, href, title } = useTarget(isRef(node.data?.ref) ? node.data.ref : { kind: "none" })
  const kinds = {
    "content-ref": "link",
    "reusable-content": "reusable",
    integration: "integration"
  } as const
  const kind = kinds[node.type as keyof typeof kinds] ?? "specification"
  return (
    <Card
      icon={kind === "link" ? <FileText size={18} /> : <Puzzle size={18} />}
      title={title === "" ? t(kind) : title}
      detail={detailOf(node)}
      to={to}
      href={href}
    />
  )
}
