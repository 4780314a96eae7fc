/** Replaces the links of a document to a target. */
import type { ContentRef, JSONDocumentEncoded } from "@lectern/client/fetch"

/** A part of a document, as far as repairs read it. */
interface Node {
  readonly object?: string
  readonly type?: string
  readonly data?: Readonly<Record<string, unknown>>
  readonly nodes?: ReadonlyArray<Node>
  readonly fragments?: ReadonlyArray<Node>
}

/** Whether a reference is a link to a target as it is written in the page. */
const isLinkTo = (ref: unknown, target: string): boolean => {
  if (typeof ref !== "object" || ref === null) return false
  const { kind, url, anchor, page } = ref as Readonly<Record<string, unknown>>
  return kind === "url"
    ? url === target
    : kind === "anchor" && page === undefined && `#${String(anchor)}` === target
}

const repairNodes = (
  nodes: ReadonlyArray<Node>,
  target: string,
  replacement: ContentRef | undefined
): ReadonlyArray<Node> =>
  nodes.flatMap((node): ReadonlyArray<Node> => {
    const repaired = {
      ...node,
      ...(node.nodes === undefined ? {} : { nodes: repairNodes(node.nodes, target, replacement) }),
      ...(node.fragments === undefined ? {} : { fragments: repairNodes(node.fragments, target, replacement) })
    }
    if (!isLinkTo(node.data?.ref, target)) return [repaired]
    if (replacement !== undefined) return [{ ...repaired, data: { ...node.data, ref: replacement } }]
    // The words of an inline link remain without it.
    return node.type === "link" && node.nodes !== undefined ? (repaired.nodes ?? []) : [repaired]
  })

/** Returns a document in which the links to a target have another one; without a replacement, their text only. */
export const repairDocument = (
  document: JSONDocumentEncoded,
  target: string,
  replacement: ContentRef | undefined
): JSONDocumentEncoded => ({
  ...document,
  nodes: repairNodes(
    document.nodes as ReadonlyArray<Node>,
    target,
    replacement
  ) as JSONDocumentEncoded["nodes"]
})
