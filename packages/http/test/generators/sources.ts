/** The source files of the book for each generator of documentation. */
import { type BookPage, bookPages, bookTitle, flattenPages, pageWithTabs, sentenceOf } from "./book.ts"

/** The contents of files by their paths. */
export type Files = Readonly<Record<string, string>>

const allPages = flattenPages(bookPages)

/** Returns the page that the page links to: the next one of the book. */
const linkedPage = (page: BookPage): BookPage => allPages[(allPages.indexOf(page) + 2) % allPages.length]!

/** Returns the path of a file relative to the folder of another one. */
const relativePath = (from: string, to: string): string => "../".repeat(from.split("/").length - 1) + to

const indent = (text: string, width: number): string => text.replaceAll(/^(?=.)/gm, " ".repeat(width))

const fence = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\``

const pythonCode = "def run(name):\n    return name * 2"

/** The parts of Markdown that generators write differently. */
interface Dialect {
  readonly hint: (style: "note" | "warning", text: string) => string
  readonly tabs: ((tabs: ReadonlyArray<readonly [title: string, code: string]>) => string) | undefined
}

const markdownPage = (page: BookPage, { hint, tabs }: Dialect): string =>
  [
    `# ${page.title}`,
    sentenceOf(page),
    `See the [details](${relativePath(page.path, linkedPage(page).path)}.md#details) of another page.`,
    hint("warning", `Mind the ${page.title.toLowerCase()}.`),
    "## Details",
    fence("python", pythonCode),
    hint("note", "Remember *this*."),
    ...(tabs !== undefined && page.path === pageWithTabs
      ? [
          tabs([
            ["npm", "npm install acme"],
            ["Yarn", "yarn add acme"]
          ])
        ]
      : []),
    "| Key | Value |\n| --- | --- |\n| a | 1 |"
  ].join("\n\n")

const markdownFiles = (
  folder: string,
  dialect: Dialect,
  isIncluded: (page: BookPage) => boolean = () => true
): Files =>
  Object.fromEntries(
    allPages
      .filter(isIncluded)
      .map((page) => [`${folder}${page.path}.md`, `${markdownPage(page, dialect)}\n`] as const)
  )

const home = `# ${bookTitle}\n\nThe sentence of the first page is unique.\n`

/** Links of other pages to the section that has no page are links to its first page. */
const withoutSections = (files: Files): Files =>
  Object.fromEntries(
    Object.entries(files).map(([path, text]) => [
      path,
      text.replaceAll("reference/index.md", "reference/settings.md")
    ])
  )

const isPage = ({ isSection }: BookPage): boolean => isSection !== true

const yaml = (pages: ReadonlyArray<BookPage>, depth: number): string =>
  pages
    .map((page) => {
      const entry = `- ${JSON.stringify(page.title)}:`
      const own = page.children.length > 0 && isPage(page) ? `    - ${page.path}.md\n` : ""
      return indent(
        page.children.length === 0
          ? `${entry} ${page.path}.md\n`
          : `${entry}\n${own}${indent(yaml(page.children, 0), 4)}`,
        depth
      )
    })
    .join("")

/** The sources for MkDocs with a theme. */
export const mkdocsSources = (theme: "mkdocs" | "readthedocs" | "material"): Files => ({
  "mkdocs.yml": `site_name: ${bookTitle}
site_url: https://acme.example/
theme:
  name: ${theme}
${theme === "material" ? "  features: [navigation.indexes, navigation.footer]\n  font: false\n" : ""}plugins: []
markdown_extensions:
  - admonition
  - tables
${theme === "material" ? "  - pymdownx.superfences\n  - pymdownx.tabbed:\n      alternate_style: true\n" : "  - fenced_code\n"}nav:
  - Home: index.md
${yaml(bookPages, 2)}`,
  "docs/index.md": home,
  ...withoutSections(
    markdownFiles(
      "docs/",
      {
        hint: (style, text) => `!!! ${style}\n\n    ${text}`,
        tabs:
          theme === "material"
            ? (tabs) =>
                tabs
                  .map(([title, code]) => `=== "${title}"\n\n${indent(fence("shell", code), 4)}`)
                  .join("\n\n")
            : undefined
      },
      isPage
    )
  )
})

