/** The blocks that tests compare in the editor and the reader, as Markdown. `FILE` is the id of an image, and `PAGE` that of a page. */

/** A block on a page of its own. */
export interface ComparedBlock {
  readonly name: string
  readonly markdown: string
  /** The largest part of the pixels that differs. Controls that only the editor has need more than text. */
  readonly tolerance?: number
}

const block = (name: string, markdown: string, tolerance?: number): ComparedBlock => ({
  name,
  markdown: `${markdown}\n`,
  ...(tolerance === undefined ? {} : { tolerance })
})

/** Each block. */
export const comparedBlocks: ReadonlyArray<ComparedBlock> = [
  block(
    "paragraph",
    'Text with **bold**, *italic*, ~~deleted~~, `code`, <kbd>Ctrl</kbd> + <kbd>K</kbd>, H<sub>2</sub>O, x<sup>2</sup>, <mark style="color:red;">red text</mark> and <mark style="background-color:yellow;">highlighted text</mark>.'
  ),
  block("headings", "# One\n\nText.\n\n## Two\n\nText.\n\n### Three\n\nText."),
  block("lists", "1. First\n2. Second\n   * Nested\n   * Nested too\n3. Third"),
  block("tasks", "- [x] Done\n- [ ] Not done"),
  block("quote", "> A quote of someone.\n>\n> In two paragraphs."),
  block(
    "code",
    '{% code title="src/server.ts" lineNumbers="true" %}\n```ts\nimport { createServer } from "node:http"\n\n/** Starts a server. */\nexport const start = (port: number): void => {\n  createServer().listen(port)\n}\n```\n{% endcode %}',
    0.12
  ),
  block(
    "hints",
    '{% hint style="info" %}\nThis is **information**.\n{% endhint %}\n\n{% hint style="warning" %}\n### Be careful\n\nWarnings can have headings.\n{% endhint %}\n\n{% hint style="danger" %}\nThis deletes everything.\n{% endhint %}\n\n{% hint style="success" %}\nIt works.\n{% endhint %}'
  ),
  block(
    "tabs",
    '{% tabs %}\n{% tab title="npm" %}\nInstall with npm.\n{% endtab %}\n\n{% tab title="pnpm" %}\nInstall with pnpm.\n{% endtab %}\n{% endtabs %}',
    0.12
  ),
  block(
    "stepper",
    "{% stepper %}\n{% step %}\n### Install it\n\nRun the installer.\n{% endstep %}\n\n{% step %}\n### Open it\n\nThen open the browser.\n{% endstep %}\n{% endstepper %}"
  ),
  block(
    "table",
    "| Name | Type | Count |\n| --- | :---: | ---: |\n| `pages` | document | 1,024 |\n| `files` | binary | 12 |\n| **Total** | | 1,036 |"
  ),
  block(
    "typed table",
    '<table><thead><tr><th>Feature</th><th data-type="checkbox">Done</th><th data-type="rating" data-max="5">Rating</th></tr></thead><tbody><tr><td>Search</td><td>true</td><td>4</td></tr><tr><td>Export</td><td>false</td><td>2</td></tr></tbody></table>',
    0.15
  ),
  block(
    "columns",
    '{% columns %}\n{% column width="50%" %}\n### Left\n\nThe text of the left column.\n{% endcolumn %}\n\n{% column %}\n### Right\n\nThe text of the right column.\n{% endcolumn %}\n{% endcolumns %}'
  ),
  block(
    "expandable",
    "<details>\n\n<summary>What is inside?</summary>\n\nThe answer, with `code`.\n\n</details>",
    0.2
  ),
  block("formula", "$$\n\\int_{-\\infty}^{\\infty} e^{-x^2} \\, dx = \\sqrt{\\pi}\n$$", 0.1),
  block(
    "image",
    '<figure><img src="/files/FILE" alt="A gradient" width="480"><figcaption><p>A figure with a caption</p></figcaption></figure>'
  ),
  block("file", '{% file src="/files/FILE" %}\nThe file\n{% endfile %}', 0.12),
  block("embed", '{% embed url="https://github.com/example/repository" %}', 0.12),
  block(
    "buttons",
    '<a href="https://example.com" class="button primary" data-icon="rocket">Get started</a> <a href="https://example.com" class="button secondary">Learn more</a>'
  ),
  block(
    "updates",
    '{% updates %}\n{% update date="2026-01-31" tags="new,fixes" %}\n## Version 2\n\nEverything is better.\n{% endupdate %}\n{% endupdates %}',
    0.12
  ),
  block("page link", '{% content-ref url="/pages/PAGE" %}\n[A page](/pages/PAGE)\n{% endcontent-ref %}'),
  block(
    "inline nodes",
    'An icon <i class="fa-heart">:heart:</i>, an emoji :rocket:, a formula $$a^2 + b^2$$, a note on [these words](#user-content-fn-1)[^1], a [link](https://example.com) and a [page](/pages/PAGE).\n\n[^1]: The note'
  ),
  block(
    "cards",
    '<table data-view="cards"><thead><tr><th>Title</th><th>Text</th></tr></thead><tbody><tr><td><strong>First</strong></td><td>The text of the card</td></tr><tr><td><strong>Second</strong></td><td>Another text</td></tr></tbody></table>',
    0.15
  ),
  block("divider", "Above\n\n***\n\nBelow")
]
