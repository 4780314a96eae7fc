/** Code as the reader displays it: a line of its own for each line, with colors. */
import { colorsOf } from "../codeRanges.ts"
import type { Ranges } from "../Ranges.ts"
import { element } from "../ui/dom.ts"

/** Returns the elements of the lines of code, one after the other, with the colors of ranges. */
export const linesOfCode = function* (text: string, ranges: Ranges): Generator<HTMLElement, void> {
  const lines = text.split("\n")
  let start = 0
  let next = 0
  for (const [index, line] of lines.entries()) {
    const dom = element("span", { class: "line" })
    const end = start + line.length
    let at = start
    while (next < ranges.length && ranges[next]![1] <= start) next++
    for (let one = next; one < ranges.length && ranges[one]![0] < end; one++) {
      const [from, to, name] = ranges[one]!
      const [first, last] = [Math.max(from, at), Math.min(to, end)]
      if (first >= last) continue
      dom.append(text.slice(at, first), element("span", { class: name }, text.slice(first, last)))
      at = last
    }
    dom.append(text.slice(at, end), index < lines.length - 1 ? "\n" : "")
    start = end + 1
    yield dom
  }
}

/** Creates the figure of code around its element. */
export const figureOfCode = (code: HTMLElement, label: string, title?: string): HTMLElement =>
  element(
    "figure",
    { class: "code editor-static-code", dir: "ltr" },
    title !== undefined && element("figcaption", {}, title),
    element("pre", { tabindex: "0", role: "group", "aria-label": title ?? label }, code)
  )

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
  code.replaceChildren(...linesOfCode(text, []))
  if (syntax !== undefined && syntax !== "")
    void colorsOf(syntax.toLowerCase(), text).then((ranges) => {
      if (ranges.length > 0) code.replaceChildren(...linesOfCode(text, ranges))
    })
  return figureOfCode(code, label, title)
}
