/** The marks of the editor, from the outermost to the innermost. */
import type { Mark, MarkSpec } from "prosemirror-model"
import type { JsonObject } from "./attributes.ts"
import { hrefOfElement } from "./links.ts"

/** A mark without attributes. Styles of other programs are converted to elements before they are parsed. */
const simple = (tag: string, tags: ReadonlyArray<string>): MarkSpec => ({
  toDOM: () => [tag, 0],
  parseDOM: tags.map((name) => ({ tag: name }))
})

const colorClass = (kind: "c" | "bg", color: unknown): string =>
  typeof color === "string" && color !== "default" ? `${kind}-${color.replace("$", "")}` : ""

const colorClasses = ({ attrs }: Mark): string =>
  [colorClass("c", attrs.text), colorClass("bg", attrs.background)].filter((name) => name !== "").join(" ")

const jsonOf = (element: HTMLElement, name: string): JsonObject | undefined => {
  try {
    const value: unknown = JSON.parse(element.getAttribute(name) ?? "null")
    return typeof value === "object" && value !== null ? (value as JsonObject) : undefined
  } catch {
    return undefined
  }
}

/** The marks. `link`, `annotation` and `soft_break` are nodes or text in documents; a name cannot be that of a node, too. */
export const marks: Readonly<Record<string, MarkSpec>> = {
  annotation: {
    attrs: { data: { default: null }, body: { default: null } },
    inclusive: false,
    excludes: "annotation link",
    toDOM: (mark) => ["span", { class: "annotation", "data-annotation": JSON.stringify(mark.attrs.body) }, 0],
    parseDOM: [
      {
        tag: "[data-annotation]",
        getAttrs: (element) => {
          const body = jsonOf(element, "data-annotation")
          return body === undefined ? false : { body }
        }
      }
    ]
  },
  link: {
    attrs: { data: {} },
    inclusive: false,
    excludes: "annotation link",
    toDOM: (mark) => {
      const data = mark.attrs.data as {
        readonly ref?: { readonly kind?: string; readonly url?: string }
        readonly title?: string
      }
      return [
        "a",
        {
          class: isBroken(data.ref) ? "editor-link editor-broken-link" : "editor-link",
          ...(data.title === undefined ? {} : { title: data.title }),
          ...hrefAttribute(data.ref?.url),
          "data-link": JSON.stringify(mark.attrs.data)
        },
        0
      ]
    },
    parseDOM: [
      {
        tag: "a[data-link]",
        priority: 60,
        getAttrs: (element) => {
          const data = jsonOf(element, "data-link")
          return data === undefined ? false : { data }
        }
      },
      {
        tag: "a[href]",
        getAttrs: (element) => {
          const url = hrefOfElement(element)
          return url === undefined ? false : { data: { ref: { kind: "url", url } } }
        }
      }
    ]
  },
  bold: simple("strong", ["strong", "b"]),
  italic: simple("em", ["em", "i:not([class*='fa-'])"]),
  strikethrough: simple("s", ["s", "del", "strike"]),
  color: {
    attrs: { text: { default: "default" }, background: { default: "default" } },
    toDOM: (mark) => [
      mark.attrs.background === "default" ? "span" : "mark",
      { class: colorClasses(mark), "data-text": mark.attrs.text, "data-background": mark.attrs.background },
      0
    ],
    parseDOM: [
      {
        tag: "[data-background][data-text]",
        getAttrs: (element) => ({
          text: element.getAttribute("data-text"),
          background: element.getAttribute("data-background")
        })
      }
    ]
  },
  keyboard: simple("kbd", ["kbd"]),
  superscript: simple("sup", ["sup"]),
  subscript: simple("sub", ["sub"]),
  inline_code: { ...simple("code", ["code", "tt"]), code: true },
  /** A space that is a line feed in Markdown. */
  soft_break: {
    inclusive: false,
    toDOM: () => ["span", { "data-soft-break": "" }, 0],
    parseDOM: [{ tag: "span[data-soft-break]" }]
  }
}

/** Whether the target of a link does not exist: the server replaces paths of pages by references to them, so that only paths without a page remain. */
const isBroken = (ref: { readonly kind?: string; readonly url?: string } | undefined): boolean =>
  ref?.kind === "url" && !/^(?:https?:|mailto:|tel:|#|\/)/i.test(ref.url ?? "")

const hrefAttribute = (url: string | undefined): { readonly href?: string } =>
  url !== undefined && /^(?:https?:|mailto:|tel:|#|\/|\.)/i.test(url) ? { href: url } : {}
