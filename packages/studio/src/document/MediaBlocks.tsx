/** Blocks without text of their own: images, embeds, files and references. */
import { type ReactNode, useContext } from "react"
import { Link } from "../router/Link.tsx"
import { useFormats } from "../strings/formats.ts"
import { useStrings } from "../strings/strings.ts"
import { CodeFigure } from "./CodeView.tsx"
import { type AnyRef, DocumentContext, isRef, useImage, useTarget } from "./DocumentContext.ts"
import { Icon } from "./Icon.tsx"
import { Inlines } from "./Inlines.tsx"
import { type BlockNode, stringOf, textOf } from "./nodes.ts"
import { documentStrings } from "./strings.ts"

const captionOf = (node: BlockNode): ReadonlyArray<BlockNode> =>
  (node.fragments ?? []).flatMap(({ nodes }) => nodes)

const Caption = ({ node }: { readonly node: BlockNode }) => {
  const lines = captionOf(node)
  return lines.every((line) => textOf(line).trim() === "") ? null : (
    <figcaption>
      {lines.map((line, index) => (
        <span key={line.key ?? index}>
          <Inlines nodes={line.nodes ?? []} />
        </span>
      ))}
    </figcaption>
  )
}

interface LinkCardProps {
  readonly icon: string
  readonly title: string
  readonly detail?: string
  readonly to?: string | undefined
  readonly href?: string | undefined
}

const LinkCard = ({ icon, title, detail = "", to, href }: LinkCardProps) => {
  const content: ReactNode = (
    <>
      <span className="link-card-icon">
        <Icon name={icon} />
      </span>
      <span className="link-card-text">
        <span className="link-card-title">{title}</span>
        {detail === "" || detail === title ? null : <span className="link-card-detail">{detail}</span>}
      </span>
      <span className="link-card-arrow">
        <Icon name="chevron-right" />
      </span>
    </>
  )
  if (to !== undefined) {
    return (
      <Link className="link-card" to={to}>
        {content}
      </Link>
    )
  }
  return href === undefined ? (
    <div className="link-card">{content}</div>
  ) : (
    <a className="link-card" href={href} target="_blank" rel="noreferrer">
      {content}
    </a>
  )
}

const lengthOf = (length: unknown): number | undefined => {
  if (typeof length === "number") return Math.round(length)
  const { unit, value } = (length ?? {}) as { readonly unit?: unknown; readonly value?: unknown }
  return unit === "px" && typeof value === "number" ? Math.round(value) : undefined
}

const Image = ({ node }: { readonly node: BlockNode }) => {
  const t = useStrings(documentStrings)
  const { source, target } = useImage(isRef(node.data?.ref) ? node.data.ref : { kind: "none" })
  const alt = stringOf(node.data?.alt)
  return (
    <figure>
      {source === undefined ? (
        <LinkCard
          icon="image"
          title={alt === "" ? t("image") : alt}
          detail={target.title}
          href={target.href}
        />
      ) : (
        <img
          src={source}
          alt={alt}
          width={lengthOf(node.data?.width)}
          height={lengthOf(node.data?.height)}
          loading="lazy"
        />
      )}
      <Caption node={node} />
    </figure>
  )
}

/** Images, or a drawing. */
export const ImageView = ({ node }: { readonly node: BlockNode }) => {
  const { nodes = [], data = {} } = node
  if (node.type === "drawing") {
    return isRef(data.ref) ? (
      <div className="images align-center drawing">
        <Image node={node} />
      </div>
    ) : null
  }
  const framed = data.withFrame === true ? " framed" : ""
  return (
    <div
      className={`images align-${stringOf(data.align) || "center"}${framed}${nodes.length > 1 ? " gallery" : ""}`}
    >
      {nodes.map((image, index) => (
        <Image key={image.key ?? index} node={image} />
      ))}
    </div>
  )
}

const hostOf = (url: string): string => {
  try {
    return new URL(url).hostname.replace(/^www\./, "")
  } catch {
    return url
  }
}

