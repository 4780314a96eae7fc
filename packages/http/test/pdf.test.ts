/** PDFs as their readers find them: asked for over HTTP, opened without a token, read by another library. */
import { performance } from "node:perf_hooks"
import { crc32, deflateSync } from "node:zlib"
import { BackgroundWork } from "@lectern/core"
import { Clock, Effect } from "effect"
import { describe, expect, it, onTestFinished } from "vitest"
import { type ReadPage, readPdf, titlesOf } from "../../../testing/pdfReader.ts"
import { callForBody } from "./caller.ts"
import { differences } from "./contract.ts"
import { memory, stores } from "./stores.ts"
import { startServer } from "./support.ts"

type Change = { readonly page: { readonly id: string }; readonly id: string }
type Edited = {
  readonly changes: ReadonlyArray<Change>
  readonly insertedFiles?: ReadonlyArray<{ readonly id: string }>
}

const minute = 60 * 1000

/** A server with a space, and what there is to do with it. */
const startSpace = async (store: (typeof stores)[number] = memory) => {
  const server = await startServer(await store.make())
  onTestFinished(() => server.close())
  const admin = await server.core.createUser("admin@example.com")
  const organization = await server.core.createOrganization("Acme", admin)
  const token = await server.tokenOf(admin)
  const call = <A>(method: string, path: string, body?: unknown) =>
    callForBody<A>(server, token, method, path, body)
  const { id } = await call<{ id: string }>("POST", `/orgs/${organization}/spaces`, { title: "Handbook" })
  const at = `/spaces/${id}`
  const edit = (...changes: ReadonlyArray<object>) => call<Edited>("POST", `${at}/content`, { changes })
  /** Adds a page, and answers its id. */
  const insert = async (page: object): Promise<string> =>
    (await edit({ operation: "insert_page", ...page })).changes[0]!.page.id
  const write = (title: string, markdown: string, more: object = {}) =>
    insert({ title, document: { markdown }, ...more })
  const address = async (path: string): Promise<string> => {
    const body = await call<{ url: string }>("GET", path)
    const operation = path.includes("/change-requests/") ? "getChangeRequestPDF" : "getSpacePDF"
    if (operation === "getChangeRequestPDF") expect(differences(operation, 200, body)).toBeUndefined()
    // The server goes by another address than it knows of.
    return body.url.replace("http://127.0.0.1:4400", "")
  }
  const open = async (path: string) => {
    const response = await server.fetch(await address(path))
    expect([path, response.status]).toEqual([path, 200])
    return readPdf(new Uint8Array(await response.arrayBuffer()))
  }
  return { server, admin, organization, token, call, space: id, at, edit, insert, write, address, open }
}

/** How a PNG is made: the bits of a sample, the kind of its pixels, whether it is interlaced, its other chunks. */
interface Kind {
  readonly depth: number
  readonly color: number
  readonly interlace?: number
  readonly chunks?: ReadonlyArray<readonly [name: string, data: ReadonlyArray<number>]>
}

/** Pixels that let through what is behind them, by default. */
const clear: Kind = { depth: 8, color: 6 }
const samples: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/** A PNG of one colour. */
const png = (
  width: number,
  height: number,
  { depth, color, interlace = 0, chunks = [] }: Kind = clear
): Buffer => {
  const chunk = (name: string, data: Uint8Array) => {
    const body = Buffer.concat([Buffer.from(name), data])
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(data.length, 0)
    frame.writeUInt32BE(crc32(body), 4)
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([depth, color, 0, 0, interlace], 8)
  const row = Math.ceil((width * depth * samples[color]!) / 8) + 1
  const rows = Buffer.alloc(row * height, 0x80)
  for (let at = 0; at < rows.length; at += row) rows[at] = 0
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", head),
    ...chunks.map(([name, data]) => chunk(name, Uint8Array.from(data))),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0))
  ])
}

