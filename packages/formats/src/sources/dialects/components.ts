/** Replaces the components in MDX by blocks. */

import {
  cardRow,
  detailsBlock,
  hintBlock,
  includeBlock,
  stepBlock,
  stepsBlock,
  tabBlock,
  tabsBlock
} from "../../foreign/blocks.ts"
import { closesFence, dedent, fenceOf, indentBy } from "../../foreign/code.ts"
import { readFenceInfo } from "./fences.ts"
import { attributesOf, attributeText, findTags, type JsxTag, pairTags } from "./jsxTags.ts"

/** A component with its converted content. */
interface Component {
  readonly name: string
  readonly attributes: ReadonlyMap<string, unknown>
  readonly content: string
}

type Render = (component: Component) => string

/** The maximum depth of components. Deeper ones are replaced by their content. */
const maximumDepth = 24

const text = ({ attributes }: Component, name: string): string | undefined => attributeText(attributes, name)
const contentOf: Render = ({ content }) => content
const nothing: Render = () => ""

/** Returns tabs with the blocks of code in a group. Each tab has the title of its block. */
const codeGroup: Render = ({ content }) => {
  const lines = content.split("\n")
  const tabs: Array<string> = []
  for (let index = 0; index < lines.length; index++) {
    const fence = fenceOf(lines[index]!)
    if (fence === undefined) continue
    let end = index + 1
    while (end < lines.length && !closesFence(lines[end]!, fence)) end++
    const { language, title } = readFenceInfo(fence.info, true)
    const block = [`${fence.indent}${fence.marker}${language}`, ...lines.slice(index + 1, end + 1)].join("\n")
    tabs.push(tabBlock(title ?? (language === "" ? "Code" : language), block))
    index = end
  }
  return tabsBlock(tabs.join("\n"))
}

const hint =
  (kind: string): Render =>
  (component) =>
    hintBlock(text(component, "type") ?? kind, text(component, "title"), component.content)

/** Returns a tab of Docusaurus, whose label can be the value. */
const tabItem: Render = (component) =>
  tabBlock(
    text(component, "label") ?? text(component, "title") ?? text(component, "value") ?? "Tab",
    component.content
  )

/** Returns tabs. Labels can be declared by the tabs instead of by each tab. */
const tabs: Render = ({ attributes, content }) => {
  const values = attributes.get("values")
  let labeled = content
  for (const item of Array.isArray(values) ? (values as ReadonlyArray<unknown>) : []) {
    const { label, value } = item as { readonly label?: unknown; readonly value?: unknown }
    if (typeof label !== "string" || typeof value !== "string") continue
    labeled = labeled.replaceAll(
      tabBlock(value, "").split("\n")[0]!,
      () => tabBlock(label, "").split("\n")[0]!
    )
  }
  return tabsBlock(labeled)
}

const details: Render = (component) =>
  detailsBlock(
    text(component, "title") ?? "Details",
    component.content,
    component.attributes.get("defaultOpen") === true
  )

/** Returns the description of a parameter or a field of an API. */
const field: Render = (component) => {
  const names = ["name", "path", "query", "body", "header", "param"]
  const name = names.map((one) => text(component, one)).find((one) => one !== undefined) ?? ""
  const { attributes } = component
  const facts = [
    text(component, "type"),
    attributes.get("required") === true ? "required" : undefined,
    attributes.get("deprecated") === true ? "deprecated" : undefined,
    text(component, "default") === undefined ? undefined : `default \`${text(component, "default")}\``
  ].filter((fact) => fact !== undefined)
  const head = `**\`${name}\`**${facts.length === 0 ? "" : ` (${facts.join(", ")})`}`
  return `${head}\n\n${component.content.trim()}\n`
}

const card: Render = (component) =>
  cardRow(
    text(component, "title") ?? text(component, "href") ?? "",
    component.content,
    text(component, "href")
  )

const snippet: Render = (component) => {
  const file = text(component, "file")
  return file === undefined ? "" : includeBlock(`/snippets/${file}`)
}

