/** Normalizes syntax trees of Markdown, so that trees with the same meaning are equal. */
import type { ListItem, Nodes, Parents, Root, RootContent } from "mdast"

/**
 * Normalizes a tree. It removes differences without a meaning in GitHub Flavored Markdown, and differences that documents
 * represent otherwise:
 * - positions, and derived fields;
 * - the positions of definitions and footnotes, and the whitespace of labels;
 * - which items of a loose list have blank lines;
 * - emphasis within the same emphasis;
 * - adjacent runs of the same emphasis, of code or of text, which are joined.
 */
export const essence = (root: Root): unknown => {
  const definitions: Array<{ readonly label: string; readonly definition: unknown }> = []
  const footnotes: Array<unknown> = []
  const around: Array<string> = []
  const strip = (node: Nodes): unknown => {
    const { position, data, spread, label, referenceType, identifier, children, ...fields } =
      node as unknown as Record<string, unknown>
    const kept: Record<string, unknown> = Object.fromEntries(
      Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== "")
    )
    if (label !== undefined) kept.label = labelOf(String(label))
    if (node.type === "inlineCode") kept.value = node.value.replaceAll("\n", " ")
    if (node.type === "html") kept.value = node.value.replace(/^[ \t]+|\n+$/g, "").replace(/\n[ \t]+/g, "\n")
    if (node.type === "list") {
      const isLoose = node.spread === true || node.children.some(isSpread)
      return { ...kept, loose: isLoose, children: node.children.map(strip) }
    }
    around.push(node.type)
    if ("children" in node) kept.children = inside(node)
    around.pop()
    return kept
  }
  const inside = (parent: Parents): Array<unknown> => {
    const kept: Array<unknown> = []
    for (const node of joined(flat(parent.children as Array<RootContent>, around))) {
      if (node.type === "definition")
        definitions.push({ label: labelOf(node.label ?? node.identifier), definition: strip(node) })
      else if (node.type === "footnoteDefinition") {
        const at = footnotes.push(undefined) - 1
        footnotes[at] = strip(node)
      } else kept.push(strip(node))
    }
    return kept
  }
  const children = inside(root)
  // The first definition of a label is effective; the sort is stable.
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

/** Removes emphasis that is nested in the same emphasis. */
const flat = (nodes: ReadonlyArray<RootContent>, around: ReadonlyArray<string>): Array<RootContent> =>
  nodes.flatMap((node) => {
    const repeats = node.type === "emphasis" || node.type === "strong" || node.type === "delete"
    return repeats && around.includes(node.type) ? flat(node.children, around) : [node]
  })

const joined = (nodes: ReadonlyArray<RootContent>): Array<RootContent> => {
  const kept: Array<RootContent> = []
  for (const node of nodes) {
    const last = kept.at(-1)
    if ((node.type === "text" || node.type === "inlineCode") && last?.type === node.type) {
      kept[kept.length - 1] = { ...last, value: last.value + node.value }
    } else if (
      (node.type === "emphasis" || node.type === "strong" || node.type === "delete") &&
      last?.type === node.type
    ) {
      kept[kept.length - 1] = { ...last, children: [...last.children, ...node.children] }
    } else if (node.type === "html" && last?.type === "text") {
      kept[kept.length - 1] = { ...last, value: last.value.replace(/\n$/, " ") }
      kept.push(node)
    } else kept.push(node)
  }
  return kept
}
