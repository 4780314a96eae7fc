/** Inline nodes in the form of the public contract, which limits what links contain. */

/** A node of a document, of any type. */
export interface ContractNode {
  /** The kind of the node: `document`, `block`, `inline`, `text`, `leaf`, `mark` or `fragment`. */
  readonly object?: string
  /** The type of a block, an inline node, a mark or a fragment. */
  readonly type?: string
  /** The name of the part of a block that a fragment is. */
  readonly fragment?: string
  /** Whether a block or an inline node has no nodes. */
  readonly isVoid?: boolean
  /** Whether an expandable block is open at first. */
  readonly open?: boolean
  /** The text of a leaf. */
  readonly text?: string
  /** The marks of a leaf. */
  readonly marks?: ReadonlyArray<ContractNode>
  /** The runs of text. */
  readonly leaves?: ReadonlyArray<ContractNode>
  /** The settings of a block or an inline node. */
  readonly data?: Readonly<Record<string, unknown>>
  /** The nodes of a block, of an inline node or of a fragment. */
  readonly nodes?: ReadonlyArray<ContractNode>
  /** The parts of a block. */
  readonly fragments?: ReadonlyArray<ContractNode>
}

/** Creates text with marks. */
export const leaf = (text: string, marks: ReadonlyArray<ContractNode>): ContractNode => ({
  object: "text",
  leaves: [{ object: "leaf", text, marks }]
})

/** Creates a paragraph. */
export const paragraph = (nodes: ReadonlyArray<ContractNode>): ContractNode => ({
  object: "block",
  type: "paragraph",
  nodes
})

/** Creates a heading with plain text. */
export const heading = (type: string, text: string): ContractNode => ({
  object: "block",
  type,
  data: {},
  nodes: [leaf(text, [])]
})

/** Creates a link with plain text. */
export const link = (ref: unknown, text: string): ContractNode => ({
  object: "inline",
  type: "link",
  data: { ref },
  nodes: [leaf(text, [])]
})

/** The text of an inline node that is not text. */
const textOfAtom = ({ type, data = {} }: ContractNode): string => {
  switch (type) {
    case "inline-math":
      return String(data.formula ?? "")
    case "emoji":
      return String(data.code ?? "")
        .split("-")
        .map((code) => Number.parseInt(code, 16))
        .filter((code) => code >= 0 && code <= 0x10_ff_ff)
        .map((code) => String.fromCodePoint(code))
        .join("")
    case "expression":
      return `{{ ${String(data.expression ?? "")} }}`
    case "button":
      return String(data.label ?? "")
    default:
      return ""
  }
}

/** Returns the text of nodes, without marks. */
export const plainTextOf = (nodes: ReadonlyArray<ContractNode>): string =>
  nodes
    .map(
      (node) =>
        (node.leaves ?? []).map(({ text }) => text ?? "").join("") +
        textOfAtom(node) +
        plainTextOf(node.nodes ?? []) +
        plainTextOf(node.fragments ?? [])
    )
    .join("")

/** A link contains text and images. The rest is text in it. */
const linkContent = (node: ContractNode): ReadonlyArray<ContractNode> => {
  if (node.object === "text" || node.type === "inline-image") return [node]
  const text = textOfAtom(node)
  return text === ""
    ? []
    : [leaf(text, node.type === "inline-math" ? [{ object: "mark", type: "code" }] : [])]
}

/** Makes inline nodes valid. */
export const inlinesOf = (nodes: ReadonlyArray<ContractNode>): ReadonlyArray<ContractNode> =>
  nodes.map((node) => {
    if (node.type === "link") return { ...node, nodes: (node.nodes ?? []).flatMap(linkContent) }
    if (node.type !== "annotation") return node
    return {
      ...node,
      data: {},
      fragments: (node.fragments ?? []).map((body) => ({
        ...body,
        nodes: (body.nodes ?? []).map((one) => ({ ...one, nodes: inlinesOf(one.nodes ?? []) }))
      }))
    }
  })