/** Pictures of every kind that is shown. */
const pictures: Record<string, Buffer> = {
  "colours.png": png(20, 20, { depth: 8, color: 2 }),
  "gray.png": png(20, 20, { depth: 1, color: 0 }),
  "deep.png": png(20, 20, { depth: 16, color: 2 }),
  "clear gray.png": png(20, 20, { depth: 8, color: 4 }),
  "one clear gray.png": png(20, 20, { depth: 2, color: 0, chunks: [["tRNS", [0, 2]]] }),
  "palette.png": png(20, 20, {
    depth: 1,
    color: 3,
    chunks: [
      ["PLTE", [255, 0, 0, 0, 0, 255]],
      ["tRNS", [128]]
    ]
  }),
  "interlaced.png": png(1, 1, { depth: 8, color: 6, interlace: 1 }),
  "point.gif": Buffer.from("R0lGODlhAQABAIAAAP8AAP///yH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==", "base64"),
  "point.webp": Buffer.from("UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA", "base64"),
  "point.jpg": Buffer.from(
    [
      "/9j/4AAQSkZJRgABAQAAAQABAAD/4gHYSUNDX1BST0ZJTEUAAQEAAAHIAAAAAAQwAABtbnRyUkdCIFhZWiAH4AABAA",
      "EAAAAAAABhY3NwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAA9tYAAQAAAADTLQAAAAAAAAAAAAAAAAAAAAAA",
      "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAlkZXNjAAAA8AAAACRyWFlaAAABFAAAABRnWFlaAAABKA",
      "AAABRiWFlaAAABPAAAABR3dHB0AAABUAAAABRyVFJDAAABZAAAAChnVFJDAAABZAAAAChiVFJDAAABZAAAAChjcHJ0",
      "AAABjAAAADxtbHVjAAAAAAAAAAEAAAAMZW5VUwAAAAgAAAAcAHMAUgBHAEJYWVogAAAAAAAAb6IAADj1AAADkFhZWi",
      "AAAAAAAABimQAAt4UAABjaWFlaIAAAAAAAACSgAAAPhAAAts9YWVogAAAAAAAA9tYAAQAAAADTLXBhcmEAAAAAAAQA",
      "AAACZmYAAPKnAAANWQAAE9AAAApbAAAAAAAAAABtbHVjAAAAAAAAAAEAAAAMZW5VUwAAACAAAAAcAEcAbwBvAGcAbA",
      "BlACAASQBuAGMALgAgADIAMAAxADb/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQ",
      "c1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpK",
      "SkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wAARCAACAAIDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAb/",
      "xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFAEBAAAAAAAAAAAAAAAAAAAAAP/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2g",
      "AMAwEAAhEDEQA/AJkAH//Z"
    ].join(""),
    "base64"
  )
}

const image = (name: string, bytes: Uint8Array) => ({
  operation: "insert_files",
  files: [{ name, contentType: "image/png", base64: Buffer.from(bytes).toString("base64") }]
})

/** The text of the page with a number, in one line. */
const textOf = ({ pages }: { readonly pages: ReadonlyArray<ReadPage> }, number: number): string =>
  pages[number - 1]!.text.replace(/\s+/g, " ")

/** A space with pages of every kind: in a group, below another one, hidden, and links. */
const startHandbook = async (store: (typeof stores)[number]) => {
  const space = await startSpace(store)
  const { edit, insert, write } = space
  const { insertedFiles } = await edit(image("dot.png", png(40, 20)))
  const picture = insertedFiles![0]!.id
  const intro = await write(
    "Introduction",
    "Welcome, *dear* **reader**.\n\n# First things\n\nHere.\n\n## Small ones\n\nThere.",
    {
      description: "What this is about"
    }
  )
  const guides = await insert({ type: "group", title: "Guides" })
  const setup = await write(
    "Setup",
    `See [the beginning](/pages/${intro}#small-ones), [by path](../introduction.md), [outside](https://example.com/a).

- apples
- [x] pears

1. one
2. two

| Key | Value |
| --- | ----: |
| a   | 42    |

\`\`\`sh
npm  install
\`\`\`

![A dot](/files/${picture})

> Quoted words.`,
    { into: guides }
  )
  await write("Deeper", "Under setup.", { into: setup, emoji: "1f680" })
  await insert({
    type: "link",
    title: "Elsewhere",
    target: { kind: "url", url: "https://example.com/b" }
  })
  await insert({ type: "link", title: "Again", target: { kind: "page", page: setup } })
  const hidden = await write("Secret", "Hidden words.", { hidden: true })
  await write("Below secret", "More hidden words.", { into: hidden })
  return { ...space, intro, guides, setup, hidden }
}