/** The sources for VitePress. */
export const vitepressSources = (): Files => {
  const item = (page: BookPage): unknown => ({
    text: page.title,
    ...(isPage(page) ? { link: `/${page.path.replace(/index$/, "")}` } : {}),
    ...(page.children.length === 0 ? {} : { items: page.children.map(item) })
  })
  const config = {
    title: bookTitle,
    cleanUrls: false,
    themeConfig: {
      nav: [
        { text: "Guides", link: "/guides/" },
        { text: "Elsewhere", link: "https://example.com/" }
      ],
      sidebar: bookPages.map(item),
      footer: { message: "Footer words." }
    }
  }
  return {
    ".vitepress/config.mjs": `export default ${JSON.stringify(config)}\n`,
    "index.md": home,
    ...withoutSections(
      markdownFiles(
        "",
        {
          hint: (style, text) => `::: ${style === "note" ? "info" : style}\n${text}\n:::`,
          tabs: (tabs) =>
            `::: code-group\n\n${tabs.map(([title, code]) => fence(`sh [${title}]`, code)).join("\n\n")}\n\n:::`
        },
        isPage
      )
    )
  }
}

/** The sources for Docusaurus. */
export const docusaurusSources = (): Files => {
  const item = (page: BookPage): unknown =>
    page.children.length === 0
      ? page.path
      : {
          type: "category",
          label: page.title,
          ...(isPage(page) ? { link: { type: "doc", id: page.path } } : {}),
          items: page.children.map(item)
        }
  const files = withoutSections(
    markdownFiles(
      "docs/",
      {
        hint: (style, text) => `:::${style}\n\n${text}\n\n:::`,
        tabs: (tabs) =>
          `<Tabs>\n${tabs
            .map(
              ([title, code]) =>
                `<TabItem value="${title}" label="${title}">\n\n${fence("bash", code)}\n\n</TabItem>`
            )
            .join("\n")}\n</Tabs>`
      },
      isPage
    )
  )
  return {
    "docusaurus.config.js": `module.exports = ${JSON.stringify({
      title: bookTitle,
      url: "https://acme.example",
      baseUrl: "/",
      presets: [
        [
          "classic",
          {
            docs: { routeBasePath: "/", sidebarPath: "./sidebars.js", editUrl: "https://example.com/edit/" },
            blog: false,
            pages: false,
            theme: {}
          }
        ]
      ],
      themeConfig: {
        navbar: { title: bookTitle, items: [{ to: "/guides", label: "Guides" }] },
        footer: { links: [{ title: "Documents", items: [{ label: "Answers", to: "/answers" }] }] }
      }
    })}\n`,
    "sidebars.js": `module.exports = ${JSON.stringify({ book: ["index", ...bookPages.map(item)] })}\n`,
    "docs/index.md": `---\nslug: /\n---\n\n${home}`,
    ...Object.fromEntries(
      Object.entries(files).map(([path, text]) => [
        path,
        text.includes("<Tabs>")
          ? `import Tabs from "@theme/Tabs";\nimport TabItem from "@theme/TabItem";\n\n${text}`
          : text
      ])
    )
  }
}

/** The sources for HonKit, the successor of the first GitBook. */
export const honkitSources = (): Files => {
  const list = (pages: ReadonlyArray<BookPage>, depth: number): string =>
    pages
      .map(
        (page) =>
          `${"  ".repeat(depth)}* ${isPage(page) ? `[${page.title}](${page.path}.md)` : page.title}\n${list(page.children, depth + 1)}`
      )
      .join("")
  return {
    "README.md": home,
    "SUMMARY.md": `# Summary\n\n* [${bookTitle}](README.md)\n${list(bookPages, 0)}`,
    ...withoutSections(
      markdownFiles(
        "",
        { hint: (style, text) => `> **${style === "note" ? "Note" : "Warning"}** ${text}`, tabs: undefined },
        isPage
      )
    )
  }
}

const underline = (title: string, character: string): string => `${title}\n${character.repeat(title.length)}`

