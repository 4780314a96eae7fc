/** The change of each inserted block after a reload, and its HTML for readers. */

/** A change of a block, and its rendering by the reader. */
export interface Reading {
  /** The text before which `new ` is typed. Absent for blocks without text. */
  readonly change?: string
  /** The HTML of the reader after the change. */
  readonly html: RegExp
}

const text = (change: string, html: RegExp): Reading => ({ change, html })

/** The readings by the names of their blocks. */
export const readings: Readonly<Record<string, Reading>> = {
  paragraph: text("text.", /<p[^>]*>Some new text\./),
  "heading 1": text("Title", /class="heading h-1">new Title/),
  "heading 2": text("Title", /class="heading h-2">new Title/),
  "heading 3": text("Title", /class="heading h-3">new Title/),
  quote: text("Said", /<blockquote><p>new Said/),
  code: text("a(1)", /<figure class="code">[\s\S]*new[\s\S]*a[\s\S]*b/),
  divider: { html: /<hr/ },
  "bulleted list": text("Nested", /<ul><li>One<\/li><li>Two<ul><li>new Nested/),
  "numbered list": text("Two", /<ol><li>One<\/li><li>new Two/),
  "task list": text("Two", /class="task"><input type="checkbox" disabled checked[^>]*><div>new Two/),
  hint: text("Note", /class="hint info"[\s\S]*new Note/),
  warning: text("Note", /class="hint warning"[\s\S]*new Note/),
  danger: text("Note", /class="hint danger"[\s\S]*new Note/),
  success: text("Note", /class="hint success"[\s\S]*new Note/),
  tabs: text("First", /role="tablist"[\s\S]*role="tabpanel"[\s\S]*new First/),
  stepper: text("Do it", /<ol class="stepper">[\s\S]*new Do it/),
  columns: text("Left", /class="columns[\s\S]*class="column[\s\S]*new Left/),
  expandable: text("Answer", /<details[\s\S]*Question[\s\S]*<\/summary>[\s\S]*new Answer/),
  table: text("1", /<table>[\s\S]*<th scope="col">A<\/th>[\s\S]*<td>new 1<\/td>/),
  cards: text("Title", /class="card[\s\S]*new Title/),
  formula: { html: /class="math"[\s\S]*<math[\s\S]*<msup>/ },
  diagram: text("graph", /new[\s\S]*graph/),
  drawing: { html: /<article/ },
  embed: { html: /https:\/\/example\.com\/v/ },
  image: { html: /<figure[\s\S]*example\.com\/a\.png[\s\S]*alt="A cat"/ },
  file: { html: /a\.pdf/ },
  "page link": { html: /class="link-card[\s\S]*Installation/ },
  updates: text("News", /class="update[\s\S]*new News/),
  condition: text("Secret", /<div class="content">(?![\s\S]*Secret)/),
  "reusable content": { html: /<p>Shared text/ },
  "api operation": { html: /GET \/pets/ },
  "api webhook": { html: /petAdded/ },
  "api schemas": { html: /Pet/ },
  // Without content, the reader displays nothing.
  integration: { html: /<div class="content">/ },
  bold: text("word", /a <strong>bold<\/strong> new word/),
  "inline code": text("b", /a <code>x<\/code> new b/),
  "mark keys": text("no", /<em>it<\/em> new no/),
  "other marks": text("end", /<s>a<\/s> <kbd>b<\/kbd> <sup>c<\/sup> <sub>d<\/sub> new end/),
  color: text("b", /<span class="c-red">a new b<\/span>/),
  note: text("b", /class="annotation"[^>]*>a<\/button>[\s\S]*A note[\s\S]* new b/),
  "inline formula": text("b", /<math[\s\S]*new b/),
  "inline formula of the menu": { html: /<math[\s\S]*<mi>z/ },
  emoji: { html: /🚀/ },
  icon: { html: /<svg/ },
  button: { html: /class="button secondary" href="https:\/\/example\.com\/?"[\s\S]*Buy/ },
  "inline image": { html: /<img[^>]*example\.com\/i\.png/ },
  expression: { html: /<article/ },
  link: text("read", /new read <a href="installation">me<\/a>/),
  mention: { html: /Installation/ },
  "hard break": text("b", /a<br>\s*new b/)
}
