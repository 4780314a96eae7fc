/** Attacks on the Markdown parser, by pages, comments and front matter. */
import { type Attack, attackWith, fill, fillWith, fitJson } from "../Attack.ts"

/** The maximum size of a document, which has at most 12,000 nodes of about 250 bytes, and of a published page, with escaped characters. */
const documentBytes = 3_000_000 + 4_500_000

/** Writes a page, and reads it as a document and as a page of the published site. */
const pageAttack = (parser: string, name: string, markdown: () => string): Attack => ({
  parser,
  name,
  costs: { responseBytes: documentBytes },
  prepare: async ({ space, published, call }) => {
    const inserted = await call<{ id: string; changes: ReadonlyArray<{ page?: string }> }>(
      "POST",
      `${space}/content`,
      {
        changes: [
          { operation: "insert_page", type: "document", title: name, document: { markdown: "Text." } }
        ]
      }
    )
    const { pages } = await call<{ pages: ReadonlyArray<{ id: string; title: string; path: string }> }>(
      "GET",
      `${space}/content/pages`
    )
    const { id: page, path } = pages.findLast(({ title }) => title === name)!
    return {
      requests: [
        {
          method: "POST",
          path: `${space}/content`,
          body: {
            changes: [{ operation: "update_page", page, document: { markdown: fitJson(markdown()) } }],
            message: inserted.id
          }
        },
        { method: "GET", path: `${space}/content/page/${page}?format=document` },
        { method: "GET", path: `${published}${path}`, isAnonymous: true }
      ]
    }
  }
})

const markdown = (name: string, text: () => string) => pageAttack("Markdown", name, text)
const frontMatter = (name: string, yaml: () => string) =>
  pageAttack("front matter", name, () => `---\n${yaml()}\n---\n\nText.\n`)
const large = 900_000

/** Writes a page, and replaces it by a document whose differences are computed. */
const editAttack = (name: string, before: () => string, document: () => string): Attack => ({
  parser: "edit",
  name,
  costs: { responseBytes: documentBytes },
  prepare: async ({ space, call }) => {
    await call("POST", `${space}/content`, {
      changes: [{ operation: "insert_page", type: "document", title: name, document: { markdown: before() } }]
    })
    const { pages } = await call<{ pages: ReadonlyArray<{ id: string; title: string }> }>(
      "GET",
      `${space}/content/pages`
    )
    const page = pages.findLast(({ title }) => title === name)!.id
    const change = `{"operation":"update_page","page":"${page}","document":{"document":{"object":"document","data":{},"nodes":[${document()}]}}}`
    return { requests: [{ method: "POST", path: `${space}/content`, body: `{"changes":[${change}]}` }] }
  }
})

/** Writes pages, and changes them in one batch. */
const batchAttack = (
  name: string,
  count: number,
  before: () => string,
  change: (page: string) => string
): Attack => ({
  parser: "edit",
  name,
  costs: { responseBytes: documentBytes },
  prepare: async ({ space, call }) => {
    const changed: Array<string> = []
    for (let i = 0; i < count; i++) {
      const title = `${name} ${i}`
      const changes = [
        { operation: "insert_page", type: "document", title, document: { markdown: `${before()}${i}` } }
      ]
      const { changes: made } = await call<{ changes: ReadonlyArray<{ page: { id: string } }> }>(
        "POST",
        `${space}/content`,
        { changes }
      )
      changed.push(change(made[0]!.page.id))
    }
    return {
      requests: [{ method: "POST", path: `${space}/content`, body: `{"changes":[${changed.join(",")}]}` }]
    }
  }
})

const paragraphNode = (text: string) =>
  `{"object":"block","type":"paragraph","nodes":[{"object":"text","leaves":[{"object":"leaf","text":"${text}","marks":[]}]}]}`