describe("the PDF of a space", () => {
  for (const store of [memory, ...stores]) {
    it(`has a cover, an outline, and contents whose entries are links, on ${store.name}`, async () => {
      const { at, open } = await startHandbook(store)
      const pdf = await open(`${at}/pdf`)
      expect(pdf.info).toMatchObject({ Title: "Handbook" })
      expect(textOf(pdf, 1)).toMatch(/^Handbook /)
      expect(titlesOf(pdf.outline)).toEqual([
        "Introduction 3",
        "  First things 3",
        "    Small ones 3",
        "Guides 4",
        "  Setup 4",
        "    🚀 Deeper 5"
      ])
      expect(pdf.pages[1]!.text.split("\n")).toEqual([
        "Contents",
        "Introduction 3",
        "Guides 4",
        "Setup 4",
        "🚀 Deeper 5",
        "Elsewhere ↗",
        "Again 4",
        "Handbook 2"
      ])
      expect(pdf.pages[1]!.links.map(({ page, url }) => page ?? url)).toEqual([
        3,
        4,
        4,
        5,
        "https://example.com/b",
        4
      ])
    })

    it(`has the texts, pictures and links of all pages but hidden ones, on ${store.name}`, async () => {
      const { at, open } = await startHandbook(store)
      const pdf = await open(`${at}/pdf`)
      expect(textOf(pdf, 3)).toBe(
        "Introduction What this is about Welcome, dear reader. First things Here. Small ones There. Handbook 3"
      )
      expect(textOf(pdf, 4)).toBe(
        "Setup See the beginning, by path, outside. • apples ☑ pears 1. one 2. two Key Value a 42 npm install Quoted words. Handbook 4"
      )
      expect(pdf.pages[3]!.pictures).toBe(1)
      expect(pdf.pages[3]!.links.map(({ page, url }) => page ?? url)).toEqual([3, 3, "https://example.com/a"])
      expect(pdf.text).not.toContain("idden")
    })

    it(`of a hidden page is made where it is requested by id, on ${store.name}`, async () => {
      const { at, hidden, open } = await startHandbook(store)
      expect((await open(`${at}/pdf?page=${hidden}&only=true`)).text).toContain("Hidden words.")
    })

    it(`of a page has those below it, unless it is to be alone, on ${store.name}`, async () => {
      const { at, setup, guides, open } = await startHandbook(store)
      const part = await open(`${at}/pdf?page=${setup}`)
      expect(titlesOf(part.outline)).toEqual(["Setup 3", "  🚀 Deeper 4"])
      expect(textOf(part, 1)).toMatch(/^Setup Handbook /)
      // Links to pages outside of it lead to the application.
      expect(part.pages[2]!.links[0]).toMatchObject({
        url: expect.stringMatching(/\/introduction#small-ones$/)
      })
      const alone = await open(`${at}/pdf?page=${setup}&only=true`)
      expect(alone.pages.length).toBe(1)
      expect(titlesOf(alone.outline)).toEqual(["Setup 1"])
      expect((await open(`${at}/pdf?page=${guides}`)).outline.map(({ title }) => title)).toEqual(["Guides"])
    })

    it(`of a change request has what it proposes, and that of the space has not, on ${store.name}`, async () => {
      const { call, at, intro, open } = await startHandbook(store)
      await call("POST", `${at}/change-requests`, { subject: "Better words" })
      await call("POST", `${at}/change-requests/1/content`, {
        changes: [{ operation: "update_page", page: intro, document: { markdown: "Proposed." } }]
      })
      const proposed = await open(`${at}/change-requests/1/pdf`)
      expect(textOf(proposed, 1)).toContain("Change request #1: Better words")
      expect(textOf(proposed, 3)).toBe("Introduction What this is about Proposed. Handbook 3")
      expect((await open(`${at}/pdf`)).text).not.toContain("Proposed.")
      expect((await open(`${at}/change-requests/1/pdf?page=${intro}&only=true`)).text).toContain("Proposed.")
    })
  }
})

describe("the address of a PDF", () => {
  it("is good for an hour, for what it names alone", async () => {
    const { server, at, write, address } = await startSpace()
    const first = await write("First", "One.")
    await write("Second", "Two.")
    const path = await address(`${at}/pdf?page=${first}&only=true`)
    const response = await server.fetch(path)
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "application/pdf",
      "content-disposition": "inline; filename=\"handbook.pdf\"; filename*=UTF-8''handbook.pdf",
      "cache-control": "private, max-age=3600, immutable",
      "x-content-type-options": "nosniff"
    })
    const bytes = new Uint8Array(await response.arrayBuffer())
    expect(response.headers.get("content-length")).toBe(String(bytes.length))
    const etag = response.headers.get("etag")!
    expect((await server.fetch(path, { headers: { "if-none-match": etag } })).status).toBe(304)
    const head = await server.fetch(path, { method: "HEAD" })
    expect([head.status, head.headers.get("content-length")]).toEqual([200, String(bytes.length)])
    expect((await server.fetch(path, { method: "POST" })).status).toBe(405)
    // Asked for again, it is the same to the byte.
    const again = await server.fetch(await address(`${at}/pdf?page=${first}&only=true`))
    expect(Buffer.from(await again.arrayBuffer()).equals(bytes)).toBe(true)

    // Nothing of it can be changed.
    const whole = new URL(path, server.url)
    const forgeries = [...whole.searchParams.keys(), "changeRequest"].flatMap((name) => {
      const changed = new URL(whole)
      const value = changed.searchParams.get(name)
      changed.searchParams.set(
        name,
        value === null ? "x" : value.replace(/.$/, (end) => (end === "1" ? "2" : "1"))
      )
      const without = new URL(whole)
      without.searchParams.delete(name)
      return value === null ? [changed] : [changed, without]
    })
    expect(forgeries.length).toBe(11)
    const [, pdf, space, revision, name] = whole.pathname.split("/")
    for (const pathname of [
      `/${pdf}/${space}/${revision}/other.pdf`,
      `/${pdf}/${space}x/${revision}/${name}`,
      `/${pdf}/${space}/${revision}x/${name}`,
      `/${pdf}/${space}/${revision}`,
      `/${pdf}/${space}/${revision}/${name}/more`,
      `/${pdf}/%ff/${revision}/${name}`
    ]) {
      forgeries.push(Object.assign(new URL(whole), { pathname }))
    }
    for (const forged of forgeries) {
      const { status } = await server.fetch(forged.pathname + forged.search)
      expect([forged.href, status]).toEqual([forged.href, 404])
    }

    await server.core.advance(60 * minute - 1)
    expect((await server.fetch(path)).status).toBe(200)
    await server.core.advance(1000)
    const over = await server.fetch(path)
    expect([over.status, (await over.json()).error.message]).toEqual([410, expect.stringMatching(/an hour/)])
    expect((await server.fetch(await address(`${at}/pdf`))).status).toBe(200)
  })

  it("is given to those who may read, and leads nowhere when the space is gone", async () => {
    const { server, organization, call, at, space, write, address } = await startSpace()
    await write("First", "One.")
    await call("POST", `${at}/change-requests`, {})
    const stranger = await server.tokenOf(await server.core.createUser("stranger@example.com"))
    const guest = await server.core.createUser("guest@example.com")
    const guests = await server.tokenOf(guest)
    await server.core.setMember(organization, guest, null)
    const paths = [`${at}/pdf`, `${at}/change-requests/1/pdf`]
    for (const path of paths) {
      expect((await server.fetch(`/v1${path}`)).status).toBe(401)
      for (const token of [stranger, guests]) {
        const hidden = await server.fetch(`/v1${path}`, { token })
        const missing = await server.fetch(`/v1${path.replace(space, "0".repeat(30))}`, { token })
        expect([hidden.status, await hidden.text()]).toEqual([404, await missing.text()])
      }
    }
    await server.core.grant({ organization, kind: "space", target: space, user: guest, role: "read" })
    for (const path of paths) expect((await server.fetch(`/v1${path}`, { token: guests })).status).toBe(200)

    expect((await server.fetch(`/v1${at}/change-requests/2/pdf`, { token: guests })).status).toBe(404)
    expect((await server.fetch(`/v1${at}/pdf?page=nothing`, { token: guests })).status).toBe(404)
    const refused = await server.fetch(`/v1${at}/pdf?only=true`, { token: guests })
    expect([refused.status, (await refused.json()).error.details]).toEqual([
      400,
      [{ path: "only", message: "needs the page that is meant" }]
    ])
    expect((await server.fetch(`/v1${at}/pdf?only=perhaps`, { token: guests })).status).toBe(400)

    const open = await address(paths[0]!)
    expect((await server.fetch(open)).status).toBe(200)
    await call("DELETE", at)
    expect((await server.fetch(open)).status).toBe(404)
  })

  it("is opened by another process, which makes the same PDF", async () => {
    const storage = await stores[0]!.make()
    const store = { name: "shared", make: async () => storage }
    const one = await startSpace(store)
    await one.write("First", "One.")
    await one.call("POST", `${one.at}/change-requests`, { subject: "Words" })
    const path = await one.address(`${one.at}/change-requests/1/pdf`)
    const bytes = Buffer.from(await (await one.server.fetch(path)).arrayBuffer())
    const other = await startServer(storage)
    onTestFinished(() => other.close())
    const response = await other.fetch(path)
    expect([response.status, bytes.equals(Buffer.from(await response.arrayBuffer()))]).toEqual([200, true])
  })
})

