/**
 * A grammar of pages: every construct of GitBook's Markdown that real pages have, in the variants that they have.
 *
 * A construct is an arbitrary of lines. Containers indent or enclose the lines of other constructs.
 */
import fc from "fast-check"

/** Lines of Markdown without line feeds. */
type Lines = ReadonlyArray<string>

/** A construct, given the constructs that it can contain. */
type Construct = (content: fc.Arbitrary<Lines>) => fc.Arbitrary<Lines>

const word = fc.constantFrom(
  "alpha",
  "beta",
  "gamma",
  "delta",
  "naïve",
  "日本",
  "x_y",
  "50%",
  "C:\\dir",
  "it's"
)
const phrase = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(" "))

/** Inline constructs in a link that are not text. */
const linkContent = fc.constantFrom(
  "$$x_1$$",
  ":smile:",
  '<i class="fa-gear">:gear:</i>',
  '<code class="expression">space.vars.a</code>',
  '<button type="button" class="button primary">B</button>',
  '<a href="b.md">b</a>',
  "[^1]",
  "`c`"
)

/** Text with inline constructs. */
const text = fc
  .array(
    fc.oneof(
      phrase,
      phrase.map((words) => `**${words}**`),
      phrase.map((words) => `*${words}*`),
      phrase.map((words) => `~~${words}~~`),
      phrase.map((words) => `\`${words}\``),
      phrase.map((words) => `[${words}](../page.md#anchor)`),
      fc.tuple(phrase, linkContent).map(([words, content]) => `[${words} ${content}](../page.md)`),
      fc.constant("![Alt](/files/f1)"),
      fc.constant("https://example.com/a_b"),
      fc.constant("`{% hint %}`"),
      fc.constant("\\{% endhint %}")
    ),
    { minLength: 1, maxLength: 4 }
  )
  .map((parts) => parts.join(" "))

const flag = fc.constantFrom("", ' fullWidth="true"', " fullWidth=true", ' fullWidth="false"', " fullWidth")

