/** Tests of reading web pages with the markup of various site generators. */
import { readers } from "@lectern/converters/imports"
import { NotReadable } from "@lectern/core"
import { expect, it } from "vitest"

const readPage = (content: string, { whole = true, head = "" } = {}) =>
  readers.html({
    bytes: new TextEncoder().encode(`<html><head>${head}</head><body>${content}</body></html>`),
    url: "https://acme.example/docs/page",
    mark: "m",
    isWhole: whole
  })

const code = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\`\n`

it("finds the language of a code block in the markup of each generator", () => {
  const cases: ReadonlyArray<readonly [html: string, language: string]> = [
    ['<pre><code class="language-js">a()</code></pre>', "js"],
    ['<pre><code class="hljs lang-c++">a()</code></pre>', "c++"],
    [
      '<pre class="prism-code language-tsx"><code><span class="token-line">a()<br></span></code></pre>',
      "tsx"
    ],
    [
      '<div class="highlight-python notranslate"><div class="highlight"><pre><span></span>a()</pre></div></div>',
      "python"
    ],
    ['<div class="highlight highlight-source-shell"><pre>a()</pre></div>', "shell"],
    [
      '<div class="language-ruby highlighter-rouge"><div class="highlight"><pre class="highlight"><code>a()</code></pre></div></div>',
      "ruby"
    ],
    [
      '<div class="sourceCode"><pre class="sourceCode haskell"><code class="sourceCode haskell">a()</code></pre></div>',
      "haskell"
    ],
    ['<pre data-lang="Go">a()</pre>', "go"],
    ['<pre><code class="ts">a()</code><button>Copy</button></pre>', "ts"],
    ['<pre><code class="hljs javascript">a()</code></pre>', "javascript"],
    ['<div class="highlight-python3"><div class="highlight"><pre>a()</pre></div></div>', "python"],
    ['<div class="language-sh"><button></button><span class="lang">sh</span><pre>a()</pre></div>', "sh"],
    ['<pre data-language="rust" class="astro-code"><code><span class="line">a()</span></code></pre>', "rust"],
    ['<pre class="brush:php">a()</pre>', "php"],
    ['<pre class="language-plaintext">a()</pre>', ""],
    ["<pre>a()</pre>", ""],
    ['<div class="language-none"><pre class="language-java x">a()</pre></div>', "java"],
    ['<pre class="language-a`b">a()</pre>', ""]
  ]
  for (const [html, language] of cases)
    expect([html, readPage(html).markdown]).toEqual([html, code(language, "a()")])
})

it("preserves the lines of code blocks without line numbers and buttons", () => {
  const cases: ReadonlyArray<readonly [html: string, text: string]> = [
    ["<pre>a\n  b\n\n\tc\n</pre>", "a\n  b\n\n\tc"],
    [
      '<pre><code><span class="token-line">a<br></span><span class="token-line">  b<br></span></code></pre>',
      "a\n  b"
    ],
    ['<pre><code><span class="line">a</span>\n<span class="line">b</span></code></pre>', "a\nb"],
    [
      '<pre><button class="copy">Copy</button><span class="linenos">1</span>a\n<span class="linenos">2</span>b</pre>',
      "a\nb"
    ],
    [
      '<table class="highlighttable"><tr><td class="linenos"><pre>1\n2</pre></td><td class="code"><pre>a\nb</pre></td></tr></table>',
      "a\nb"
    ],
    [
      '<table class="rouge-table"><tr><td class="gutter gl"><pre class="lineno">1\n2</pre></td><td class="code"><pre>a\nb</pre></td></tr></table>',
      "a\nb"
    ],
    ["<pre>&lt;b&gt; &amp;amp; ` *x*</pre>", "<b> &amp; ` *x*"]
  ]
  for (const [html, text] of cases) expect([html, readPage(html).markdown]).toEqual([html, code("", text)])
})

it("preserves data tables, and replaces layout tables with their content", () => {
  expect(
    readPage(
      "<table><tr><th>A</th><th align=center>B</th></tr><tr><td>1|2</td><td><b>x</b></td></tr></table>"
    ).markdown
  ).toBe("| A | B |\n| --- | :-: |\n| 1\\|2 | **x** |\n")
  expect(
    readPage('<table role="presentation"><tr><td><p>One.</p></td><td><p>Two.</p></td></tr></table>').markdown
  ).toBe("One.\n\nTwo.\n")
  expect(readPage("<table><tr><td><h2>One</h2><p>Text.</p></td></tr></table>").markdown).toBe(
    "## One\n\nText.\n"
  )
  const wide = readPage(`<table>${"<tr><td colspan=1000 rowspan=1000>x</td></tr>".repeat(1000)}</table>`)
  expect(wide.markdown.length).toBeLessThan(10_000)
})