describe("what is printed", () => {
  it("has the letters of many languages, and no others", async () => {
    const { at, write, open } = await startSpace()
    const texts = {
      Polish: "Zażółć gęślą jaźń",
      Vietnamese: "Trăm năm trong cõi người ta",
      Greek: "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία",
      Cyrillic: "Съешь же ещё этих мягких французских булок",
      Georgian: "ქართული ენა",
      Armenian: "Հայերեն լեզու",
      Chinese: "中文文档，你好世界。",
      Japanese: "いろはにほへと、カタカナ。",
      Hebrew: "שלום עולם",
      Arabic: "مرحبا بالعالم",
      Symbols: "→ ∑ ∞ ≠ ☑ €",
      Emoji: "🚀 ✅"
    }
    await write(
      "Ἀρχή и конец",
      Object.values(texts)
        .map((text) => `${text}\n\n## ${text}\n\n\`${text}\`\n\n*${text}*`)
        .join("\n\n")
    )
    const pdf = await open(`${at}/pdf`)
    expect(pdf.pages[1]!.text).toContain("Ἀρχή и конец 3")
    const lines = pdf.pages.slice(2).flatMap(({ text }) => text.split("\n"))
    for (const [language, text] of Object.entries(texts)) {
      // As a paragraph, in bold, as code, and slanted. The reader leaves out the space between words from the right.
      const isRight = language === "Hebrew" || language === "Arabic"
      const wanted = isRight ? text.replaceAll(" ", "") : text
      expect([language, lines.filter((line) => line === wanted).length]).toEqual([language, 4])
    }
    expect(titlesOf(pdf.outline).map((title) => title.trim().replace(/ \d+$/, ""))).toEqual([
      "Ἀρχή и конец",
      ...Object.values(texts)
    ])
  })

  it("has what pages include and what is computed in its place, and keeps to the order of the tree", async () => {
    const { server, organization, call, at, edit, write, open } = await startSpace()
    const document = {
      openapi: "3.1.0",
      info: { title: "Pets", version: "1" },
      paths: { "/pets": { get: { tags: ["Animals"], summary: "List the pets", responses: {} } } }
    }
    await call("POST", `/orgs/${organization}/openapi`, {
      slug: "pets",
      source: { text: JSON.stringify(document) }
    })
    await server.core.runtime.runPromise(
      Effect.provideService(
        Effect.flatMap(BackgroundWork, ({ drain }) => drain),
        Clock.Clock,
        server.core.clock
      )
    )
    const spec = await call<{ id: string }>("GET", `/orgs/${organization}/openapi/pets`)
    await edit({
      operation: "insert_reusable_content",
      title: "Note",
      document: { markdown: "Shared words." }
    })
    const { reusableContents } = await call<{ reusableContents: ReadonlyArray<{ id: string }> }>(
      "GET",
      `${at}/content`
    )
    await write("First", `{% include "/reusable-contents/${reusableContents[0]!.id}" %}`)
    const source = {
      type: "builtin:openapi",
      dependencies: { spec: { ref: { kind: "openapi", spec: spec.id } } },
      props: { models: false }
    }
    const computed = (
      await edit({ operation: "insert_page", type: "computed", title: "API", computed: source })
    ).changes[0]!.page.id
    await write("Last", "The end.")
    const pdf = await open(`${at}/pdf`)
    expect(pdf.outline.map(({ title, page }) => `${title} ${page}`)).toEqual([
      "First 3",
      "Animals 4",
      "Last 5"
    ])
    expect(textOf(pdf, 3)).toBe("First Shared words. Handbook 3")
    expect(textOf(pdf, 4)).toContain("List the pets")
    expect((await open(`${at}/pdf?page=${computed}`)).outline.map(({ title }) => title)).toEqual(["Animals"])
  })

  it("goes on over as many pages as it takes, with every number true", async () => {
    const { at, edit, open } = await startSpace()
    const count = 120
    for (let from = 0; from < count; from += 40) {
      const pages = Array.from({ length: 40 }, (_, index) => from + index)
      await edit(
        ...pages.map((number) => ({
          operation: "insert_page",
          title: `Chapter ${number}`,
          document: {
            markdown: `${"Words. ".repeat(1 + number * 40)}\n\n# Heading ${number}\n\n[back](/pages/none) [there](#nowhere)`
          }
        }))
      )
    }
    const pdf = await open(`${at}/pdf`)
    const contents = pdf.pages.filter(({ text }) => /^(Contents\n)?Chapter \d+ \d+\nChapter/.test(text))
    expect(contents.length).toBeGreaterThan(2)
    const entries = contents.flatMap(({ links }) => links)
    expect(entries.length).toBe(count)
    for (const [index, { text, page }] of entries.entries()) {
      expect(text).toBe(`Chapter ${index} ${page}`)
      expect(pdf.pages[page! - 1]!.text).toMatch(new RegExp(`^Chapter ${index}\n`))
    }
    expect(pdf.outline.map(({ title, page }) => `${title} ${page}`)).toEqual(entries.map(({ text }) => text))
    for (const [index, { items }] of pdf.outline.entries()) {
      const [heading] = items
      expect(heading!.title).toBe(`Heading ${index}`)
      expect(pdf.pages[heading!.page - 1]!.text).toContain(`Heading ${index}\n`)
    }
    // The number at the foot of each page is the one that it has.
    for (const [index, { text }] of pdf.pages.entries()) {
      if (index > 0) expect(text).toMatch(new RegExp(`\nHandbook ${index + 1}$`))
    }
    expect(pdf.text.split("Words.").length - 1).toBe(count + (40 * count * (count - 1)) / 2)
  })
})