/** The sources for Sphinx with a theme. */
export const sphinxSources = (theme: "alabaster" | "classic" | "sphinx_rtd_theme" | "furo"): Files => {
  const contents = (pages: ReadonlyArray<BookPage>): string =>
    pages.length === 0
      ? ""
      : `.. toctree::\n   :maxdepth: 2\n\n${pages.map(({ path }) => `   /${path}\n`).join("")}`
  const source = (page: BookPage): string =>
    [
      `.. _${page.path.replaceAll("/", "-")}-label:`,
      underline(page.title, "="),
      `${sentenceOf(page)}`,
      `See :ref:`.concat(
        `\`the details <${linkedPage(page).path.replaceAll("/", "-")}-details>\` of another page.`
      ),
      `.. warning:: Mind the ${page.title.toLowerCase()}.`,
      `.. _${page.path.replaceAll("/", "-")}-details:`,
      underline("Details", "-"),
      `.. code-block:: python\n\n${indent(pythonCode, 3)}`,
      ".. note::\n\n   Remember *this*.",
      "=== =====\nKey Value\n=== =====\na   1\n=== =====",
      contents(page.children)
    ].join("\n\n")
  return {
    "conf.py": `project = "${bookTitle}"\nextensions = []\nhtml_theme = "${theme}"\nhtml_copy_source = False\n`,
    "index.rst": `${underline(bookTitle, "=")}\n\nThe sentence of the first page is unique.\n\n${contents(bookPages)}`,
    ...Object.fromEntries(allPages.map((page) => [`${page.path}.rst`, source(page)]))
  }
}

/** The sources for the stylesheets of DocBook. */
export const docbookSources = (): Files => {
  const id = ({ path }: BookPage): string => path.replaceAll("/", "-")
  const element = (page: BookPage, depth: number): string => {
    const name = depth === 0 ? "chapter" : "section"
    return `<${name} id="${id(page)}"><title>${page.title}</title>
<para>${sentenceOf(page)}</para>
<para>See <link linkend="${id(linkedPage(page))}-details">the details</link> of another page.<footnote><para>A footnote of the page.</para></footnote></para>
<warning><para>Mind the ${page.title.toLowerCase()}.</para></warning>
<bridgehead id="${id(page)}-details" renderas="sect2">Details</bridgehead>
<programlisting language="python">${pythonCode}</programlisting>
<note><para>Remember <emphasis>this</emphasis>.</para></note>
<informaltable><tgroup cols="2"><thead><row><entry>Key</entry><entry>Value</entry></row></thead><tbody><row><entry>a</entry><entry>1</entry></row></tbody></tgroup></informaltable>
${page.children.map((child) => element(child, depth + 1)).join("\n")}</${name}>`
  }
  return {
    "book.xml": `<?xml version="1.0"?>\n<book><title>${bookTitle}</title>\n<preface id="preface"><title>Preface</title><para>The sentence of the first page is unique.</para></preface>\n${bookPages.map((page) => element(page, 0)).join("\n")}\n</book>\n`
  }
}

/** The sources for TypeDoc. */
export const typedocSources = (): Files => ({
  "README.md": "# Acme library\n\nThe sentence of the first page is unique.\n",
  "tsconfig.json": JSON.stringify({
    compilerOptions: { strict: true, skipLibCheck: true },
    include: ["src"]
  }),
  "src/server.ts": `/**
 * Servers and their options.
 *
 * > [!WARNING]
 * > Mind the server.
 *
 * @module
 */

/**
 * Serves requests until it is closed. See {@link Options}.
 *
 * \`\`\`ts
 * new Server({ port: 80 })
 * \`\`\`
 */
export class Server {
  /** Creates a server. */
  constructor(readonly options: Options) {}
  /** Closes the server. */
  close(): void {}
}

/** Options of {@link Server}. */
export interface Options {
  /** The port that the server listens on. */
  readonly port: number
}

/** Starts a server. */
export const start = (options: Options): Server => new Server(options)
`,
  "src/client.ts": `/**
 * Clients of the server.
 *
 * @module
 */
import type { Options } from "./server.ts"

/** How a request failed. */
export type Failure = "timeout" | "refused"

/** Sends a request. */
export function send(to: Options): Failure | undefined {
  return to.port === 0 ? "refused" : undefined
}

/** Codecs of messages. */
export namespace Codecs {
  /** Encodes a message. */
  export function encode(text: string): Uint8Array {
    return new TextEncoder().encode(text)
  }
  /** The version of the encoding. */
  export const version = 1
}
`
})
