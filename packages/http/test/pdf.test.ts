/** PDFs of spaces, pages and change requests, and their signed download URLs. */
import { describe, expect, it, onTestFinished } from "vitest"
import { titlesOf } from "../../../testing/pdfReader.ts"
import { ruleStores, stores } from "./stores.ts"
import { image, minute, png, startSpace, textOf } from "./support/pdf.ts"
import { startServer } from "./support.ts"

/** Creates a space with pages of every kind: in a group, below another page, hidden, and links. */
const startHandbook = async (store: (typeof stores)[number]) => {
  const space = await startSpace(store)
  const { edit, insert, write } = space
  const { insertedFiles } = await edit(image("dot.png", png(40, 20)))
  const imageFile = insertedFiles![0]!.id
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

![A dot](/files/${imageFile})

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
  for (const store of ruleStores) {
    it(`has a cover, an outline, and a table of contents with links, on ${store.name}`, async () => {
      const { at, readExportedPdf } = await startHandbook(store)
      const pdf = await readExportedPdf(`${at}/pdf`)
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

    it(`has the text, images and links of all pages except hidden ones, on ${store.name}`, async () => {
      const { at, readExportedPdf } = await startHandbook(store)
      const pdf = await readExportedPdf(`${at}/pdf`)
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

    it(`can be exported of a hidden page by its id, on ${store.name}`, async () => {
      const { at, hidden, readExportedPdf } = await startHandbook(store)
      expect((await readExportedPdf(`${at}/pdf?page=${hidden}&only=true`)).text).toContain("Hidden words.")
    })

    it(`of a page includes its subtree unless only the page is requested, on ${store.name}`, async () => {
      const { at, setup, guides, readExportedPdf } = await startHandbook(store)
      const subtree = await readExportedPdf(`${at}/pdf?page=${setup}`)
      expect(titlesOf(subtree.outline)).toEqual(["Setup 3", "  🚀 Deeper 4"])
      expect(textOf(subtree, 1)).toMatch(/^Setup Handbook /)
      // Links to pages outside the subtree are URLs of the application.
      expect(subtree.pages[2]!.links[0]).toMatchObject({
        url: expect.stringMatching(/\/introduction#small-ones$/)
      })
      const singlePage = await readExportedPdf(`${at}/pdf?page=${setup}&only=true`)
      expect(singlePage.pages.length).toBe(1)
      expect(titlesOf(singlePage.outline)).toEqual(["Setup 1"])
      expect((await readExportedPdf(`${at}/pdf?page=${guides}`)).outline.map(({ title }) => title)).toEqual([
        "Guides"
      ])
    })

    it(`of a change request has its proposed content, which the PDF of the space does not have, on ${store.name}`, async () => {
      const { call, at, intro, readExportedPdf } = await startHandbook(store)
      await call("POST", `${at}/change-requests`, { subject: "Better words" })
      await call("POST", `${at}/change-requests/1/content`, {
        changes: [{ operation: "update_page", page: intro, document: { markdown: "Proposed." } }]
      })
      const proposed = await readExportedPdf(`${at}/change-requests/1/pdf`)
      expect(textOf(proposed, 1)).toContain("Change request #1: Better words")
      expect(textOf(proposed, 3)).toBe("Introduction What this is about Proposed. Handbook 3")
      expect((await readExportedPdf(`${at}/pdf`)).text).not.toContain("Proposed.")
      expect((await readExportedPdf(`${at}/change-requests/1/pdf?page=${intro}&only=true`)).text).toContain(
        "Proposed."
      )
    })
  }
})

describe("the URL of a PDF", () => {
  it("is valid for 1 hour, and only for the content that it names", async () => {
    const { server, at, write, pdfPath } = await startSpace()
    const first = await write("First", "One.")
    await write("Second", "Two.")
    const path = await pdfPath(`${at}/pdf?page=${first}&only=true`)
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
    // A second export is identical.
    const again = await server.fetch(await pdfPath(`${at}/pdf?page=${first}&only=true`))
    expect(Buffer.from(await again.arrayBuffer()).equals(bytes)).toBe(true)

    // No part of the URL can be changed.
    const signedUrl = new URL(path, server.url)
    const forgeries = [...signedUrl.searchParams.keys(), "changeRequest"].flatMap((name) => {
      const changed = new URL(signedUrl)
      const value = changed.searchParams.get(name)
      changed.searchParams.set(
        name,
        value === null ? "x" : value.replace(/.$/, (end) => (end === "1" ? "2" : "1"))
      )
      const removed = new URL(signedUrl)
      removed.searchParams.delete(name)
      return value === null ? [changed] : [changed, removed]
    })
    expect(forgeries.length).toBe(11)
    const [, pdf, space, revision, name] = signedUrl.pathname.split("/")
    for (const pathname of [
      `/${pdf}/${space}/${revision}/other.pdf`,
      `/${pdf}/${space}x/${revision}/${name}`,
      `/${pdf}/${space}/${revision}x/${name}`,
      `/${pdf}/${space}/${revision}`,
      `/${pdf}/${space}/${revision}/${name}/more`,
      `/${pdf}/%ff/${revision}/${name}`
    ]) {
      forgeries.push(Object.assign(new URL(signedUrl), { pathname }))
    }
    for (const forged of forgeries) {
      const { status } = await server.fetch(forged.pathname + forged.search)
      expect([forged.href, status]).toEqual([forged.href, 404])
    }

    await server.core.advance(60 * minute - 1)
    expect((await server.fetch(path)).status).toBe(200)
    await server.core.advance(1000)
    const expired = await server.fetch(path)
    expect([expired.status, (await expired.json()).error.message]).toEqual([
      410,
      expect.stringMatching(/an hour/)
    ])
    expect((await server.fetch(await pdfPath(`${at}/pdf`))).status).toBe(200)
  })

  it("is returned to callers who can read the space, and returns 404 once the space is deleted", async () => {
    const { server, organization, call, at, space, write, pdfPath } = await startSpace()
    await write("First", "One.")
    await call("POST", `${at}/change-requests`, {})
    const stranger = await server.tokenOf(await server.core.createUser("stranger@example.com"))
    const guest = await server.core.createUser("guest@example.com")
    const guestToken = await server.tokenOf(guest)
    await server.core.setMember(organization, guest, null)
    const paths = [`${at}/pdf`, `${at}/change-requests/1/pdf`]
    for (const path of paths) {
      expect((await server.fetch(`/v1${path}`)).status).toBe(401)
      for (const token of [stranger, guestToken]) {
        const hidden = await server.fetch(`/v1${path}`, { token })
        const missing = await server.fetch(`/v1${path.replace(space, "0".repeat(30))}`, { token })
        expect([hidden.status, await hidden.text()]).toEqual([404, await missing.text()])
      }
    }
    await server.core.grant({ organization, kind: "space", target: space, user: guest, role: "read" })
    for (const path of paths)
      expect((await server.fetch(`/v1${path}`, { token: guestToken })).status).toBe(200)

    expect((await server.fetch(`/v1${at}/change-requests/2/pdf`, { token: guestToken })).status).toBe(404)
    expect((await server.fetch(`/v1${at}/pdf?page=nothing`, { token: guestToken })).status).toBe(404)
    const response = await server.fetch(`/v1${at}/pdf?only=true`, { token: guestToken })
    expect([response.status, (await response.json()).error.details]).toEqual([
      400,
      [{ path: "only", message: "requires `page`, the id of the page to export" }]
    ])
    expect((await server.fetch(`/v1${at}/pdf?only=perhaps`, { token: guestToken })).status).toBe(400)

    const readExportedPdf = await pdfPath(paths[0]!)
    expect((await server.fetch(readExportedPdf)).status).toBe(200)
    await call("DELETE", at)
    expect((await server.fetch(readExportedPdf)).status).toBe(404)
  })

  it("is accepted by another process, which creates the same PDF", async () => {
    const storage = await stores[0]!.make()
    const store = { name: "shared", make: async () => storage }
    const one = await startSpace(store)
    await one.write("First", "One.")
    await one.call("POST", `${one.at}/change-requests`, { subject: "Words" })
    const path = await one.pdfPath(`${one.at}/change-requests/1/pdf`)
    const bytes = Buffer.from(await (await one.server.fetch(path)).arrayBuffer())
    const other = await startServer(storage)
    onTestFinished(() => other.close())
    const response = await other.fetch(path)
    expect([response.status, bytes.equals(Buffer.from(await response.arrayBuffer()))]).toEqual([200, true])
  })

  it("has links with the public URL, also if a request with another host renders it, and is sent in parts", async () => {
    const storage = await stores[0]!.make()
    const store = { name: "shared", make: async () => storage }
    const hosts = { trustedProxies: 1, publicHosts: ["links.example"] }
    const one = await startSpace(store, hosts)
    const { insertedFiles } = await one.edit(image("dot.png", png(40, 20)))
    const first = await one.write("First", `[A file](/files/${insertedFiles![0]!.id}). [A page](/pages/x).`)
    await one.write("Second", `See [first](/pages/${first}).`)
    const headers = { "x-forwarded-host": "links.example" }
    const sent = await one.server.fetch(`/v1${one.at}/pdf`, { token: one.token, headers })
    const { url } = (await sent.json()) as { url: string }
    expect(url).toMatch(/^http:\/\/links\.example\//)
    const path = url.slice("http://links.example".length)
    const download = async (server: typeof one.server, more: Record<string, string> = {}) =>
      Buffer.from(await (await server.fetch(path, { headers: { ...headers, ...more } })).arrayBuffer())
    const bytes = await download(one.server)
    const other = await startServer(storage)
    onTestFinished(() => other.close())
    expect(bytes.equals(await download(other))).toBe(true)
    for (const [start, end] of [
      [0, 0],
      [1, bytes.length - 1],
      [bytes.length - 1, bytes.length - 1]
    ] as const) {
      const part = await download(one.server, { range: `bytes=${start}-${end}` })
      expect(part.equals(bytes.subarray(start, end + 1))).toBe(true)
    }
  })
})
