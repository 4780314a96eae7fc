/**
 * Imports of websites that generators of documentation have built from the same book. The websites are recorded: see
 * `generators/record.ts`.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync, inflateSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import {
  type BookPage,
  bookPages,
  bookTitle,
  flattenPages,
  pageWithTabs,
  sentenceOf
} from "./generators/book.ts"
import { memory } from "./stores.ts"
import { type Page, serveSite, startImportWorkspace } from "./support/imports.ts"

/** A page of an import, with its Markdown and its children. */
interface ImportedPage {
  readonly title: string
  readonly markdown: string
  readonly children: ReadonlyArray<ImportedPage>
}

/** Titles, each with the titles below it. */
type Titles = ReadonlyArray<readonly [title: string, below: Titles]>

const titlesOf = (pages: ReadonlyArray<ImportedPage>): Titles =>
  pages.map(({ title, children }) => [title, titlesOf(children)])

const recordedFiles = (generator: string): Readonly<Record<string, string>> =>
  JSON.parse(
    gunzipSync(
      readFileSync(join(import.meta.dirname, "generators/recorded", `${generator}.json.gz`))
    ).toString()
  )

const routesOf = (files: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(files).flatMap(([path, text]) => {
      const body = path.endsWith(".js") ? { type: "text/javascript", body: text } : text
      return path.endsWith("index.html")
        ? [
            [`/${path}`, body],
            [`/${path.slice(0, -"index.html".length)}`, body],
            [`/${path.slice(0, -"/index.html".length)}`, body]
          ]
        : [[`/${path}`, body]]
    })
  )

/** Imports the website of a generator. */
const importWebsite = async (generator: string) => {
  const opened = await startImportWorkspace(await memory.make())
  const files = recordedFiles(generator)
  const site = await serveSite(routesOf(files))
  const { status, value } = await opened.importContent({ url: `${site.url}/`, source: "website" })
  expect([status, value.error]).toEqual([201, undefined])
  const load = async (pages: ReadonlyArray<Page>): Promise<ReadonlyArray<ImportedPage>> => {
    const loaded: Array<ImportedPage> = []
    for (const { title, path, type, pages: inner } of pages) {
      const markdown = type === "group" ? "" : ((await opened.page(path)).markdown ?? "")
      loaded.push({
        title: title.replace(/^Chapter \d+\. /, ""),
        markdown,
        children: await load(inner ?? [])
      })
    }
    return loaded
  }
  return { files, pages: await load(await opened.pages()) }
}

const flatten = (pages: ReadonlyArray<ImportedPage>): ReadonlyArray<ImportedPage> =>
  pages.flatMap((page) => [page, ...flatten(page.children)])

/** The titles of the book. The first page of a section can be an entry below the section. */
const titlesOfBook = (pages: ReadonlyArray<BookPage>, hasFirstPages = false): Titles =>
  pages.map(({ title, children, isSection }) => [
    title,
    [
      ...(hasFirstPages && children.length > 0 && isSection !== true ? [[title, []] as const] : []),
      ...titlesOfBook(children, hasFirstPages)
    ]
  ])

/** The expected result for the website of a generator. */
interface Expected {
  readonly first: ReadonlyArray<string>
  readonly last?: ReadonlyArray<string>
  /** Whether the section without a page is a page. */
  readonly hasSectionPage?: true
  /** Whether the menu has the first page of a section below the section. */
  readonly hasFirstPages?: true
  readonly tabs?: string
  readonly language?: string
  readonly hasFootnotes?: true
}

const generators: Readonly<Record<string, Expected>> = {
  docbook: { first: [bookTitle, "Preface"], hasSectionPage: true, language: "", hasFootnotes: true },
  docusaurus: { first: [bookTitle], tabs: "bash" },
  honkit: { first: [bookTitle] },
  mkdocs: { first: [bookTitle], hasFirstPages: true },
  "mkdocs-material": { first: [bookTitle], tabs: "", language: "" },
  "mkdocs-readthedocs": { first: [bookTitle], hasFirstPages: true },
  "sphinx-alabaster": { first: [bookTitle], hasSectionPage: true },
  "sphinx-classic": { first: [bookTitle], last: ["Index"], hasSectionPage: true },
  "sphinx-furo": { first: [bookTitle], hasSectionPage: true },
  "sphinx-rtd": { first: [bookTitle], hasSectionPage: true },
  vitepress: { first: [bookTitle], tabs: "sh" }
}

