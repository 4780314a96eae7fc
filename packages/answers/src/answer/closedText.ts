/** Closes inline Markdown of a model: text, emphasis, code and citations remain. Everything else becomes text. */
import type * as Mdast from "mdast"

/** Resolves a citation by its number to the URL of the cited page; undefined for a number that no source has. */
export type ResolveCitation = (number: number) => string | undefined

/** Matches text that Markdown displays as links without markup: URLs, host names and e-mail addresses. */
const autolinkPattern = /(?:\b[a-z][a-z0-9+.-]*:\/\/|\bwww\.)[^\s`]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+/giu

/** Matches the numbers of citations, as in `[1]` and `[1, 2]`. */
const citationPattern = /\[(\d{1,3}(?:\s*[,;]\s*\d{1,3})*)\]/g

const text = (value: string): Mdast.Text => ({ type: "text", value })

/** Links to the cited pages. Numbers without a source are omitted. */
const citations = (numbers: string, resolve: ResolveCitation): ReadonlyArray<Mdast.PhrasingContent> =>
  numbers
    .split(/[,;]/)
    .map(Number)
    .flatMap((number): ReadonlyArray<Mdast.Link> => {
      const url = resolve(number)
      return url === undefined ? [] : [{ type: "link", url, children: [text(`[${number}]`)] }]
    })
    .flatMap((link, index) => (index === 0 ? [link] : [text(" "), link]))

/** Divides text at the matches of a pattern, and replaces each match. */
const divide = (
  value: string,
  pattern: RegExp,
  replace: (match: RegExpExecArray) => ReadonlyArray<Mdast.PhrasingContent>,
  rest: (value: string) => ReadonlyArray<Mdast.PhrasingContent>
): ReadonlyArray<Mdast.PhrasingContent> => {
  const nodes: Array<Mdast.PhrasingContent> = []
  let at = 0
  for (const match of value.matchAll(pattern)) {
    if (match.index > at) nodes.push(...rest(value.slice(at, match.index)))
    nodes.push(...replace(match))
    at = match.index + match[0].length
  }
  if (at < value.length) nodes.push(...rest(value.slice(at)))
  return nodes
}

/** Closes text: citations become links, and URLs become code, in which parsers recognize no links. */
export const closeText = (value: string, resolve: ResolveCitation): ReadonlyArray<Mdast.PhrasingContent> =>
  divide(
    value,
    autolinkPattern,
    ([url]) => [{ type: "inlineCode", value: url }],
    (rest) =>
      divide(
        rest,
        citationPattern,
        ([, numbers = ""]) => citations(numbers, resolve),
        (plain) => [text(plain)]
      )
  )

/** Returns text that has no emphasis, as a single value: of nodes whose markup is dropped. */
const valueOf = (node: Mdast.Nodes): string => {
  if ("children" in node) return node.children.map(valueOf).join("")
  return "value" in node ? node.value : ""
}

/** Closes the inline nodes of a model's Markdown. A link keeps its text; an image, its alternative text. */
export const closeInlines = (
  nodes: ReadonlyArray<Mdast.PhrasingContent>,
  resolve: ResolveCitation
): Array<Mdast.PhrasingContent> =>
  nodes.flatMap((node): ReadonlyArray<Mdast.PhrasingContent> => {
    switch (node.type) {
      case "text":
        return closeText(node.value, resolve)
      case "emphasis":
      case "strong":
      case "delete": {
        const children = closeInlines(node.children, resolve)
        return children.length === 0 ? [] : [{ type: node.type, children }]
      }
      case "inlineCode":
        return [{ type: "inlineCode", value: node.value }]
      case "break":
        return [{ type: "break" }]
      case "link":
        return closeText(valueOf(node), resolve)
      case "linkReference":
        return closeText(`[${valueOf(node)}]`, resolve)
      case "image":
      case "imageReference":
        return closeText(node.alt ?? "", resolve)
      case "footnoteReference":
        return []
      default:
        return closeText(valueOf(node), resolve)
    }
  })
