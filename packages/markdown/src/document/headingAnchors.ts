/** Explicit ids of headings, as in `## Title <a href="#id" id="id"></a>`. */
import type { PhrasingContent } from "mdast"
import { hasOnly, parseTag, writeTag } from "./html/htmlTree.ts"

/** Splits the content of a heading and the id at its end. */
export const splitAnchor = (
  children: ReadonlyArray<PhrasingContent>
): { readonly children: ReadonlyArray<PhrasingContent>; readonly anchor?: string } => {
  const [open, close] = children.slice(-2)
  if (open?.type !== "html" || close?.type !== "html" || close.value !== "</a>") return { children }
  const { name, attributes } = parseTag(open.value) ?? { name: "", attributes: new Map<string, string>() }
  const anchor = attributes.get("id")
  if (
    name !== "a" ||
    !anchor ||
    attributes.get("href") !== `#${anchor}` ||
    !hasOnly(attributes, "id", "href")
  ) {
    return { children }
  }
  const rest = children.slice(0, -2)
  const last = rest.at(-1)
  if (last?.type === "text") rest[rest.length - 1] = { ...last, value: last.value.trimEnd() }
  return { children: rest, anchor }
}

/** Writes the id of a heading. */
export const writeAnchor = (anchor: string): string =>
  `${writeTag("a", { href: `#${anchor}`, id: anchor })}</a>`