/** Text of the menus, the pagers and the tools around the content. */
const navigationText =
  /\b(?:Prev|Previous|Next|Up|Home|Skip to|On this page|Table of Contents?|Edit this page|Quick search|Footer words|Copy|Return to top|Published with|Created using|Built with|Made with)\b|¶|Permalink/

describe("an import of a website of a generator", () => {
  for (const [generator, expected] of Object.entries(generators)) {
    it(`has the pages at their places, with their content only: ${generator}`, async () => {
      const { pages } = await importWebsite(generator)
      const {
        first,
        last = [],
        hasSectionPage,
        hasFirstPages,
        tabs,
        language = "python",
        hasFootnotes
      } = expected
      const leaf = (title: string) => [title, []] as const
      expect(titlesOf(pages)).toEqual([
        ...first.map(leaf),
        ...titlesOfBook(bookPages, hasFirstPages),
        ...last.map(leaf)
      ])

      const imported = flatten(pages)
      for (const page of flattenPages(bookPages)) {
        const { title, isSection } = page
        const { markdown } = imported.findLast((one) => one.title === title)!
        if (isSection === true && hasSectionPage === undefined) {
          expect(markdown).toBe("")
          continue
        }
        const code = (name: string, text: string) => `\`\`\`${name}\n${text}\n\`\`\`\n`
        const linked = markdown.replaceAll(/\]\(\/pages\/\w+/g, "](page")
        // The stylesheets of DocBook write such a heading two levels below the title of a chapter.
        expect(linked.replace("### Details", "## Details")).toBe(
          [
            `${sentenceOf(page)}\n`,
            `See ${hasSectionPage ? "[the details]" : "the [details]"}(page#details) of another page.${hasFootnotes ? "[^1]" : ""}\n`,
            `{% hint style="warning" %}\nMind the ${title.toLowerCase()}.\n{% endhint %}\n`,
            "## Details\n",
            code(language, "def run(name):\n    return name * 2"),
            `{% hint style="info" %}\nRemember *this*.\n{% endhint %}\n`,
            ...(tabs !== undefined && page.path === pageWithTabs
              ? [
                  `{% tabs %}\n{% tab title="npm" %}\n${code(tabs, "npm install acme")}{% endtab %}\n\n{% tab title="Yarn" %}\n${code(tabs, "yarn add acme")}{% endtab %}\n{% endtabs %}\n`
                ]
              : []),
            "| Key | Value |\n| --- | --- |\n| a | 1 |\n",
            ...(hasFootnotes ? ["[^1]: A footnote of the page.\n"] : [])
          ].join("\n")
        )
        expect(markdown).not.toMatch(navigationText)
      }
    })
  }

  it("has the modules of TypeDoc in the order of its menu", async () => {
    const { pages, files } = await importWebsite("typedoc")
    interface Node {
      readonly text: string
      readonly path?: string
      readonly children?: ReadonlyArray<Node>
    }
    const data = /navigationData = "([^"]+)"/.exec(files["assets/navigation.js"]!)![1]!
    const menu: ReadonlyArray<Node> = JSON.parse(inflateSync(Buffer.from(data, "base64")).toString())
    const titlesOfMenu = (nodes: ReadonlyArray<Node>): Titles =>
      nodes.map(({ text, children }) => [text, titlesOfMenu(children ?? [])])
    const kind = /^(?:Class|Interface|Function|Module|Namespace|Type Alias|Variable) (\w+?)(?:\(\)|Const)?$/
    const withoutKind = (titles: Titles): Titles =>
      titles.map(([title, below]) => [title.replace(kind, "$1"), withoutKind(below)])
    expect(menu.length).toBe(2)
    expect(withoutKind(titlesOf(pages))).toEqual([["Acme library", []], ...titlesOfMenu(menu)])
    const server = flatten(pages).find(({ title }) => title === "Class Server")!.markdown
    expect(server.replaceAll(/\/pages\/\w+/g, "page")).toBe(
      `Serves requests until it is closed. See [Options](page).

\`\`\`ts
new Server({ port: 80 })
\`\`\`

## Constructors

### constructor

- new Server(options: [Options](page)): [Server](page)

  Creates a server.

  #### Parameters

  - options: [Options](page)

  #### Returns [Server](page)

## Properties

### \`Readonly\`options

options: [Options](page)

## Methods

### close

- close(): void

  Closes the server.

  #### Returns void
`
    )
  })
})
