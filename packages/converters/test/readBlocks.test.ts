/** Tests of the blocks that web pages have in the markup of generators of documentation: hints, tabs, formulas, footnotes. */
import { readers } from "@lectern/converters/imports"
import { fromMarkdown } from "@lectern/core/content"
import { describe, expect, it } from "vitest"

const readPage = (content: string, head = "") =>
  readers.html({
    bytes: new TextEncoder().encode(`<html><head>${head}</head><body>${content}</body></html>`),
    url: "https://acme.example/docs/page",
    mark: "m",
    isWhole: true
  })

const markdownOf = (content: string) => readPage(content).markdown

describe("admonitions", () => {
  const cases: ReadonlyArray<readonly [generator: string, html: string, style: string, title?: string]> = [
    ["Sphinx", '<div class="admonition note"><p class="admonition-title">Note</p><p>Text.</p></div>', "info"],
    [
      "Sphinx",
      '<div class="admonition-a-topic admonition"><p class="admonition-title">A topic</p><p>Text.</p></div>',
      "info",
      "A topic"
    ],
    [
      "Material",
      '<div class="admonition tip"><p class="admonition-title">Try it</p><p>Text.</p></div>',
      "success",
      "Try it"
    ],
    [
      "Docusaurus",
      '<div class="theme-admonition theme-admonition-danger admonition_x1 alert alert--danger"><div class="admonitionHeading_G"><span><svg></svg></span>danger</div><div class="admonitionContent_p"><p>Text.</p></div></div>',
      "danger"
    ],
    [
      "VitePress",
      '<div class="warning custom-block"><p class="custom-block-title">WARNING</p><p>Text.</p></div>',
      "warning"
    ],
    [
      "GitHub",
      '<div class="markdown-alert markdown-alert-important"><p class="markdown-alert-title"><svg></svg>Important</p><p>Text.</p></div>',
      "warning"
    ],
    [
      "TypeDoc",
      '<div class="tsd-alert tsd-alert-note"><div class="tsd-alert-title"><svg></svg><span>Note</span></div><p>Text.</p></div>',
      "info"
    ],
    [
      "Starlight",
      '<aside aria-label="Tip" class="starlight-aside starlight-aside--tip"><p class="starlight-aside__title" aria-hidden="true">Tip</p><div class="starlight-aside__content"><p>Text.</p></div></aside>',
      "success"
    ],
    ["DocBook", '<div class="caution"><h3 class="title">Caution</h3><p>Text.</p></div>', "warning"],
    [
      "DocBook with icons",
      '<div class="note"><table border="0" summary="Note"><tr><td rowspan="2"><img alt="[Note]" src="n.png"></td><th>Note</th></tr><tr><td><p>Text.</p></td></tr></table></div>',
      "info"
    ],
    [
      "Asciidoctor",
      '<div class="admonitionblock warning"><table><tr><td class="icon"><div class="title">Warning</div></td><td class="content">Text.</td></tr></table></div>',
      "warning"
    ],
    ["Bootstrap", '<div class="alert alert-success" role="alert">Text.</div>', "success"],
    ["HonKit", "<blockquote><p><strong>Warning:</strong> Text.</p></blockquote>", "warning"]
  ]
  for (const [generator, html, style, title] of cases) {
    it(`are hints: ${generator}, ${style}`, () => {
      const heading = title === undefined ? "" : `**${title}**\n\n`
      const expected = `Before.\n\n{% hint style="${style}" %}\n${heading}Text.\n{% endhint %}\n\nAfter.\n`
      expect(markdownOf(`<p>Before.</p>${html}<p>After.</p>`)).toBe(expected)
      expect(fromMarkdown(expected).nodes[1]).toMatchObject({ type: "hint", data: { style } })
    })
  }

  it("are hints with code and lists, and are text in tables", () => {
    expect(
      markdownOf('<ul><li>One<div class="admonition note"><pre>a\nb</pre><ul><li>c</li></ul></div></li></ul>')
    ).toBe('- One\n\n  {% hint style="info" %}\n  ```\n  a\n  b\n  ```\n\n  - c\n  {% endhint %}\n')
    expect(
      markdownOf(
        '<table><tr><th>A</th><th>B</th></tr><tr><td><div class="admonition note">x</div></td><td>y</td></tr></table>'
      )
    ).toBe("| A | B |\n| --- | --- |\n| x | y |\n")
  })
})

