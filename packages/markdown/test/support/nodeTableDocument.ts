/** Renders the table of nodes as the Markdown of `docs/blocks.md`. */
import { fromMarkdown } from "@lectern/markdown/document"
import { additionalTypes, corrections, fieldExceptions, nestingExceptions } from "./contractExceptions.ts"
import { type NodeRow, nodeTable } from "./nodeTable.ts"

type Json = { readonly [name: string]: unknown }

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null

const childrenOf = (node: Json): ReadonlyArray<unknown> =>
  ["nodes", "fragments", "leaves", "marks"].flatMap((name) => {
    const children = node[name]
    return Array.isArray(children) ? (children as ReadonlyArray<unknown>) : []
  })

/** Returns all nodes of a document in the order of the text. */
export const nodesIn = (node: unknown): ReadonlyArray<Json> =>
  isObject(node) ? [node, ...childrenOf(node).flatMap(nodesIn)] : []

/** Returns the first node of the type of a row in the document of its Markdown. */
export const nodeOf = ({ kind, type, markdown }: NodeRow): Json | undefined =>
  nodesIn(fromMarkdown(markdown)).find((node) => node.object === kind && node.type === type)

/** Omits the fields that all nodes have, and abbreviates the nodes within. */
const abbreviate = ({ object: _object, key: _key, isVoid: _isVoid, ...fields }: Json): Json =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      ["nodes", "fragments"].includes(name) ? ["…"] : value
    ])
  )

const code = (line: string): string => {
  const escaped = line.replaceAll("|", "\\|")
  return line.includes("`") ? `\`\` ${escaped} \`\`` : `\`${escaped}\``
}

const lines = (text: string): string => text.split("\n").map(code).join("<br>")

const table = (headers: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [headers, headers.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n")

const rowsOf = (kind: NodeRow["kind"]): string =>
  table(
    ["Type", "Markdown", "Document"],
    nodeTable
      .filter((row) => row.kind === kind)
      .map((row) => [
        `\`${row.type}\``,
        lines(row.markdown),
        [lines(JSON.stringify(abbreviate(nodeOf(row) ?? {}))), row.note ?? ""].join(" ").trim()
      ])
  )

const list = (names: ReadonlyArray<string>): string => names.map((name) => `\`${name}\``).join(", ")

/** The document. */
export const nodeTableDocument = (): string =>
  `${[
    "# Blocks, inlines and marks",
    "Each type of node of a document with its Markdown. The form in the document omits `object`, `key` and `isVoid`, and " +
      "abbreviates the nodes within. Keys and ids of headings are derived: a request can omit them.",
    "A tag that is unknown, malformed or not closed, and HTML without a meaning, are code blocks whose `data.markdown` " +
      "is `tag` or `html`. They are written unchanged. Attributes of a tag that have no field are in " +
      "`data.attributes`.",
    "In values, `&quot;` is a quote, `&#37;` a percent sign, `&#10;` a line feed and `&#92;` a backslash.",
    "<!-- This file is generated: LECTERN_UPDATE_GOLDEN=1 npx vitest run packages/core/test/blocks.test.ts -->",
    "## Blocks",
    rowsOf("block"),
    "## Inlines",
    rowsOf("inline"),
    "## Marks",
    rowsOf("mark"),
    "## Differences from the public contract",
    "The schema of the contract lists which blocks each block contains. Documents have other blocks, too:",
    table(
      ["Schema", "Additional content", "Reason"],
      [
        ...nestingExceptions.map(({ parent, children, reason }) => [`\`${parent}\``, list(children), reason]),
        ...fieldExceptions.map(({ schema, field, permits, reason }) => [
          `\`${schema}\``,
          `\`data.${field}\`: \`${permits}\``,
          reason
        ]),
        ...corrections.map(({ schema, keywords, reason }) => [
          `\`${schema}\``,
          `\`${JSON.stringify(keywords)}\``,
          reason
        ]),
        ...Object.entries(additionalTypes).map(([type, { reason }]) => ["none", `\`${type}\``, reason])
      ]
    )
  ].join("\n\n")}\n`
