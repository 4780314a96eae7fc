/** Finds the annotations of documents, whose bodies Markdown has as footnotes at another place. */
import type { AnnotationBody, Block, JsonDocument } from "@lectern/model/document"
import { labelKey } from "./linkReferences.ts"

/** The body of an annotation, with the label of its footnote. */
export interface LabeledBody {
  readonly label: string
  readonly nodes: AnnotationBody["nodes"]
}

interface AnyNode {
  readonly object?: string
  readonly type?: string
  readonly nodes?: ReadonlyArray<AnyNode>
  readonly fragments?: ReadonlyArray<AnyNode>
  readonly fragment?: string
}

/** Whether a node is an annotation. It has exactly one fragment. */
const isAnnotation = ({ object, type }: AnyNode): boolean => object === "inline" && type === "annotation"

const visitAnnotations = (nodes: ReadonlyArray<AnyNode>, visit: (body: AnyNode) => void): void => {
  for (const node of nodes) {
    if (isAnnotation(node)) visit(node.fragments![0]!)
    visitAnnotations(node.nodes ?? [], visit)
    visitAnnotations(node.fragments ?? [], visit)
  }
}

const blocksOf = ({ nodes, data }: JsonDocument): ReadonlyArray<Block> => [
  ...nodes,
  ...(data.footnotes ?? []).flatMap(({ nodes }) => nodes)
]

/** Returns the bodies of the annotations of a document by the keys of their labels. */
export const annotationsOf = (document: JsonDocument): ReadonlyMap<string, LabeledBody> => {
  const bodies = new Map<string, LabeledBody>()
  visitAnnotations(blocksOf(document), ({ fragment = "", nodes }) =>
    bodies.set(labelKey(fragment), { label: fragment, nodes: nodes as LabeledBody["nodes"] })
  )
  return bodies
}

/**
 * Returns a document whose annotations have labels, of which no two are equal, and none is the label of a footnote.
 * Editors create annotations without a label, and copy text with annotations.
 */
export const withUniqueLabels = (document: JsonDocument): JsonDocument => {
  const labels = new Set((document.data.footnotes ?? []).map(({ label }) => labelKey(label)))
  const all = new Set(labels)
  let isUnique = true
  visitAnnotations(blocksOf(document), ({ fragment = "" }) => {
    const key = labelKey(fragment)
    if (fragment === "" || labels.has(key)) isUnique = false
    labels.add(key)
    all.add(key)
  })
  if (isUnique) return document
  const taken = new Set((document.data.footnotes ?? []).map(({ label }) => labelKey(label)))
  let next = 1
  const labelFor = (fragment = ""): string => {
    if (fragment !== "" && !taken.has(labelKey(fragment))) {
      taken.add(labelKey(fragment))
      return fragment
    }
    while (all.has(String(next))) next++
    return String(next++)
  }
  const relabel = (node: AnyNode): AnyNode => {
    const [body] = isAnnotation(node) ? node.fragments! : []
    const fragments =
      body === undefined ? node.fragments?.map(relabel) : [{ ...body, fragment: labelFor(body.fragment) }]
    return {
      ...node,
      ...(node.nodes === undefined ? {} : { nodes: node.nodes.map(relabel) }),
      ...(fragments === undefined ? {} : { fragments })
    }
  }
  const { nodes, data } = document
  return {
    ...document,
    nodes: nodes.map((node) => relabel(node) as Block),
    data: {
      ...data,
      ...(data.footnotes === undefined
        ? {}
        : {
            footnotes: data.footnotes.map((footnote) => ({
              ...footnote,
              nodes: footnote.nodes.map((node) => relabel(node) as Block)
            }))
          })
    }
  }
}
