/** Constructed examples of exports of other documentation tools whose pages are HTML and XML. */

import type { SourceFiles } from "./markdownSources.ts"

const [home, child] = ["0123456789abcdef0123456789abcdef", "11111111111111111111111111111111"]

/** An export of Notion in HTML. */
export const notionHtmlExport: SourceFiles = {
  [`Handbook ${home}.html`]: `<html><head><title>Handbook &amp; rules</title></head><body><article id="x" class="page sans"><header><h1 class="page-title">Handbook &amp; rules</h1></header><div class="page-body">
<p>Text with <strong>bold</strong>.</p>
<figure class="callout"><div style="font-size:1.5em"><span class="icon">💡</span></div><div style="width:100%">A callout</div></figure>
<ul class="toggle"><li><details open=""><summary>A toggle</summary><p>Hidden</p></details></li></ul>
<pre class="code"><code class="language-Python">print("a")</code></pre>
<figure class="link-to-page"><a href="Handbook/Second%20${child}.html"><span class="icon">📄</span>Second</a></figure>
<ul class="to-do-list"><li><div class="checkbox checkbox-on"></div> <span>Done</span></li></ul>
<figure class="image"><a href="Handbook/picture.png"><img src="Handbook/picture.png"/></a></figure>
</div></article></body></html>`,
  [`Handbook/Second ${child}.html`]: `<html><head><title>Second</title></head><body><article class="page sans"><header><h1 class="page-title">Second</h1></header><div class="page-body"><p><a href="../Handbook%20${home}.html">Back</a></p></div></article></body></html>`,
  "Handbook/picture.png": "image"
}

const confluencePage = (title: string, content: string): string =>
  `<!DOCTYPE html><html><head><title>Acme : ${title}</title></head><body><div id="page"><div id="main-header"><div id="breadcrumb-section"><ol><li>Acme</li></ol></div><h1 id="title-heading"><span id="title-text">Acme : ${title}</span></h1></div><div id="content" class="view"><div class="page-metadata">Created by Ada</div><div id="main-content" class="wiki-content group">${content}</div></div></div></body></html>`

/** An export of a space of Confluence in HTML. */
export const confluenceHtmlExport: SourceFiles = {
  "index.html": `<html><body><div id="content"><h1>Space Details</h1><table><tr><th>Key</th><td>ACME</td></tr></table><h2>Available Pages:</h2><ul><li><a href="Acme-Home_100001.html">Acme Home</a><ul><li><a href="Setup_100002.html">Setup</a><ul><li><a href="100003.html">第一</a></li></ul></li><li><a href="Notes_100004.html">Notes</a></li></ul></li></ul></div></body></html>`,
  "Acme-Home_100001.html": confluencePage(
    "Acme Home",
    `<p>Read <a href="Setup_100002.html#Setup-OnLinux">the setup</a>. <img class="emoticon" alt="(tick)" data-emoji-fallback="✅"/></p>
<div class="confluence-information-macro confluence-information-macro-note"><p class="title">Watch out</p><span class="aui-icon"></span><div class="confluence-information-macro-body"><p>Careful.</p></div></div>
<div class="code panel pdl"><div class="codeHeader panelHeader pdl"><b>app.js</b></div><div class="codeContent panelContent pdl"><pre class="syntaxhighlighter-pre" data-syntaxhighlighter-params="brush: js; gutter: false">run()
stop()</pre></div></div>
<div id="expander-1" class="expand-container"><div id="expander-control-1" class="expand-control"><span class="expand-control-icon"></span><span class="expand-control-text">More</span></div><div id="expander-content-1" class="expand-content"><p>Hidden</p></div></div>
<p><span class="confluence-embedded-file-wrapper"><img class="confluence-embedded-image" src="attachments/100001/1.png"/></span></p>
<ul class="inline-task-list"><li class="checked">Done</li></ul>
<p><span class="jira-issue">ACME-1</span></p>`
  ),
  "Setup_100002.html": confluencePage(
    "Setup",
    '<h2 id="Setup-OnLinux">On Linux</h2><table class="confluenceTable"><tbody><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></tbody></table>'
  ),
  "100003.html": confluencePage("第一", '<p><a href="Acme-Home_100001.html">Home</a></p>'),
  "Notes_100004.html": confluencePage("Notes", "<p>Notes</p>"),
  "attachments/100001/1.png": "image",
  "styles/site.css": "body {}"
}

