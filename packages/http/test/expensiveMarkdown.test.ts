/** The cost of parsing the Markdown of a batch and of an archive in all. Reverting blocks of a long page. */
import { converters } from "@lectern/converters"
import {
  type ConvertMarkdown,
  type EditedContent,
  Fetcher,
  ImportReader,
  MarkdownEngine
} from "@lectern/core"
import { fromMarkdown, revertBlocks, updateMarkdown } from "@lectern/core/content"
import { isFastRun, runs } from "@lectern/harness"
import { nodeFetcher } from "@lectern/http"
import { MemoryStorage } from "@lectern/testkit"
import { Layer } from "effect"
import fc from "fast-check"
import { zipSync } from "fflate"
import { expect, it } from "vitest"
import { idOf, insert } from "./support/editing.ts"
import { serveSite } from "./support/imports.ts"
import { startServerOn } from "./support.ts"

const { markdownEngine, importReader } = converters()

/** Starts a server with a space, whose Markdown engine records its conversions. */
const startSpace = async () => {
  const kinds: Array<string> = []
  const convert: ConvertMarkdown = (kind, input) => {
    kinds.push(kind)
    return markdownEngine(kind, input)
  }
  const server = await startServerOn({
    make: async () =>
      Layer.mergeAll(
        MemoryStorage.layer(),
        Layer.succeed(MarkdownEngine, convert),
        Layer.succeed(ImportReader, importReader),
        Layer.succeed(Fetcher, nodeFetcher({ allow: ["127.0.0.1"] }))
      )
  })
  const ada = await server.core.createUser("ada@example.com")
  const organization = await server.core.createOrganization("Acme", ada)
  const token = await server.tokenOf(ada)
  const request = async <A>(method: string, path: string, body?: unknown) => {
    const response = await server.fetch(`/v1${path}`, {
      method,
      token,
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    return { status: response.status, body: (await response.json()) as A }
  }
  const { body: space } = await request<{ id: string }>("POST", `/orgs/${organization}/spaces`, {})
  const path = `/spaces/${space.id}/content`
  return {
    kinds,
    path,
    request,
    edit: async (...changes: ReadonlyArray<unknown>) => {
      const { status, body } = await request<EditedContent>("POST", path, { changes })
      expect([status, status === 200 ? "" : body]).toEqual([200, ""])
      return body
    },
    markdownOf: async (page: string) =>
      (await request<{ markdown: string }>("GET", `${path}/page/${page}?format=markdown`)).body.markdown
  }
}

/** A list whose estimated cost is 50 µs per item. */
const listOf = (items: number, last = "") => `${"- a\n".repeat(items)}- ${last}\n`

const error = (reason: string, message: RegExp) => ({
  status: 400,
  body: { error: { reason, message: expect.stringMatching(message) } }
})

it.skipIf(isFastRun)(
  "reverts blocks of long pages in a worker thread, with the result of a short page",
  async () => {
    const { edit, kinds, markdownOf } = await startSpace()
    const id = idOf(await edit(insert("a", { document: { markdown: "Start." } })))
    const texts = fc.array(fc.constantFrom("alpha", "beta", "gamma *delta*", "- epsilon\n- zeta"), {
      minLength: 1,
      maxLength: 6
    })
    await fc.assert(
      fc.asyncProperty(texts, texts, fc.nat(5), async (before, after, at) => {
        const markdowns = [before, after].map((blocks) => `${blocks.join("\n\n")}\n\n${listOf(400)}`)
        const [base, current] = markdowns.map((markdown) => ({ markdown }))
        const { revision } = await edit({ operation: "update_page", page: id, document: base })
        await edit({ operation: "update_page", page: id, document: current })
        const [from, to] = markdowns.map((markdown) => fromMarkdown(markdown))
        const key = String(at % to!.nodes.length)
        kinds.length = 0
        await edit({ operation: "revert_page", page: id, revision, block: [key] })
        expect(kinds).toContain("revert")
        const { document, isChanged } = revertBlocks(to!, from!, [key])
        expect(await markdownOf(id)).toBe(isChanged ? updateMarkdown(markdowns[1]!, document) : markdowns[1])
      }),
      runs(4)
    )
  }
)

it.skipIf(isFastRun)(
  "rejects a batch of several expensive pages, and accepts each of them, for inserts, edits and reverts",
  async () => {
    const { path, request, edit } = await startSpace()
    const expensive = Array.from({ length: 3 }, (_, index) => ({
      document: { markdown: listOf(4800, `${index}`) }
    }))
    const tooExpensive = error("InvalidFields", /^changes have too many long lists/)
    const inserted = expensive.map((body, index) => insert(`${index}`, body))
    expect(await request("POST", path, { changes: inserted })).toMatchObject(tooExpensive)
    const pages: Array<string> = []
    for (const change of inserted) pages.push(idOf(await edit(change)))

    const paragraph = {
      object: "block",
      type: "paragraph",
      nodes: [{ object: "text", leaves: [{ object: "leaf", text: "a", marks: [] }] }]
    }
    const small = { document: { object: "document", data: {}, nodes: [paragraph] } }
    const replaced = pages.map((page) => ({ operation: "update_page", page, document: small }))
    expect(await request("POST", path, { changes: replaced })).toMatchObject(tooExpensive)
    const reverted = pages.map((page) => ({ operation: "revert_page", page, block: ["0.4800"] }))
    expect(await request("POST", path, { changes: reverted })).toMatchObject(tooExpensive)
    for (const change of replaced) expect((await edit(change)).changes).toHaveLength(1)
  },
  60_000
)

it("accepts a batch of a megabyte of typical Markdown", async () => {
  const { edit } = await startSpace()
  const section = `## Title\n\n${"Some words of a sentence, with a [link](https://example.com) and *emphasis*. ".repeat(6)}\n\n- one\n- two\n\n`
  const pages = Array.from({ length: 18 }, (_, index) =>
    insert(`${index}`, { document: { markdown: section.repeat(Math.floor(50_000 / section.length)) } })
  )
  expect((await edit(...pages)).changes).toHaveLength(18)
}, 60_000)

it("rejects an archive whose pages are expensive for its size, and writes nothing", async () => {
  const { path, request } = await startSpace()
  const archiveOf = (count: number) =>
    zipSync(
      Object.fromEntries(
        Array.from({ length: count }, (_, index) => [`${index}.md`, Buffer.from(listOf(2500, `${index}`))])
      )
    )
  const site = await serveSite({
    "/few.zip": { type: "application/zip", body: archiveOf(2) },
    "/many.zip": { type: "application/zip", body: archiveOf(12) }
  })
  const importFrom = (name: string) =>
    request<{ importedResources?: number }>("POST", `${path}/import`, {
      url: `${site.url}${name}`,
      source: "zip"
    })
  const { body: before } = await request<{ id: string }>("GET", path)
  expect(await importFrom("/many.zip")).toMatchObject(
    error("InvalidFields", /^url points to an archive of too many long lists/)
  )
  expect((await request<{ id: string }>("GET", path)).body.id).toBe(before.id)
  expect((await importFrom("/few.zip")).body.importedResources).toBe(2)
}, 60_000)
