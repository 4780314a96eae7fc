/** Normalizes syntax trees, so that two trees with the same meaning in GitHub's dialect are equal. */
import type { ListItem, Nodes, Parents, Root, RootContent } from "mdast"

/**
 * Returns the tree without these differences, which have no meaning:
 * - positions, and fields that are derived from others;
 * - the position of definitions and footnotes in the text, and the whitespace in labels;
 * - the items of a loose list that have the blank lines;
 * - emphasis within the same emphasis;
 * - adjacent nodes of text, code or the same emphasis instead of one node.
 */
export const essence = (root: Root): unknown => {
  const definitions: Array<{ readonly label: string; readonly definition: unknown }> = []
  const footnotes: Array<unknown> = []
  const ancestors: Array<string> = []
  const strip = (node: Nodes): unknown => {
    const { position, data, spread, label, referenceType, identifier, children, ...fields } =
      node as unknown as Record<string, unknown>
    const result: Record<string, unknown> = Object.fromEntries(
      Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== "")
    )
    if (label !== undefined) result.label = labelOf(String(label))
    if (node.type === "inlineCode") result.value = node.value.replaceAll("\n", " ")
    if (node.type === "html")
      result.value = node.value.replace(/^[ \t]+|\n+$/g, "").replace(/\n[ \t]+/g, "\n")
    if (node.type === "list") {
      const isLoose = node.spread === true || node.children.some(isSpread)
      return { ...result, loose: isLoose, children: node.children.map(strip) }
    }
    ancestors.push(node.type)
    if ("children" in node) result.children = stripChildren(node)
    ancestors.pop()
    return result
  }
  const stripChildren = (parent: Parents): Array<unknown> => {
    const result: Array<unknown> = []
    for (const node of joinAdjacent(flattenEmphasis(parent.children as Array<RootContent>, ancestors))) {
      if (node.type === "definition")
        definitions.push({ label: labelOf(node.label ?? node.identifier), definition: strip(node) })
      else if (node.type === "footnoteDefinition") {
        const at = footnotes.push(undefined) - 1
        footnotes[at] = strip(node)
      } else result.push(strip(node))
    }
    return result
  }
  const children = stripChildren(root)
  // The first of several definitions with the same label is in effect. The sort is stable.
  definitions.sort((a, b) => (a.label < b.label ? -1 : a.label > b.label ? 1 : 0))
  return { children, definitions, footnotes }
}

const labelOf = (label: string) =>
  label
    .replace(/[\t\n\r ]+/g, " ")
    .trim()
    .toLowerCase()

const isSpread = (item: ListItem): boolean =>
  item.spread === true &&
  item.children.filter((child) => child.type !== "definition" && child.type !== "footnoteDefinition").length >
    1

/** Removes emphasis that an ancestor already has. */
const flattenEmphasis = (
  nodes: ReadonlyArray<RootContent>,
  ancestors: ReadonlyArray<string>
): Array<RootContent> =>
  nodes.flatMap((node) => {
    const isEmphasis = node.type === "emphasis" || node.type === "strong" || node.type === "delete"
    return isEmphasis && ancestors.includes(node.type) ? flattenEmphasis(node.children, ancestors) : [node]
  })

/** Joins adjacent nodes of text, code or the same emphasis. */
const joinAdjacent = (nodes: ReadonlyArray<RootContent>): Array<RootContent> => {
  const result: Array<RootContent> = []
  for (const node of nodes) {
    const last = result.at(-1)
    if ((node.type === "text" || node.type === "inlineCode") && last?.type === node.type) {
      result[result.length - 1] = { ...last, value: last.value + node.value }
    } else if (
      (node.type === "emphasis" || node.type === "strong" || node.type === "delete") &&
      last?.type === node.type
    ) {
      result[result.length - 1] = { ...last, children: [...last.children, ...node.children] }
    } else if (node.type === "html" && last?.type === "text") {
      result[result.length - 1] = { ...last, value: last.value.replace(/\n$/, " ") }
      result.push(node)
    } else result.push(node)
  }
  return result
}
