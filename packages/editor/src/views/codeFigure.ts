/** Code as the reader displays it: a line of its own for each line, with colors. */
import { colorsOf, type Ranges } from "../codeRanges.ts"
import { element } from "../ui/dom.ts"

const fillLines = (into: HTMLElement, text: string, ranges: Ranges): void => {
  const lines = text.split("\n")
  let start = 0
  into.replaceChildren(
    ...lines.map((line, index) => {
      const dom = element("span", { class: "line" })
      const end = start + line.length
      let at = start
      for (const [from, to, name] of ranges) {
        const [first, last] = [Math.max(from, at), Math.min(to, end)]
        if (first >= last) continue
        dom.append(text.slice(at, first), element("span", { class: name }, text.slice(first, last)))
        at = last
      }
      dom.append(text.slice(at, end), index < lines.length - 1 ? "\n" : "")
      start = end + 1
      return dom
    })
  )
}

/** Creates the figure of code. Its colors appear when the library is loaded. */
export const codeFigure = (
  given: string,
  {
    syntax,
    title,
    label
  }: { readonly syntax?: string | undefined; readonly title?: string; readonly label: string }
): HTMLElement => {
  const text = given.replace(/\n$/, "")
  const code = element("code", {})
  fillLines(code, text, [])
  if (syntax !== undefined && syntax !== "")
    void colorsOf(syntax.toLowerCase(), text).then((ranges) => {
      if (ranges.length > 0) fillLines(code, text, ranges)
    })
  return element(
    "figure",
    { class: "code editor-static-code", dir: "ltr" },
    title !== undefined && element("figcaption", {}, title),
    element("pre", { tabindex: "0", role: "group", "aria-label": title ?? label }, code)
  )
}
