/** The nodes of documents with their Markdown. `docs/blocks.md` is generated from this table. */

/** A type of node with an example of its Markdown. */
export interface NodeRow {
  readonly kind: "block" | "inline" | "mark"
  readonly type: string
  /** Markdown that has a node of this type. */
  readonly markdown: string
  /** A remark on the form in a document. */
  readonly note?: string
}

const block = (type: string, markdown: string, note?: string): NodeRow => ({
  kind: "block",
  type,
  markdown,
  ...(note === undefined ? {} : { note })
})
const inline = (type: string, markdown: string, note?: string): NodeRow => ({
  ...block(type, markdown, note),
  kind: "inline"
})
const mark = (type: string, markdown: string, note?: string): NodeRow => ({
  ...block(type, markdown, note),
  kind: "mark"
})

/** One row per type, in the order of the documentation. */
export const nodeTable: ReadonlyArray<NodeRow> = [
  block("paragraph", "Text"),
  block("heading-1", "# Title"),
  block("heading-2", "## Title"),
  block("heading-3", "### Title", "`data.depth` is 4 to 6 for lower levels."),
  block("divider", "---"),
  block("blockquote", "> Text"),
  block("list-ordered", "2. Item"),
  block("list-unordered", "- Item"),
  block("list-tasks", "- [x] Task"),
  block("list-item", "- Item", "`data.checked` is set in tasks."),
  block(
    "code",
    '{% code title="a.ts" lineNumbers="true" %}\n```ts\nlet a\n```\n{% endcode %}',
    "Also without the tag."
  ),
  block("code-line", "```\nlet a\n```"),
  block(
    "table",
    "| A |\n| --- |\n| 1 |",
    'Cards and typed columns: `<table data-view="cards">` and `<th data-type="content-ref">`.'
  ),
  block(
    "images",
    '<div align="left"><figure><img src="/files/f1" alt="Alt"><figcaption></figcaption></figure></div>',
    '`![Alt](/files/f1 "Caption")` as the only content of a paragraph, outside of lists, quotes and hints, has `data.markdown`.'
  ),
  block(
    "image",
    '<figure><img src="/files/f1" alt="Alt" width="375"><figcaption><p>Caption</p></figcaption></figure>',
    "Several images, and settings, are in a `<div>`."
  ),
  block(
    "hint",
    '{% hint style="info" icon="gear" %}\nText\n{% endhint %}',
    "An unknown style is in `data.attributes`."
  ),
  block("tabs", '{% tabs %}\n{% tab title="A" %}\nText\n{% endtab %}\n{% endtabs %}'),
  block("tabs-item", '{% tabs %}\n{% tab title="A" icon="gear" %}\nText\n{% endtab %}\n{% endtabs %}'),
  block("stepper", "{% stepper %}\n{% step %}\nText\n{% endstep %}\n{% endstepper %}"),
  block("stepper-step", "{% stepper %}\n{% step %}\nText\n{% endstep %}\n{% endstepper %}"),
  block("columns", "{% columns %}\n{% column %}\nText\n{% endcolumn %}\n{% endcolumns %}"),
  block(
    "column",
    '{% columns %}\n{% column width="50%" valign="middle" %}\nText\n{% endcolumn %}\n{% endcolumns %}'
  ),
  block("if", "{% if visitor.claims.beta %}\nText\n{% endif %}"),
  block(
    "updates",
    '{% updates format="full" %}\n{% update date="2026-01-31" %}\nText\n{% endupdate %}\n{% endupdates %}',
    "Not in the public contract."
  ),
  block(
    "update",
    '{% updates %}\n{% update date="2026-01-31" tags="new,fixes" %}\nText\n{% endupdate %}\n{% endupdates %}',
    "Not in the public contract."
  ),
  block(
    "embed",
    '{% embed url="https://example.com/video" %}\nCaption\n{% endembed %}',
    "Also without a caption."
  ),
  block(
    "content-ref",
    '{% content-ref url="/pages/p1" %}\n[Title](/pages/p1)\n{% endcontent-ref %}',
    '`{% page-ref page="…" %}` is an older form.'
  ),
  block("file", '{% file src="/files/f1" %}\nCaption\n{% endfile %}', "Also without a caption."),
  block(
    "reusable-content",
    '{% include "/reusable-contents/r1" %}',
    "A path of a file, as in `../.gitbook/includes/note.md`, is the id."
  ),
  block(
    "swagger",
    '{% openapi src="https://example.com/api.json" path="/pets" method="get" %}\n[https://example.com/api.json](https://example.com/api.json)\n{% endopenapi %}'
  ),
  block(
    "openapi-operation",
    '{% openapi-operation spec="petstore" path="/pets" method="get" %}\n[OpenAPI petstore](https://example.com/api.json)\n{% endopenapi-operation %}'
  ),
  block(
    "openapi-webhook",
    '{% openapi-webhook spec="petstore" name="sold" method="post" %}\n[OpenAPI petstore](https://example.com/api.json)\n{% endopenapi-webhook %}'
  ),
  block(
    "openapi-schemas",
    '{% openapi-schemas spec="petstore" schemas="Pet,Order" grouped="true" %}\n[OpenAPI petstore](https://example.com/api.json)\n{% endopenapi-schemas %}'
  ),
  block(
    "integration",
    '{% @mermaid/diagram content="graph TD" %}',
    "Attributes are `props`, except `url` and `fullWidth`."
  ),
  block("drawing", '<img src="/files/f1" alt="Alt" class="gitbook-drawing">'),
  block(
    "expandable",
    "<details>\n\n<summary>Title</summary>\n\nText\n\n</details>",
    "`<details open>` has `open`, next to `data`."
  ),
  block("math", "$$\na \\\\ b\n$$", "Also `$$a$$` as the only content of a paragraph."),
  inline("link", "[Text](/pages/p1)", "Also `<a href>`."),
  inline(
    "inline-image",
    'Text <img src="/files/f1" alt="Alt" data-size="line">',
    "Without a size, as in Markdown. `<picture>` has `refDark`."
  ),
  inline("inline-math", "Text $$x^2$$"),
  inline(
    "emoji",
    "Text :smile:",
    'Unknown names: `<span data-gb-custom-inline data-tag="emoji" data-code="…">`.'
  ),
  inline("icon", 'Text <i class="fa-gear">:gear:</i>'),
  inline("expression", 'Text <code class="expression">space.vars.name</code>'),
  inline("mention", 'Text [page.md](page.md "mention")', "`<a data-mention href>` in tables."),
  inline(
    "button",
    '<a href="/pages/p1" class="button primary" data-icon="gear">Label</a>',
    "With `data.action` and `data.query`, `<button data-action data-query>`."
  ),
  inline("annotation", "[Text](#user-content-fn-1)[^1]\n\n[^1]: Note"),
  mark("bold", "**Text**"),
  mark("italic", "*Text*"),
  mark("strikethrough", "~~Text~~"),
  mark("code", "`Text`"),
  mark("keyboard", "<kbd>Text</kbd>"),
  mark("superscript", "<sup>Text</sup>"),
  mark("subscript", "<sub>Text</sub>"),
  mark("color", '<mark style="color:red;">Text</mark>', "Also `background-color`.")
]

/** Types of the contract that have no row yet. */
export const typesWithoutRow: ReadonlyArray<string> = []