it("extracts the title, and maps ids to the new anchors of headings", () => {
  const page = readPage(
    `<h1 id="top"><a href="#top">A  <em>title</em></a><a class="anchor" href="#top">#</a></h1>
    <section id="one"><h2>First part</h2></section><a name="old"></a><h2 id="two">First part</h2><h3><span id="three"></span>Third<a class="headerlink" href="#three" title="Permalink">¶</a></h3>
    <p><a href="#one">1</a> <a href="#two">2</a> <a href="#old">3</a> <a href="page#three">4</a> <a href="#top">5</a> <a href="#none">6</a></p>`
  )
  expect(page.title).toBe("A title")
  expect(page.anchors).toEqual({
    top: "",
    one: "first-part",
    old: "first-part-1",
    two: "first-part-1",
    three: "third"
  })
  expect(page.markdown).toBe(
    "## First part\n\n## First part\n\n### Third\n\n[1](#first-part) [2](#first-part-1) [3](#first-part-1) [4](#third) 5 6\n"
  )
  expect(readPage("<p>Text.</p>", { head: "<title>Page – Site</title>" }).title).toBe("Page")
  expect(
    readPage("<p>Text.</p>", { head: '<title>x</title><meta property="og:title" content="Open">' }).title
  ).toBe("Open")
  expect(readPage("<p>Text.</p>").title).toBeUndefined()
})

it("removes noise around the content, and preserves the content", () => {
  const content =
    '<aside class="admonition warning"><p>Beware.</p></aside><details><summary>More</summary><p>Inside.</p></details><blockquote><p>Said.</p></blockquote><ul><li><input type="checkbox" checked> Done</li><li><input type="checkbox"> Not</li></ul><p><del>gone</del> <kbd>Ctrl</kbd>H<sub>2</sub>O<br>next</p><hr>'
  const noise =
    '<header><a href="/">Logo</a></header><nav>Nav</nav><div class="breadcrumbs">Crumbs</div><div role="search">Search</div><aside>Aside</aside><p hidden>Hidden</p><p style="display: none">None</p><span class="sr-only">Skip</span><svg><text>Drawn</text></svg><script>run()</script><style>p{}</style><noscript>Off</noscript><!-- comment --><form><select><option>Choice</option></select><button>Send</button></form><footer>Footer</footer>'
  expect(readPage(`<div>${noise}<div>${content}</div>${noise}</div>`, { whole: false }).markdown).toBe(
    '{% hint style="warning" %}\nBeware.\n{% endhint %}\n\n<details>\n\n<summary>More</summary>\n\nInside.\n\n</details>\n\n> Said.\n\n- [x] Done\n- [ ] Not\n\n~~gone~~ <kbd>Ctrl</kbd>H<sub>2</sub>O\\\nnext\n\n---\n'
  )
})

it("resolves links and images", () => {
  const page = readPage(
    '<p><a href="a?x=1&amp;y=2#z">a</a> <a href="//cdn.example/b">b</a> <a href="mailto:a@example.com">m</a> <a href="javascript:x()">js</a> <a href="http://[">bad</a> <a href="e"></a> <a href="i"><img src="i.png" alt="I"></a> <img src="data:image/gif;base64,AA==" data-src="late.png" alt=""> <img alt="none"> <a rel="nofollow" href="no">no</a></p>',
    { head: '<base href="/base/"><link rel="canonical" href="https://acme.example/own">' }
  )
  expect(page.markdown).toBe(
    "[a](import:m:0) [b](import:m:1) [m](mailto:a@example.com) js bad [![I](import:m:2)](import:m:3) ![](import:m:4)  [no](import:m:5)\n"
  )
  expect(page.targets.map(({ kind, url }) => [kind, url])).toEqual([
    ["link", "https://acme.example/base/a?x=1&y=2#z"],
    ["link", "https://cdn.example/b"],
    ["image", "https://acme.example/base/i.png"],
    ["link", "https://acme.example/base/i"],
    ["image", "https://acme.example/base/late.png"],
    ["link", "https://acme.example/base/no"]
  ])
  expect(page.links).toEqual([
    "https://acme.example/base/a?x=1&y=2",
    "https://cdn.example/b",
    "https://acme.example/base/e",
    "https://acme.example/base/i"
  ])
  expect(page.canonical).toBe("https://acme.example/own")
  expect(
    readPage('<a href="x">x</a>', { head: '<meta name="robots" content="noindex, nofollow">' }).links
  ).toEqual([])
})

it("rejects elements that are nested too deep", () => {
  for (const part of ["<div>", "<ul><li>", "<blockquote>", "<table><tr><td>"]) {
    expect(() => readPage(part.repeat(20_000))).toThrow(NotReadable)
  }
})

it("rejects a page of more than 50,000 elements", () => {
  expect(() => readPage("<p>a".repeat(50_001))).toThrow(/more than 50000 elements/)
})