/** An embedded URL, or a file. Nothing of other servers is loaded. */
export const MediaView = ({ node }: { readonly node: BlockNode }) => {
  const t = useStrings(documentStrings)
  const { bytes } = useFormats()
  const { fileOf } = useContext(DocumentContext)
  const url = stringOf(node.data?.url)
  const reference: AnyRef = isRef(node.data?.ref) ? node.data.ref : { kind: "url", url }
  const { to, href, title } = useTarget(reference)
  if (node.type === "embed") {
    return (
      <figure className="embed">
        <LinkCard
          icon="arrow-up-right-from-square"
          title={hostOf(url) || t("embed")}
          detail={url}
          to={to}
          href={href}
        />
        <Caption node={node} />
      </figure>
    )
  }
  const file = fileOf(stringOf(reference.file))
  const details =
    file === undefined ? [] : [bytes(file.size), file.contentType.split("/")[1]?.toUpperCase() ?? ""]
  return (
    <figure className="file">
      <LinkCard
        icon="file-arrow-down"
        title={title === "" ? t("missingFile") : title}
        detail={details.filter((part) => part !== "").join(" · ")}
        to={to}
        href={href}
      />
      <Caption node={node} />
    </figure>
  )
}

/** A block of an integration: its source, or its URL. */
export const IntegrationView = ({ node }: { readonly node: BlockNode }) => {
  const t = useStrings(documentStrings)
  const {
    integration,
    block,
    props = {},
    url
  } = (node.data ?? {}) as {
    readonly integration?: unknown
    readonly block?: unknown
    readonly url?: unknown
    readonly props?: Readonly<Record<string, unknown>>
  }
  const name = stringOf(integration)
  const content = stringOf(props.content)
  const address = stringOf(url) || stringOf(props.url)
  const { href } = useTarget({ kind: "url", url: address })
  if (content !== "") {
    return <CodeFigure text={content} syntax={name} title={`${name} ${stringOf(block)}`.trim()} />
  }
  return (
    <figure className="embed">
      <LinkCard
        icon={href === undefined ? "puzzle-piece" : "arrow-up-right-from-square"}
        title={hostOf(address) || name || t("integration")}
        detail={address}
        href={href}
      />
    </figure>
  )
}

const detailOf = ({ type, data = {} }: BlockNode): string => {
  if (type === "openapi-operation" || type === "swagger")
    return `${stringOf(data.method).toUpperCase()} ${stringOf(data.path)}`
  if (type === "openapi-schemas" && Array.isArray(data.schemas)) return data.schemas.map(String).join(", ")
  return stringOf(data.name)
}

/** A block that the published page displays from another source. */
export const ReferenceView = ({ node }: { readonly node: BlockNode }) => {
  const t = useStrings(documentStrings)
  const { pageOf } = useContext(DocumentContext)
  const reference: AnyRef = isRef(node.data?.ref) ? node.data.ref : { kind: "none" }
  const { to, href, title } = useTarget(reference)
  const kinds = { "content-ref": "link", "reusable-content": "reusable" } as const
  const kind = kinds[node.type as keyof typeof kinds] ?? "specification"
  const page = pageOf(stringOf(reference.page))?.page
  const label = stringOf(node.data?.label)
  if (kind === "link" && to === undefined && href === undefined && (title !== "" || label !== "")) {
    return <p className="broken-link">{title === "" ? label : title}</p>
  }
  const icon =
    kind === "link"
      ? href === undefined
        ? stringOf((page as { readonly icon?: string } | undefined)?.icon) || "file-lines"
        : "arrow-up-right-from-square"
      : kind === "reusable"
        ? "clipboard"
        : "puzzle-piece"
  return (
    <LinkCard
      icon={icon}
      title={title === "" ? label || t(kind) : title}
      detail={
        kind === "link"
          ? stringOf((page as { readonly description?: string } | undefined)?.description)
          : detailOf(node)
      }
      to={to}
      href={href}
    />
  )
}