/** The components that are blocks. */
const blocks: Readonly<Record<string, Render>> = {
  Accordion: details,
  AccordionGroup: contentOf,
  Admonition: hint("note"),
  BrowserOnly: contentOf,
  Callout: hint("note"),
  Card: card,
  CardGroup: contentOf,
  Check: hint("check"),
  CodeBlock: (component) =>
    `\`\`\`${text(component, "language") ?? ""}${text(component, "title") === undefined ? "" : ` title="${text(component, "title")}"`}\n${component.content.replace(/^\{`|`\}$/g, "").trim()}\n\`\`\``,
  CodeGroup: codeGroup,
  Column: contentOf,
  Columns: contentOf,
  Danger: hint("danger"),
  DocCardList: nothing,
  Expandable: details,
  Frame: (component) => {
    const caption = text(component, "caption")
    return caption === undefined ? component.content : `${component.content.trimEnd()}\n\n*${caption}*`
  },
  Info: hint("info"),
  Note: hint("note"),
  Panel: contentOf,
  ParamField: field,
  RequestExample: codeGroup,
  ResponseExample: codeGroup,
  ResponseField: field,
  Snippet: snippet,
  Step: (component) => stepBlock(text(component, "title"), component.content),
  Steps: ({ content }) => stepsBlock(content),
  TOCInline: nothing,
  Tab: tabItem,
  TabItem: tabItem,
  Tabs: tabs,
  Tip: hint("tip"),
  Update: (component) => {
    const description = text(component, "description")
    return `## ${text(component, "label") ?? "Update"}\n\n${description === undefined ? "" : `*${description}*\n\n`}${component.content.trim()}`
  },
  Warning: hint("warning")
}

/** The components that are part of a line. */
const inlines: Readonly<Record<string, Render>> = {
  Badge: contentOf,
  Icon: nothing,
  Latex: ({ content }) => `$$${content.trim()}$$`,
  Link: (component) =>
    `[${component.content.trim()}](${text(component, "to") ?? text(component, "href") ?? ""})`,
  Tooltip: contentOf
}

/** Returns an element of HTML without the attributes that are expressions of JavaScript. */
const plainElement = (tag: JsxTag, source: string): string => {
  if (!/=\s*\{|\bclassName\b/.test(tag.attributes)) return source
  const kept = [...attributesOf(tag.attributes)].flatMap(([name, value]) =>
    typeof value === "string" && name !== "className"
      ? [` ${name}="${value.replaceAll('"', "&quot;")}"`]
      : typeof value === "number"
        ? [` ${name}="${value}"`]
        : []
  )
  return `<${tag.name}${kept.join("")}${tag.kind === "empty" ? " /" : ""}>`
}

/** Replaces components by blocks. `partials` are the names of components that are files of Markdown, with their paths. */
export const convertComponents = (
  source: string,
  partials: ReadonlyMap<string, string>,
  problems: Set<string>
): string => {
  const tags = findTags(source)
  const pairs = pairTags(tags)

  const renderOf = (name: string): { readonly render: Render; readonly isBlock: boolean } | undefined => {
    const partial = partials.get(name)
    if (partial !== undefined) return { render: () => includeBlock(partial), isBlock: true }
    if (Object.hasOwn(blocks, name)) return { render: blocks[name]!, isBlock: true }
    return Object.hasOwn(inlines, name) ? { render: inlines[name]!, isBlock: false } : undefined
  }

  /** Returns the converted text between two positions, which contains the tags from one index to another. */
  const convert = (from: number, to: number, first: number, last: number, depth: number): string => {
    let written = ""
    let at = from
    for (let index = first; index < last; index++) {
      const tag = tags[index]!
      const isComponent = /^[A-Z]/.test(tag.name)
      written += source.slice(at, tag.start)
      at = tag.end
      if (!isComponent) {
        written +=
          tag.kind === "close"
            ? source.slice(tag.start, tag.end)
            : plainElement(tag, source.slice(tag.start, tag.end))
        continue
      }
      const found = depth < maximumDepth ? renderOf(tag.name) : undefined
      const close = pairs.get(index)
      if (found === undefined || tag.kind === "close" || (tag.kind === "open" && close === undefined)) {
        if (tag.kind !== "close" && found === undefined) {
          problems.add(`The component <${tag.name}> has no equivalent: only its content is imported.`)
        }
        continue
      }
      const inner =
        close === undefined ? "" : convert(tag.end, tags[close]!.start, index + 1, close, depth + 1)
      const content = found.isBlock ? dedent(inner.replace(/^[ \t]*\n/, "").trimEnd()) : inner
      const block = found.render({ name: tag.name, attributes: attributesOf(tag.attributes), content })
      if (!found.isBlock) written += block
      else {
        const line = written.slice(written.lastIndexOf("\n") + 1)
        // A block after other text on its line starts a line of its own.
        const isFirst = line.trim() === ""
        const before = isFirst ? written.slice(0, written.length - line.length) : `${written}\n\n`
        written = before + indentBy(block, isFirst ? line : "")
      }
      if (close !== undefined) {
        at = tags[close]!.end
        index = close
      }
      if (found.isBlock && !/^[ \t]*(?:\n|$)/.test(source.slice(at, at + 200))) written += "\n\n"
    }
    return written + source.slice(at, to)
  }
  return convert(0, source.length, 0, tags.length, 0)
}