/** An attribute that is absent, or has one of several values in one of the kinds of quotes. */
const attribute = (name: string, values: fc.Arbitrary<string>) =>
  fc.oneof(
    fc.constant(""),
    values.map((value) => ` ${name}="${value.replaceAll('"', '\\"')}"`),
    values.filter((value) => !/['"]/.test(value)).map((value) => ` ${name}='${value}'`)
  )

const url = fc.constantFrom(
  "https://www.youtube.com/watch?v=a_b*c*&t=1",
  "https://example.com/a%20b",
  "../guide/page.md#section",
  "/pages/p1",
  "/files/f1",
  "./"
)

const title = fc.oneof(phrase, fc.constant('The "title"'), fc.constant("a &quot; b"), fc.constant("a, b = c"))

const tag = (name: string, ...attributes: ReadonlyArray<fc.Arbitrary<string>>) =>
  fc.tuple(...attributes).map((values) => `{% ${name}${values.join("")} %}`)

const required = (name: string, values: fc.Arbitrary<string>) =>
  values.map((value) => ` ${name}="${value.replaceAll('"', '\\"')}"`)

/** Whether an empty line follows an opening tag, or precedes a closing tag. */
const gap = fc.constantFrom<Lines>([], [], [""])

const enclose = (open: fc.Arbitrary<string>, name: string, content: fc.Arbitrary<Lines>) =>
  fc
    .tuple(open, gap, content, gap)
    .map(([opening, before, lines, after]) => [
      opening,
      ...before,
      ...lines,
      ...after,
      `{% end${name} %}`
    ]) satisfies fc.Arbitrary<Lines>

const indent = (prefix: string, lines: Lines): Lines =>
  lines.map((line, index) => (index === 0 ? prefix : line === "" ? "" : " ".repeat(prefix.length)) + line)

const items = (open: fc.Arbitrary<string>, name: string, content: fc.Arbitrary<Lines>) =>
  fc
    .array(fc.tuple(enclose(open, name, content), gap), { minLength: 1, maxLength: 3 })
    .map((tags) => tags.flatMap(([lines, after]) => [...lines, ...after]))

const link = (label: fc.Arbitrary<string>) => fc.tuple(label, url).map(([words, to]) => [`[${words}](${to})`])

const fence = fc
  .tuple(
    fc.constantFrom("", "js", "yaml title"),
    fc.array(fc.oneof(phrase, fc.constant("{% hint %}"), fc.constant("")), { maxLength: 3 })
  )
  .map(([language, lines]) => [`\`\`\`${language}`, ...lines, "```"])

const caption = fc.oneof(
  fc.constant<Lines>([]),
  text.map((line) => [line])
)

/** Text with inline elements of HTML. */
const htmlText = fc.oneof(
  phrase,
  phrase.map((words) => `<strong>${words}</strong>`),
  phrase.map((words) => `a &#x26; <code>${words}</code>`),
  phrase.map((words) => `<a href="../page.md">${words}</a>`),
  fc.constant('<mark style="color:red;">m</mark>'),
  fc.constant('<i class="fa-gear">:gear:</i>'),
  fc.constant("<kbd>k</kbd>")
)

/** The content of a cell of HTML: text, or blocks. */
const htmlCell = fc.oneof(
  htmlText,
  fc.constant(""),
  fc.tuple(htmlText, htmlText).map(([one, other]) => `<p>${one}</p><p>${other}</p>`),
  fc.tuple(phrase, htmlText).map(([title, body]) => `<h4>${title}</h4><ul><li>${body}</li></ul>`)
)

const htmlTable = fc
  .tuple(
    fc.constantFrom("", ' data-header-hidden data-full-width="true"', ' data-view="cards"'),
    fc.constantFrom("<th>A</th>", "<th data-hidden>A</th>", '<th valign="top">A</th>'),
    fc.array(fc.tuple(htmlCell, htmlCell), { maxLength: 3 })
  )
  .map(([attributes, header, rows]) => {
    const valign = header.includes("valign") ? ' valign="top"' : ""
    const cells = rows.map(([one, other]) => `<tr><td${valign}>${one}</td><td>${other}</td></tr>`).join("")
    return [`<table${attributes}><thead><tr>${header}<th>B</th></tr></thead><tbody>${cells}</tbody></table>`]
  })

const typedTable = fc
  .tuple(fc.integer({ min: 0, max: 5 }), fc.boolean(), url)
  .map(([rating, checked, to]) => [
    '<table data-view="cards"><thead><tr><th></th><th data-type="rating" data-max="5">R</th>' +
      '<th data-type="checkbox">C</th><th data-hidden data-card-target data-type="content-ref"></th></tr></thead>' +
      `<tbody><tr><td>a</td><td>${rating}</td><td>${checked}</td><td><a href="${to}">x</a></td></tr></tbody></table>`
  ])

const figure = fc
  .tuple(url, fc.constantFrom("", ' width="375"', ' data-size="line"'), htmlText)
  .map(([src, attributes, words]) => [
    `<figure><img src="${src}" alt="a"${attributes}><figcaption><p>${words}</p></figcaption></figure>`
  ])

/** An annotation with its body. An equal label on the same page would be a footnote, which is valid, too. */
const annotation = fc
  .tuple(phrase, fc.integer({ min: 1, max: 1_000_000 }), phrase)
  .map(([words, label, body]) => [
    `Text [${words.replaceAll("\\", "")}](#user-content-fn-${label})[^${label}].`,
    "",
    `[^${label}]: ${body}`
  ])

/** Constructs without blocks, by name. */
const leaves: Readonly<Record<string, fc.Arbitrary<Lines>>> = {
  paragraph: fc.array(text, { minLength: 1, maxLength: 2 }),
  heading: fc
    .tuple(fc.integer({ min: 1, max: 6 }), text)
    .map(([level, line]) => [`${"#".repeat(level)} ${line}`]),
  codeOfLines: fc
    .tuple(
      fc.constantFrom("", "\n", "\n  "),
      fc.array(fc.oneof(phrase, fc.constantFrom("--option", "  - x", "a \\ ", "> b", "# c", "1. d")), {
        minLength: 1,
        maxLength: 3
      }),
      fc.constantFrom("\n", "\n  ", "\n    ")
    )
    .map(([start, lines, separator]) => `Code \`${start}${lines.join(separator)}\` ends.`.split("\n")),
  codeInTag: fc
    .tuple(phrase, phrase)
    .map(([one, other]) => [`Text <code>${one}`, `<em>${other}</em>.</code>`]),
  linkInTag: phrase.map((words) => [`Text <a href="b.md">${words} [${words}](c.md) $$x$$</a>.`]),
  lazyTag: fc
    .tuple(fc.constantFrom("- ", "  - ", "1. "), fc.constantFrom("</T>", '<T v="x">', "</T>\n<T>"), phrase)
    .map(([marker, tags, words]) => [`${marker}${words}`, ...tags.split("\n")]),
  adjacentLists: fc
    .array(
      fc.tuple(
        fc.constantFrom("", "  ", "    "),
        fc.constantFrom("- ", "* ", "1. ", "1) ", "- [x] "),
        phrase
      ),
      {
        minLength: 2,
        maxLength: 4
      }
    )
    .map((lines) => lines.map(([indentation, marker, words]) => indentation + marker + words)),
  divider: fc.constantFrom(["---"], ["***"]),
  fence,
  images: fc.constantFrom(['![Alt](/files/f1 "Caption")'], ["![a](a.png)", "![b](b.png)"]),
  table: fc
    .array(fc.tuple(phrase, text), { minLength: 1, maxLength: 3 })
    .map((rows) => ["| A | B |", "| --- | :-: |", ...rows.map((cells) => `| ${cells.join(" | ")} |`)]),
  htmlTable,
  typedTable,
  figure,
  annotation,
  preformatted: phrase.map((words) => [
    `<pre class="language-js" data-title="a.js"><code class="lang-js"><strong>${words}`,
    "</strong>second</code></pre>"
  ]),
  alignedText: fc
    .tuple(fc.constantFrom("p", "h2"), htmlText)
    .map(([name, words]) => [`<${name} align="center">${words}</${name}>`]),
  math: fc.constantFrom(["$$", "a \\\\ b * c", "$$"], ["A $$x_1 * y$$ formula"]),
  cellsWithParagraphs: fc
    .tuple(phrase, phrase, fc.array(fc.oneof(fc.constant(""), phrase), { minLength: 1, maxLength: 2 }))
    .map(([one, other, titles]) => [
      `| ${titles.map((title) => `<p>${title}</p>`).join("")} | B |`,
      "| :- | - |",
      `| <p>${one}</p><p>**${other}**</p> | ${one} |`
    ]),
  cellsWithBreaks: fc
    .tuple(text, text)
    .map(([one, other]) => [
      "| A |",
      "| - |",
      `| ${one.replaceAll("|", "")}<br>${other.replaceAll("|", "")} |`
    ]),
  html: fc.constantFrom(
    ["<div>x</div>"],
    ["<!-- comment -->"],
    ["<!--comment", "", "comment-->"],
    ["<?instruction?>"],
    ["<!DECLARATION>"],
    ["<script>", "let x", "</script>"],
    ["<section>", "x", "</section>"]
  ),
  titledCode: enclose(
    tag(
      "code",
      attribute("title", title),
      attribute("overflow", fc.constantFrom("wrap", "scroll")),
      attribute("lineNumbers", fc.constantFrom("true", "false")),
      fc.constantFrom("", ' expandable="true"'),
      attribute("other", phrase)
    ),
    "code",
    fence
  ),
  embed: tag("embed", required("url", url), flag).map((line) => [line]),
  embedWithCaption: enclose(tag("embed", required("url", url)), "embed", caption),
  file: tag("file", required("src", url)).map((line) => [line]),
  fileWithCaption: enclose(tag("file", required("src", url)), "file", caption),
  contentRef: enclose(
    tag("content-ref", required("url", url)),
    "content-ref",
    fc.oneof(link(phrase), fc.constant<Lines>([]))
  ),
  pageRef: tag("page-ref", required("page", url)).map((line) => [line]),
  inclusion: fc.constantFrom(
    ['{% include "/reusable-contents/r1" %}'],
    ['{% include "../../.gitbook/includes/note.md" %}']
  ),
  openApi: enclose(
    tag(
      "openapi",
      required("src", url),
      required("path", fc.constant("/pets/{id}")),
      required("method", fc.constant("get")),
      flag
    ),
    "openapi",
    link(phrase)
  ),
  operation: enclose(
    tag(
      "openapi-operation",
      required(
        "spec",
        word.filter((name) => /^\w+$/.test(name))
      ),
      fc.constant(' path="/" method="post"')
    ),
    "openapi-operation",
    fc.oneof(link(phrase), fc.constant<Lines>([]))
  ),
  webhook: fc.constant([
    '{% openapi-webhook spec="a" name="sold" method="post" %}',
    "{% endopenapi-webhook %}"
  ]),
  schemas: enclose(
    tag(
      "openapi-schemas",
      fc.constant(' spec="a" schemas="Pet, Order"'),
      fc.constantFrom("", ' grouped="true"')
    ),
    "openapi-schemas",
    link(fc.constant("OpenAPI a"))
  ),
  integration: tag(
    "@github-files/github-code-block",
    required("url", url),
    attribute("lines", phrase),
    fc.constantFrom("", " count=5"),
    flag
  ).map((line) => [line]),
  diagram: fc.constant(['{% @mermaid/diagram content="graph TD', "  A-->B", "", '  B--&gt;C" %}'])
}

/** Constructs with blocks, by name. */
const containers: Readonly<Record<string, Construct>> = {
  quote: (content) => content.map((lines) => lines.map((line) => (line === "" ? ">" : `> ${line}`))),
  list: (content) =>
    fc
      .tuple(
        fc.constantFrom("- ", "* ", "1. ", "1) "),
        fc.array(fc.tuple(text, gap, content), { minLength: 1, maxLength: 2 })
      )
      .map(([marker, entries]) =>
        entries.flatMap(([line, between, lines]) => indent(marker, [line, ...between, ...lines]))
      ),
  details: (content) =>
    fc
      .tuple(fc.constantFrom("<details>", "<details open>"), htmlText, content)
      .map(([open, summary, lines]) => [
        open,
        "",
        `<summary>${summary}</summary>`,
        "",
        ...lines,
        "",
        "</details>"
      ]),
  hint: (content) =>
    enclose(
      tag(
        "hint",
        attribute("style", fc.constantFrom("info", "warning", "danger", "success", "tip")),
        attribute("icon", fc.constant("gear"))
      ),
      "hint",
      content
    ),
  tabs: (content) =>
    enclose(
      fc.constantFrom("{% tabs %}", "{%tabs%}", '{% tabs fullWidth="true" %}'),
      "tabs",
      items(tag("tab", attribute("title", title), attribute("icon", fc.constant("apple"))), "tab", content)
    ),
  stepper: (content) => enclose(fc.constant("{% stepper %}"), "stepper", items(tag("step"), "step", content)),
  columns: (content) =>
    enclose(
      tag("columns", flag),
      "columns",
      items(
        tag(
          "column",
          attribute("width", fc.constantFrom("50%", "41.66666666666667%", "200px", "200")),
          attribute("valign", fc.constantFrom("top", "middle", "bottom"))
        ),
        "column",
        content
      )
    ),
  updates: (content) =>
    enclose(
      tag("updates", attribute("format", fc.constant("full"))),
      "updates",
      items(
        tag(
          "update",
          attribute("date", fc.constant("2026-01-31")),
          attribute("tags", fc.constant("new-releases,fixes"))
        ),
        "update",
        content
      )
    ),
  if: (content) =>
    enclose(
      fc.constantFrom('{% if visitor.claims.plan == "pro" %}', "{% if !visitor.claims.beta && a > 1 %}"),
      "if",
      content
    )
}

/** The names of all constructs. */
export const constructs: ReadonlyArray<string> = [...Object.keys(leaves), ...Object.keys(containers)]

const blank: Lines = [""]

const joinBlocks = (blocks: ReadonlyArray<Lines>): Lines =>
  blocks.flatMap((lines, index) => (index === 0 ? lines : [...blank, ...lines]))

const block = (depth: number): fc.Arbitrary<Lines> => {
  const leaf = fc.oneof(...Object.values(leaves))
  if (depth === 0) return leaf
  const content = fc.array(block(depth - 1), { minLength: 1, maxLength: 3 }).map(joinBlocks)
  return fc.oneof(
    { arbitrary: leaf, weight: 1 },
    { arbitrary: fc.oneof(...Object.values(containers).map((construct) => construct(content))), weight: 1 }
  )
}

/** One construct with simple content. */
export const constructOf = (name: string): fc.Arbitrary<string> => {
  const leaf = leaves[name]
  const lines = leaf ?? containers[name]!(block(0))
  return lines.map((lines) => `${lines.join("\n")}\n`)
}

/** Pages of all constructs. */
export const page: fc.Arbitrary<string> = fc
  .array(block(2), { minLength: 1, maxLength: 4 })
  .map((blocks) => `${joinBlocks(blocks).join("\n")}\n`)