describe("pictures", () => {
  it("of every kind are shown, in HTML and in tables too, and are links where they stand in one", async () => {
    const { at, edit, write, open } = await startSpace()
    const { insertedFiles } = await edit({
      operation: "insert_files",
      files: Object.entries(pictures).map(([name, bytes]) => ({
        name,
        contentType: `image/${name.split(".").at(-1)!.replace("jpg", "jpeg")}`,
        base64: bytes.toString("base64")
      }))
    })
    const files = insertedFiles!.map(({ id }) => id)
    const names = Object.keys(pictures)
    for (const [index, name] of names.entries()) await write(name, `![it](/files/${files[index]})`)
    await write("HTML", `<figure><img alt="a" src="/files/${files[0]}"></figure>`)
    await write("Table", `| a |\n| - |\n| [![b](/files/${files[1]})](https://example.com/b) |`)
    const pdf = await open(`${at}/pdf`)
    const shown = pdf.pages.slice(2).map(({ pictures, text }) => [text.split("\n")[0], pictures])
    expect(shown).toEqual([...names, "HTML", "Table"].map((name) => [name, 1]))
    expect(pdf.pages.at(-1)!.links.map(({ url }) => url)).toEqual(["https://example.com/b"])
  })
})

describe("what was made to hurt", () => {
  it("ends in a document or a clear refusal, while others are served", async () => {
    const { server, at, token, edit, insert, write, open } = await startSpace()
    const { insertedFiles } = await edit({
      operation: "insert_files",
      files: [
        ["cut.png", png(50, 50).subarray(0, 60)],
        ["text.png", Buffer.from("This is no picture at all, whatever it says.")],
        // It says that it is of a hundred thousand pixels by as many.
        ["huge.png", Buffer.from(png(1, 1)).fill(Buffer.from([0, 1, 0x86, 0xa0, 0, 1, 0x86, 0xa0]), 16, 24)],
        ["fine.png", png(3000, 10)]
      ].map(([name, bytes]) => ({
        name,
        contentType: "image/png",
        base64: (bytes as Buffer).toString("base64")
      }))
    })
    const pictures = insertedFiles!.map(({ id }, index) => `![picture ${index}](/files/${id})`)
    await write(
      "Broken",
      [
        ...pictures,
        "![gone](/files/nothing) [bad](javascript:alert(1)) [worse](https://[) [odd](/pages/%E0%A4%A)",
        `e${"\u0301\u0323".repeat(50_000)}`,
        "x".repeat(50_000),
        `|${"a|".repeat(40)}\n|${"-|".repeat(40)}\n|${"b|".repeat(40)}`,
        `| tall |\n| - |\n| ${"cell ".repeat(5000)} |`,
        "<div <script>never</script><!-- nor this",
        "[^a] [^a]: text\n\n[^a]: note [^a]"
      ].join("\n\n")
    )
    await write("Deep", `${">".repeat(500)} deep`)
    await write("Deeper", `${"- ".repeat(60)}deeper`)
    await write("Marked", "*a _b ".repeat(20_000))
    const target = { kind: "url", url: "javascript:alert(1)" }
    const group = await insert({ type: "group", title: "Of links alone" })
    await insert({ type: "link", title: "Worst", target, into: group })
    const broken = await open(`${at}/pdf`)
    expect(broken.text.split("cell").length - 1).toBe(5000)
    expect(broken.outline.map(({ title }) => title)).toEqual(["Broken", "Deep", "Deeper", "Marked"])
    for (const words of ["[picture 0]", "[picture 1]", "[picture 2]", "[gone]", "bad"]) {
      expect([words, broken.text.includes(words)]).toEqual([words, true])
    }
    expect(broken.text.includes("never")).toBe(false)
    expect(broken.pages[1]!.text).toContain("Of links alone\nWorst\n")
    expect(broken.pages[1]!.links.length).toBe(4)
    expect(broken.pages.reduce((sum, page) => sum + page.pictures, 0)).toBe(1)
    const addresses = broken.pages.flatMap(({ links }) => links.flatMap(({ url }) => url ?? []))
    expect(addresses.filter((url) => !/^http:/.test(url))).toEqual([])

    // Ten megabytes, of two pages: while they are set, the server answers.
    const prose = "The quick brown fox jumps over a lazy dog. ".repeat(100_000)
    await write("Long", prose)
    await write("Longer", prose)
    let isDone = false
    const asked = server.fetch(`/v1${at}/pdf`, { token }).finally(() => {
      isDone = true
    })
    let healthy = 0
    const before = performance.eventLoopUtilization()
    while (!isDone) {
      await server.fetch("/healthz")
      healthy++
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    const { utilization } = performance.eventLoopUtilization(before)
    const response = await asked
    const body = await response.json()
    expect([200, 409]).toContain(response.status)
    expect(response.status === 200 ? body.url : body.error.message).toMatch(
      /\/pdf\/|(Export|ask for) a part of it/
    )
    expect(healthy).toBeGreaterThan(20)
    // The event loop is idle for more than half of the time: the PDF is made in another thread.
    expect(utilization).toBeLessThan(0.5)
  }, 240_000)
})