const property = (name: string, value: string): string =>
  `<property name="${name}"><![CDATA[${value}]]></property>`
const reference = (name: string, type: string, id: string): string =>
  `<property name="${name}" class="${type}"><id name="id">${id}</id></property>`
const object = (type: string, id: string, content: string): string =>
  `<object class="${type}" package="com.atlassian.confluence.pages"><id name="id">${id}</id>${content}</object>`

const storedPage = (
  id: string,
  title: string,
  parent: string | undefined,
  position: number,
  body: string
): string =>
  object(
    "Page",
    id,
    `<property name="position">${position}</property>${property("title", title)}${parent === undefined ? "" : reference("parent", "Page", parent)}${property("contentStatus", "current")}`
  ) +
  object(
    "BodyContent",
    `9${id}`,
    property("body", body.replaceAll("]]>", "]]]]><![CDATA[>")) + reference("content", "Page", id)
  )

/** An export of a space of Confluence in XML, with pages in the storage format. */
export const confluenceXmlExport: SourceFiles = {
  "entities.xml": `<?xml version="1.0" encoding="UTF-8"?><hibernate-generic datetime="2024-01-01 00:00:00">${[
    storedPage(
      "1",
      "Home",
      undefined,
      0,
      `<p>See <ac:link><ri:page ri:content-title="Set up / install?" /><ac:plain-text-link-body><![CDATA[the setup]]></ac:plain-text-link-body></ac:link> and <ac:link><ri:attachment ri:filename="plan &amp; more.pdf" /></ac:link>.&nbsp;</p>
<ac:structured-macro ac:name="tip" ac:schema-version="1"><ac:parameter ac:name="title">Good</ac:parameter><ac:rich-text-body><p>A tip</p></ac:rich-text-body></ac:structured-macro>
<ac:structured-macro ac:name="code"><ac:parameter ac:name="language">java</ac:parameter><ac:parameter ac:name="title">A.java</ac:parameter><ac:plain-text-body><![CDATA[if (a < b) { List<String> x; }]]></ac:plain-text-body></ac:structured-macro>
<ac:structured-macro ac:name="expand"><ac:parameter ac:name="title">More</ac:parameter><ac:rich-text-body><p>Hidden</p></ac:rich-text-body></ac:structured-macro>
<ac:structured-macro ac:name="children" />
<ac:structured-macro ac:name="roadmap"><ac:rich-text-body><p>Plan</p></ac:rich-text-body></ac:structured-macro>
<p><ac:image ac:alt="Pixel"><ri:attachment ri:filename="pixel.png" /></ac:image></p>
<ac:task-list><ac:task><ac:task-id>1</ac:task-id><ac:task-status>complete</ac:task-status><ac:task-body>Done</ac:task-body></ac:task></ac:task-list>`
    ),
    storedPage("2", "Second", "1", 2, "<p>Second</p>"),
    storedPage("3", "Set up / install?", "1", 1, "<h2>Linux</h2><p>Text</p>"),
    object("Page", "4", `${property("title", "Home")}${reference("originalVersion", "Page", "1")}`),
    object(
      "Attachment",
      "50",
      `${property("title", "pixel.png")}${reference("containerContent", "Page", "1")}`
    ),
    object(
      "Attachment",
      "51",
      `${property("title", "plan & more.pdf")}${reference("containerContent", "Page", "1")}`
    )
  ].join("")}</hibernate-generic>`,
  "exportDescriptor.properties": "exportType=space\n",
  "attachments/1/50/1": "old",
  "attachments/1/50/2": "image",
  "attachments/1/51/1": "PDF"
}