/** Attacks on Markdown. Some have 45 kB, because a larger input is rejected or parsed elsewhere. */
export const markdownAttacks: ReadonlyArray<Attack> = [
  markdown("a wide table of 45 kB", () => `${fill("|a", 22_000)}|\n${fill("|-", 22_000)}|\n`),
  markdown("a tall table of 45 kB", () => `|a|b|\n|-|-|\n${fill("|a|b|\n", 45_000)}`),
  markdown(
    "a table of short rows of 13 kB",
    () => `${fill("|a", 3000)}|\n${fill("|-", 3000)}|\n${fill("|\n", 7000)}`
  ),
  markdown("a tall table", () => `|a|b|\n|-|-|\n${fill("|a|b|\n", large)}`),
  markdown("a wide table", () => `${fill("|a", large / 2)}|\n${fill("|-", large / 2)}|\n`),
  markdown("footnotes of 45 kB", () => fillWith((i) => `[^${i}]\n\n[^${i}]: a\n\n`, "", 45_000)),
  markdown("footnotes", () => fillWith((i) => `[^${i}]\n\n[^${i}]: a\n\n`, "", large)),
  markdown("code ticks of 30 kB", () => fillWith((i) => `${"`".repeat((i % 200) + 1)} `, "", 30_000)),
  markdown("code ticks", () => fillWith((i) => `${"`".repeat((i % 800) + 1)} `, "", large)),
  markdown("opening brackets", () => fill("[", large)),
  markdown("image brackets", () => fill("![", large)),
  markdown("closing brackets", () => fill("a]", large)),
  markdown("links in links of 45 kB", () => fill("[a](", 45_000)),
  markdown("emphasis of 45 kB", () => fill("*a **a ", 45_000)),
  markdown("emphasis", () => fill("*a_ ", large)),
  markdown("nested quotes", () => fillWith((i) => `${">".repeat((i % 200) + 1)} a\n`, "", large)),
  markdown("list items", () => fill("- a\n", large)),
  markdown("list items of 45 kB", () => fill("- a\n", 45_000)),
  markdown("nested lists of 45 kB", () => fillWith((i) => `${"  ".repeat(i % 100)}- a\n`, "", 45_000)),
  markdown("paragraphs of 45 kB", () => fill("a\n\n", 45_000)),
  markdown("paragraphs", () => fill("a\n\n", large)),
  markdown("bare addresses of 45 kB", () => fill("www.a ", 45_000)),
  markdown("bare addresses", () => fill("www.", large)),
  markdown("e-mail addresses", () => fill("a@b", large)),
  markdown("entities", () => fill("&a;&#x1;", large)),
  markdown("unclosed comments", () => fill("<!--", large)),
  markdown("unclosed tags", () => fill("<a ", large)),
  markdown("definitions", () => fillWith((i) => `[a${i}]: b\n`, "", large)),
  markdown("setext underlines", () => fill("a\n=\n", large)),
  markdown("headings of 45 kB", () => fill("# a\n", 45_000)),
  markdown("backslashes", () => fill("\\", large)),
  markdown("unclosed tags of blocks of 45 kB", () => fill("{% hint %}\n", 45_000)),
  markdown("unclosed tags of blocks", () => fill("{% ", large)),
  markdown("tags cut across lines of 45 kB", () => fill('{% hint style="\na\n', 45_000)),
  markdown("tags cut across lines", () => fill('{% hint style="\na\n', large)),
  markdown("mixed tags of 45 kB", () =>
    fill("{% tabs %}\n{% tab %}\n{% endtabs %}\n{% embed url=a %}\na\n", 45_000)
  ),
  markdown("unclosed tags of lines of 45 kB", () => fill("{% a\n", 45_000)),
  markdown("tags in text", () => fill("a {% a ", large)),
  markdown("a tag of attributes", () => `{% hint ${fill('a="b" ', large)}%}\n{% endhint %}`),
  markdown("tags in quotes", () => fill('> {% a b="\n', large)),
  markdown("tags in HTML", () => fill("<div>\n{% hint %}\n", large)),
  markdown("closed tags in a line", () => fill("{% a %} ", large)),
  markdown("HTML blocks", () => fill("<div>\n\n", large)),
  markdown("nested HTML elements of 45 kB", () => `${fill("<b><i>", 22_000)}a${fill("</b></i>", 22_000)}`),
  markdown("tables in HTML", () => `<table>${fill("<tr><td>", large)}`),
  markdown("figures of 45 kB", () => fill('<figure><img src="a"></figure>\n\n', 45_000)),
  markdown("expandable blocks of 45 kB", () => fill("<details>\n\n<summary>a</summary>\n\n", 45_000)),
  markdown(
    "cards in HTML of 45 kB",
    () =>
      `<table data-view="cards"><tbody>${fill("<tr><td><a href=a>b</a></td></tr>", 45_000)}</tbody></table>`
  ),
  markdown("a fence of list items in a comment", () => `<!--\n\`\`\`\n-->\n${fill("- a\n", large)}`),
  markdown("lines of code", () => `\`\`\`\n${fill("a\n", large)}`),
  markdown("a heading of brackets", () => `# ${fill("[", large)}`),
  markdown("links that do not end", () => fill("b[a](", large)),
  markdown("links that do not end in paragraphs", () => fill(`${fill("b[a](", 2_000)}\n\n`, large)),
  markdown("images that do not end", () => fill("a![", large)),
  markdown("tags that do not end after text", () => `a ${fill("<", large)}`),
  markdown("code of a language", () => `\`\`\`js\n${fill("const b = 1 // {}[]()\n", large)}`),
  markdown("code of a language in blocks of 45 kB", () => fill("```js\nconst a = `b`\n```\n\n", 45_000)),
  markdown("a diagram", () => `\`\`\`mermaid\ngraph TD\n${fill("A-->B\n", 120_000)}\`\`\``),
  markdown(
    "nested conditions of 45 kB",
    () => `${fill("{% if a %}\n", 22_000)}a\n${fill("{% endif %}\n", 22_000)}`
  ),
  markdown(
    "nested hints of 45 kB",
    () => `${fill("{% hint %}\n", 22_000)}a\n${fill("{% endhint %}\n", 22_000)}`
  ),
  markdown("expressions of 45 kB", () => fill("{{ visitor.claims.a }} ", 45_000)),
  markdown("formulas of 45 kB", () => fill("$$\\frac{a}{b}$$ ", 45_000)),
  markdown(
    "macros in a formula",
    () =>
      `$$${Array.from({ length: 8 }, (_, i) => `\\def\\${"abcdefgh"[i]}{${(i === 0 ? "b" : `\\${"abcdefgh"[i - 1]}`).repeat(10)}}`).join("")}\\h$$`
  ),
  markdown("emoji of 45 kB", () => fill(":smile: ", 45_000)),
  markdown("math", () => fill("$$a", large)),
  markdown("tabs", () => fill("\t\n", large)),
  markdown("strikethrough of 45 kB", () => fill("~a ~~a ", 45_000)),
  markdown("one long line", () => fill("a", large)),
  // SQLite inserts the words of a page in one statement.
  {
    ...markdown("words", () => fillWith((i) => `w${i.toString(36)} `, "", large)),
    costs: { heldFactor: 4, responseBytes: documentBytes }
  },
  markdown("words of 140 kB", () => fillWith((i) => `w${i.toString(36)} `, "", 140_000)),
  editAttack(
    "a small edit of an expensive page",
    () => fill("- a\n", 18_000),
    () => paragraphNode("a")
  ),
  editAttack(
    "a rewrite of paragraphs",
    () => fill("a *b* c\n\n", 80_000),
    () => fillWith((i) => paragraphNode(`b *${i % 7}*`), ",", 400_000)
  ),
  editAttack(
    "a rewrite of a table",
    () => `|a|b|\n|-|-|\n${fill("|a|b|\n", 30_000)}`,
    () => fillWith((i) => paragraphNode(`|${i}|`), ",", 400_000)
  ),
  batchAttack(
    "20 small edits of expensive pages",
    20,
    () => fill("- a\n", 11_000),
    (page) =>
      `{"operation":"update_page","page":"${page}","document":{"document":{"object":"document","data":{},"nodes":[${paragraphNode("a")}]}}}`
  ),
  batchAttack(
    "reverted blocks of 20 expensive pages",
    20,
    () => fill("- a\n", 11_000),
    (page) => `{"operation":"revert_page","page":"${page}","block":["0.0"]}`
  ),
  batchAttack(
    "a reverted block of an expensive page",
    1,
    () => fill("- a\n", 9000),
    (page) => `{"operation":"revert_page","page":"${page}","block":["0.0"]}`
  ),
  batchAttack(
    "20 pages of lists of 20 kB",
    20,
    () => "",
    (page) =>
      `{"operation":"update_page","page":"${page}","document":{"markdown":"${fill("- a\\n", 20_000)}"}}`
  ),
  attackWith("Markdown", "a comment of markers", ({ space }) => ({
    method: "POST",
    path: `${space}/comments`,
    body: { body: { markdown: fill("*a _b [", 9_900) } }
  })),
  frontMatter("aliases", () => `a: &a [x]\n${fillWith((i) => `b${i}: [*a, *a]\n`, "", 100_000)}`),
  frontMatter(
    "aliases of aliases",
    () =>
      `a0: &a0 [x]\n${Array.from({ length: 30 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i},`.repeat(9)}]`).join("\n")}`
  ),
  frontMatter("nested flow lists", () => `title: ${fill("[", 100_000)}`),
  frontMatter("nested flow maps", () => `title: ${fill("{a: ", 100_000)}`),
  frontMatter("keys", () => fillWith((i) => `k${i}: 1`, "\n", 600_000)),
  frontMatter("indentation", () => fillWith((i) => `${" ".repeat(i)}a:`, "\n", 500_000)),
  frontMatter("quotes", () => `title: "${fill("\\x41", 600_000)}"`),
  frontMatter("comments", () => fill("# a\n", 600_000)),
  frontMatter("a block scalar", () => `title: >\n${fill("  a\n\n", 600_000)}`)
]
