/** The state of rendering one document: its context, the anchors that are taken, and the outline. */
import { PageDetail } from "@lectern/markdown/openapi"
import { type Content, element, type Html } from "../html/Html.ts"
import { anchorUrl } from "../html/urls.ts"
import type { DocumentContext, OutlineEntry, ResolvedLink } from "./DocumentContext.ts"
import type { DocumentIds } from "./headings.ts"

/** The maximum nesting of blocks. Blocks nested deeper are omitted, because they would overflow the stack. */
export const maximumDepth = 60

/** The number of characters of Markdown in an OpenAPI document that one page parses. */
const maximumMarkdown = 300_000

/** The numbers of operations of a page: in all, with samples in all languages, and whose samples can be colored. */
const maximumOperations = { all: 200, allLanguages: 20, colored: 10 }

/** The number of characters of samples that are colored. Markup of colors is several times as long as the code. */
const maximumColored = 150_000

/** The maximum number of origins that a page can send requests to. */
const maximumOrigins = 30

/** The deepest level of headings in the outline. */
const outlineLevels = 2

/** The attributes of a link: the relation and the tab of links to other websites. */
export const linkAttributes = (link: ResolvedLink, opensNewTab: boolean) => ({
  href: link.href,
  ...(link.isExternal ? { rel: "noopener noreferrer" } : {}),
  ...(link.isExternal && opensNewTab ? { target: "_blank" } : {})
})

/** The class of a heading, and further ids that refer to it. */
interface HeadingOptions {
  readonly className?: string | undefined
  readonly aliases?: ReadonlyArray<string>
}

/** Renders one document. */
export class Renderer {
  readonly context: DocumentContext
  readonly outline: Array<OutlineEntry> = []
  private readonly ownIds: DocumentIds
  private readonly ids = new Set<string>()
  /** The last suffix of each id: many headings can have the same text. */
  private readonly idCounts = new Map<string, number>()
  private readonly headingDepths: Array<number> = []
  private readonly permitted = new Set<string>()
  /** The detail of the operations and schemas of the page. */
  readonly pageDetail = new PageDetail()
  private operations = 0
  private colorsLeft = maximumColored
  private counter = 0
  private depth = 0
  private markdownLeft = maximumMarkdown
  private isInDescription = false

  /** `ids` are the ids of the document, which aliases do not take. */
  constructor(context: DocumentContext, ids: DocumentIds = { headings: new Set(), anchors: new Set() }) {
    this.context = context
    this.ownIds = ids
  }

  /** Returns an id that no other element of the page has. */
  uniqueId(preferred: string): string {
    const base = preferred.replace(/\s+/g, "-") || "section"
    let count = this.idCounts.get(base) ?? 0
    let id = count === 0 ? base : `${base}-${count}`
    while (this.ids.has(id)) id = `${base}-${++count}`
    this.idCounts.set(base, count)
    this.ids.add(id)
    return id
  }

  /** Whether an element of the page has an id. */
  hasId(id: string): boolean {
    return this.ids.has(id)
  }

  /** Returns an id for the parts of a component, such as a tab and its panel. */
  componentId(kind: string): string {
    this.counter++
    return this.uniqueId(`${kind}-${this.counter}`)
  }

  /** Runs a function one level deeper, or returns `undefined` if that is too deep. */
  nested<A>(render: () => A): A | undefined {
    if (this.depth >= maximumDepth) return undefined
    this.depth++
    try {
      return render()
    } finally {
      this.depth--
    }
  }

  /**
   * Renders a heading. Its level is one below that of the heading that it belongs to, so that no level is skipped, for every
   * depth in the source. The title of the page has level 1.
   */
  heading(
    depth: number,
    preferredId: string,
    text: string,
    content: Content,
    { className, aliases = [] }: HeadingOptions = {}
  ): Html {
    while ((this.headingDepths.at(-1) ?? 0) >= depth) this.headingDepths.pop()
    this.headingDepths.push(depth)
    const level = Math.min(this.headingDepths.length + 1, 6) as 2 | 3 | 4 | 5 | 6
    const id = this.uniqueId(preferredId)
    if (level - 1 <= outlineLevels && text !== "") this.outline.push({ id, text, level: level - 1 })
    const anchor = element(
      "a",
      { class: "anchor", href: anchorUrl(id), "aria-label": this.context.messages.linkToSection(text) },
      "#"
    )
    return element(
      `h${level}`,
      { id, class: `heading h-${Math.min(depth, 4)}${className === undefined ? "" : ` ${className}`}` },
      this.aliasElements(aliases),
      content,
      anchor
    )
  }

  /** Returns elements with the ids that other programs derive for a heading or an expandable block. */
  aliasElements(aliases: ReadonlyArray<string>): ReadonlyArray<Html> {
    const { headings, anchors } = this.ownIds
    return this.takeIds(aliases.filter((alias) => !headings.has(alias) && !anchors.has(alias)))
  }

  /** Returns elements with the ids of HTML, which have no other effect. A heading with the same id has precedence. */
  anchorElements(anchors: ReadonlyArray<string>): ReadonlyArray<Html> {
    return this.takeIds(anchors.filter((anchor) => !this.ownIds.headings.has(anchor)))
  }

  /** Takes the ids that no element of the page has, and returns elements with them. */
  private takeIds(ids: ReadonlyArray<string>): ReadonlyArray<Html> {
    return ids.flatMap((id) => {
      if (this.ids.has(id) || /\s/.test(id)) return []
      this.ids.add(id)
      return [element("span", { id, class: "alias" })]
    })
  }

  /** Returns whether the page may parse another `length` characters of Markdown. */
  takeMarkdown(length: number): boolean {
    if (length > this.markdownLeft) return false
    this.markdownLeft -= length
    return true
  }

  /**
   * Counts an operation or a schema of the page. Pages with many operations have fewer samples. Returns `undefined` if the page has
   * as many as it may have.
   */
  takeOperation(): { readonly hasAllLanguages: boolean } | undefined {
    this.operations++
    return this.operations > maximumOperations.all
      ? undefined
      : { hasAllLanguages: this.operations <= maximumOperations.allLanguages }
  }

  /** Whether samples of the current operation are colored. The samples of the first operations are, because colors take most of the size. */
  takeColors(length: number): boolean {
    if (this.operations > maximumOperations.colored || length > this.colorsLeft) return false
    this.colorsLeft -= length
    return true
  }

  /** Permits requests from the page to the server at a URL. Returns whether it does. */
  permitRequests(url: string): boolean {
    const { origin, protocol } = URL.parse(url) ?? {}
    if (origin === undefined || !/^https?:$/.test(protocol ?? "")) return false
    if (this.permitted.size >= maximumOrigins && !this.permitted.has(origin)) return false
    this.permitted.add(origin)
    return true
  }

  /** The origins that the page can send requests to, besides its own. */
  get origins(): ReadonlyArray<string> {
    return [...this.permitted]
  }

  /** Whether blocks of OpenAPI are rendered. */
  get allowsOpenApi(): boolean {
    return !this.isInDescription
  }

  /** Runs a function without rendering blocks of OpenAPI. */
  withoutOpenApi<A>(render: () => A): A {
    const before = this.isInDescription
    this.isInDescription = true
    try {
      return render()
    } finally {
      this.isInDescription = before
    }
  }

  /** The attributes of a link. */
  linkAttributes(link: ResolvedLink) {
    return linkAttributes(link, this.context.opensNewTab)
  }
}
