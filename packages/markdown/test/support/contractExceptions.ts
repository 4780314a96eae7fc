/**
 * The differences between documents and the schema of the public contract. The schema is closed: it lists the blocks
 * that each block can contain. The pages of users do not comply, and Markdown has no such limits. Then documents contain
 * the natural block.
 */

/** Nodes that a node of the contract contains in documents, but not in the contract. */
export interface NestingException {
  /** The schema of the containing block. */
  readonly parent: string
  /** The path of the schema of its content; by default, that of its nodes. */
  readonly path?: ReadonlyArray<string>
  /** Markdown of the containing block. `…` represents its content, whose lines have the same indentation. */
  readonly markdown: string
  /** The types of the contained blocks. */
  readonly children: ReadonlyArray<string>
  readonly reason: string
}

/** A value of a field that the contract does not permit. */
export interface FieldException {
  readonly schema: string
  readonly field: string
  /** The schema of the additional value. */
  readonly permits: string
  /** Markdown of a block with such a value. */
  readonly markdown: string
  readonly reason: string
}

/** Types of blocks that the contract does not have, with their schemas. */
export const additionalTypes: Readonly<
  Record<string, { readonly reason: string; readonly schema: Readonly<Record<string, unknown>> }>
> = {
  updates: {
    reason: "Changelogs are blocks of GitBook's Markdown, but not of its contract.",
    schema: {
      type: "object",
      properties: {
        object: { type: "string", enum: ["block"] },
        type: { type: "string", enum: ["updates"] },
        nodes: { type: "array", items: { $ref: "#/components/schemas/DocumentBlockUpdate" } }
      },
      required: ["object", "type", "data", "nodes"]
    }
  },
  update: {
    reason: "Changelogs are blocks of GitBook's Markdown, but not of its contract.",
    schema: {
      type: "object",
      properties: {
        object: { type: "string", enum: ["block"] },
        type: { type: "string", enum: ["update"] },
        nodes: { type: "array", items: { $ref: "#/components/schemas/DocumentBlocksTopLevels" } }
      },
      required: ["object", "type", "data", "nodes"]
    }
  }
}

/** Keywords that schemas of the contract lack, without which no document of the Markdown is valid. */
export const corrections: ReadonlyArray<{
  readonly schema: string
  readonly keywords: Readonly<Record<string, unknown>>
  readonly markdown: string
  readonly reason: string
}> = [
  {
    schema: "PlainObject",
    keywords: { type: "object" },
    markdown: '{% @mermaid/diagram content="graph TD" %}',
    reason:
      "Text is a plain object, too, so that it matches two alternatives of a property, of which one is permitted."
  },
  {
    schema: "DocumentTableImageRecord",
    keywords: {
      oneOf: [
        {
          type: "object",
          properties: {
            ref: {
              oneOf: [
                { $ref: "#/components/schemas/ContentRefFile" },
                { $ref: "#/components/schemas/ContentRefURL" }
              ]
            },
            objectFit: { $ref: "#/components/schemas/CardsImageObjectFit" }
          },
          required: ["ref"]
        }
      ]
    },
    markdown:
      '<table data-view="cards"><thead><tr><th>A</th><th data-hidden data-card-target data-type="content-ref"></th></tr></thead><tbody><tr><td>a</td><td><a href="b.md">b.md</a></td></tr></tbody></table>',
    reason: "A target of a file or a URL is also the target of an image, of which one is permitted."
  }
]

const references = ["swagger", "openapi-operation", "openapi-webhook", "openapi-schemas"]
const html = ["images", "drawing", "expandable"]
const layouts = ["tabs", "stepper", "columns", "if", "updates"]
const voids = ["reusable-content", "embed", "content-ref", "file", "integration"]

const unlimited = "Markdown does not limit the content of"

/** The exceptions for nesting. Each is necessary: without it, documents of its Markdown are not valid. */
export const nestingExceptions: ReadonlyArray<NestingException> = [
  {
    parent: "DocumentBlocksTopLevels",
    markdown: "…",
    children: ["columns", "if", "updates"],
    reason: "The contract has these blocks, but no place for them, although pages have them at the top level."
  },
  {
    parent: "DocumentBlockQuote",
    markdown: "> …",
    children: ["code", "hint", "table", "math", ...html, ...layouts, ...voids, ...references],
    reason: `${unlimited} quotes, and CommonMark defines code in quotes.`
  },
  {
    parent: "DocumentBlockListItem",
    markdown: "- …",
    children: [...html, ...layouts, ...voids, ...references],
    reason: `${unlimited} lists: steps of instructions contain embeds and tabs.`
  },
  {
    parent: "DocumentBlockHint",
    markdown: '{% hint style="info" %}\n…\n{% endhint %}',
    children: ["code", "blockquote", "hint", "table", "math", ...html, ...layouts, ...voids, ...references],
    reason: `${unlimited} hints: pages have code in hints.`
  },
  {
    parent: "DocumentBlockTabsItem",
    markdown: "{% tabs %}\n{% tab %}\n…\n{% endtab %}\n{% endtabs %}",
    children: ["table", "expandable", "reusable-content", ...layouts, ...references],
    reason: `${unlimited} tabs: pages have tables and steppers in tabs.`
  },
  {
    parent: "DocumentBlockStepperStep",
    markdown: "{% stepper %}\n{% step %}\n…\n{% endstep %}\n{% endstepper %}",
    children: ["table", "expandable", "reusable-content", ...layouts, ...references],
    reason: `${unlimited} steps: pages have tables and tabs in steps.`
  },
  {
    parent: "DocumentBlockColumn",
    markdown: "{% columns %}\n{% column %}\n…\n{% endcolumn %}\n{% endcolumns %}",
    children: ["expandable", "reusable-content", ...layouts, ...references],
    reason: `${unlimited} columns.`
  },
  {
    parent: "DocumentBlockExpandable",
    path: ["properties", "fragments", "items", "oneOf", "1", "allOf", "1", "properties", "nodes", "items"],
    markdown: "<details>\n\n<summary>A</summary>\n\n…\n\n</details>",
    children: [
      "math",
      "drawing",
      "expandable",
      ...layouts,
      ...voids.filter((type) => type !== "reusable-content"),
      ...references
    ],
    reason: `${unlimited} expandable blocks: pages have embeds and steps in them.`
  },
  {
    parent: "DocumentFragment",
    path: ["properties", "nodes", "items"],
    markdown: "<details>\n\n<summary>A</summary>\n\n…\n\n</details>",
    children: ["updates"],
    reason: "The body of an expandable block is a fragment, and the contract has no changelogs."
  },
  {
    parent: "DocumentInlineLink",
    path: ["properties", "nodes", "items"],
    markdown: "[…](page.md)",
    children: ["inline-math", "emoji", "icon", "expression"],
    reason: "Markdown does not limit the text of links: pages have formulas and emojis in links."
  }
]

/** The exceptions for fields. Each is necessary: without it, documents of its Markdown are not valid. */
export const fieldExceptions: ReadonlyArray<FieldException> = [
  {
    schema: "DocumentBlockFile",
    field: "ref",
    permits: "ContentRefURL",
    markdown: '{% file src="../assets/report.pdf" %}',
    reason: "Pages refer to files by paths and URLs, which are not ids of files."
  },
  {
    schema: "DocumentBlockDrawing",
    field: "ref",
    permits: "ContentRefURL",
    markdown: '<img src="../assets/a.svg" alt="" class="gitbook-drawing">',
    reason: "Pages refer to drawings by paths and URLs, which are not ids of files."
  }
]