describe("tabs", () => {
  const cases: ReadonlyArray<readonly [generator: string, html: string]> = [
    [
      "Docusaurus",
      '<div class="tabs-container"><ul role="tablist" class="tabs"><li role="tab" aria-selected="true">One</li><li role="tab">Two</li></ul><div><div role="tabpanel"><p>First.</p></div><div role="tabpanel" hidden><p>Second.</p></div></div></div>'
    ],
    [
      "Starlight",
      '<starlight-tabs><div><ul role="tablist"><li role="presentation"><a role="tab" href="#p2" id="t2">Two</a></li><li role="presentation"><a role="tab" href="#p1" id="t1">One</a></li></ul></div><div id="p1" role="tabpanel"><p>First.</p></div><div id="p2" role="tabpanel" hidden><p>Second.</p></div></starlight-tabs>'
    ],
    [
      "Sphinx Tabs",
      '<div class="sphinx-tabs docutils container"><div role="tablist"><button aria-controls="a" role="tab">One</button><button aria-controls="b" role="tab">Two</button></div><div id="a" role="tabpanel"><p>First.</p></div><div hidden="true" id="b" role="tabpanel"><p>Second.</p></div></div>'
    ],
    [
      "Sphinx Design",
      '<div class="sd-tab-set docutils"><input checked id="s1" name="s" type="radio"><label class="sd-tab-label" for="s1">One</label><div class="sd-tab-content"><p>First.</p></div><input id="s2" name="s" type="radio"><label class="sd-tab-label" for="s2">Two</label><div class="sd-tab-content"><p>Second.</p></div></div>'
    ],
    [
      "Material",
      '<div class="tabbed-set tabbed-alternate"><input id="m1" type="radio" checked><input id="m2" type="radio"><div class="tabbed-labels"><label for="m1">One</label><label for="m2">Two</label></div><div class="tabbed-content"><div class="tabbed-block"><p>First.</p></div><div class="tabbed-block"><p>Second.</p></div></div></div>'
    ],
    [
      "Bootstrap",
      '<div><ul class="nav nav-tabs"><li><a href="#b1">One</a></li><li><a href="#b2">Two</a></li></ul><div class="tab-content"><div class="tab-pane" id="b1"><p>First.</p></div><div class="tab-pane" id="b2"><p>Second.</p></div></div></div>'
    ]
  ]
  for (const [generator, html] of cases) {
    it(`have all panels: ${generator}`, () => {
      const tab = (title: string, text: string) => `{% tab title="${title}" %}\n${text}\n{% endtab %}`
      const tabs = [tab("One", "First."), tab("Two", "Second.")]
      const ordered = generator === "Starlight" ? tabs.toReversed() : tabs
      expect(markdownOf(html)).toBe(`{% tabs %}\n${ordered.join("\n\n")}\n{% endtabs %}\n`)
    })
  }
})

describe("footnotes", () => {
  const cases: ReadonlyArray<readonly [generator: string, html: string]> = [
    [
      "GitHub",
      '<p>Text<sup><a href="#user-content-fn-a" id="user-content-fnref-a" data-footnote-ref>1</a></sup>.</p><section data-footnotes class="footnotes"><h2 class="sr-only">Footnotes</h2><ol><li id="user-content-fn-a"><p>A note. <a href="#user-content-fnref-a">↩</a></p></li></ol></section>'
    ],
    [
      "MkDocs",
      '<p>Text<sup id="fnref:1"><a class="footnote-ref" href="#fn:1">1</a></sup>.</p><div class="footnote"><hr><ol><li id="fn:1"><p>A note.&#160;<a class="footnote-backref" href="#fnref:1">↩</a></p></li></ol></div>'
    ],
    [
      "Sphinx 5",
      '<p>Text<a class="footnote-reference brackets" href="#id2" id="id1" role="doc-noteref"><span>[</span>1<span>]</span></a>.</p><aside class="footnote brackets" id="id2" role="note"><span class="label"><span>[</span><a role="doc-backlink" href="#id1">1</a><span>]</span></span><p>A note.</p></aside>'
    ],
    [
      "Sphinx 3",
      '<p>Text<a class="footnote-reference brackets" href="#id2" id="id1">1</a>.</p><dl class="footnote brackets"><dt class="label" id="id2"><span class="brackets"><a class="fn-backref" href="#id1">1</a></span></dt><dd><p>A note.</p></dd></dl>'
    ],
    [
      "Pandoc",
      '<p>Text<a href="#fn1" class="footnote-ref" id="fnref1"><sup>1</sup></a>.</p><section class="footnotes"><hr><ol><li id="fn1"><p>A note.<a href="#fnref1" class="footnote-back">↩︎</a></p></li></ol></section>'
    ],
    [
      "DocBook",
      '<p>Text<a href="#ftn.x" name="x"><sup>[1]</sup></a>.</p><div class="footnotes"><br><hr><div class="footnote" id="ftn.x"><p><a href="#x"><sup>[1] </sup></a>A note.</p></div></div>'
    ]
  ]
  for (const [generator, html] of cases) {
    it(`are footnotes: ${generator}`, () => {
      expect(markdownOf(html).replace(/note\.[\s\u00a0]+$/, "note.\n")).toBe("Text[^1].\n\n[^1]: A note.\n")
    })
  }

  it("can be empty", () => {
    const pair = (index: number) =>
      `<p id="a${index}"><a href="#b${index}">1</a></p><p id="b${index}"><a href="#a${index}">1</a></p>`
    expect(markdownOf(pair(1) + pair(2))).toBe("[^1]\n\n[^2]\n\n[^1]:\n\n[^2]:\n")
  })

  it("are not links between sections that refer to each other", () => {
    const html =
      '<h2 id="a">A</h2><p>To <a href="#b">B</a>.</p><h2 id="b">B</h2><p>To <a href="#a">A</a>.</p>'
    expect(markdownOf(html)).toBe("## A\n\nTo [B](#b).\n\n## B\n\nTo [A](#a).\n")
  })
})

describe("formulas", () => {
  it("are TeX, from KaTeX, MathML and the delimiters of MathJax", () => {
    const katex = (tex: string) =>
      `<span class="katex"><span class="katex-mathml"><math><semantics><mi>x</mi><annotation encoding="application/x-tex">${tex}</annotation></semantics></math></span><span class="katex-html" aria-hidden="true">x</span></span>`
    expect(
      markdownOf(
        `<p>A ${katex("x^2")} b.</p><span class="katex-display">${katex("\\frac{a}{b} \\\\ c")}</span>`
      )
    ).toBe("A $$x^2$$ b.\n\n$$\n\\frac{a}{b} \\\\ c\n$$\n")
    expect(
      markdownOf('<p><span class="math notranslate">\\(a*b\\)</span></p><div class="math">\\[c_1\\]</div>')
    ).toBe("$$a*b$$\n\n$$\nc_1\n$$\n")
    expect(markdownOf('<p><math alttext="{\\displaystyle E=mc^2}"><mi>E</mi></math></p>')).toBe(
      "$$E=mc^2$$\n"
    )
    expect(markdownOf('<p>a</p><script type="math/tex; mode=display">x</script>')).toBe("a\n\n$$\nx\n$$\n")
  })
})

describe("the content of a page", () => {
  it("has no links to neighbors, lists of sections and lists of the pages below it", () => {
    const pager =
      '<div class="navheader"><table><tr><th colspan="3">Page</th></tr><tr><td><a accesskey="p" href="a.html">Prev</a></td><th>Chapter 1</th><td><a accesskey="n" href="b.html">Next</a></td></tr></table><hr></div>'
    const html = `${pager}<h1>Page</h1><h2>Contents</h2><ul><li><a href="#x">X</a></li><li><a href="#y">Y</a></li></ul><p>Text, <a href="#x">X</a>.</p><h2 id="x">X</h2><h2 id="y">Y</h2><div class="toctree-wrapper"><ul><li><a href="c.html">C</a></li></ul></div><p><a href="b.html">Next page »</a></p>`
    expect(readPage(html)).toMatchObject({ title: "Page", markdown: "Text, [X](#x).\n\n## X\n\n## Y\n" })
    expect(
      markdownOf('<p>When it runs, read <a rel="next" href="b.html">the next part</a> of the guide.</p>')
    ).toBe("When it runs, read [the next part](import:m:0) of the guide.\n")
  })

  it("does not repeat the title, which can be a lower heading", () => {
    expect(
      readPage(
        "<div><h2>2.5. A  Query</h2></div><p>Text.</p><h3>Part</h3><h4>Deep</h4>",
        "<title>2.5. A Query</title>"
      )
    ).toMatchObject({ title: "2.5. A Query", markdown: "Text.\n\n## Part\n\n### Deep\n" })
    expect(readPage("<h1>Page</h1><header><h1>Page</h1></header><p>Text.</p>")).toMatchObject({
      title: "Page",
      markdown: "Text.\n"
    })
    expect(readPage("<p>Text.</p><h2>Page</h2>", "<title>Page</title>")).toMatchObject({
      title: "Page",
      markdown: "Text.\n\n## Page\n"
    })
  })

  it("has the titles of code, and the captions of images", () => {
    expect(
      markdownOf(
        '<div class="language-js theme-code-block"><div class="codeBlockTitle_x">a.js</div><div class="codeBlockContent_y"><pre class="language-js"><code>let a</code></pre><div><button>Copy</button></div></div></div>'
      )
    ).toBe('{% code title="a.js" %}\n```js\nlet a\n```\n{% endcode %}\n')
    expect(
      markdownOf('<figure><img src="a.png" alt="A dot"><figcaption>The <b>dot</b>.</figcaption></figure>')
    ).toBe('![A dot](import:m:0 "The dot.")\n')
    expect(
      markdownOf('<figure><img src="a.png" alt="The dot."><figcaption>The dot.</figcaption></figure>')
    ).toBe('![](import:m:0 "The dot.")\n')
  })

  it("refers to the heading above a place without a heading", () => {
    const page = readPage('<h2 id="a">A</h2><p id="p">Text.</p><p><a href="#p">place</a></p><h2>B</h2>')
    expect([page.anchors.p, page.markdown]).toEqual(["a", "## A\n\nText.\n\n[place](#a)\n\n## B\n"])
  })

  it("contains no tags that its text imitates", () => {
    const { nodes } = fromMarkdown(
      markdownOf("<p>{% hint %}</p><details><summary>{% a %} &lt;b></summary>x</details>")
    )
    expect(nodes.map(({ type }) => type)).toEqual(["paragraph", "expandable"])
  })
})
