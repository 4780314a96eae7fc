/** The editing API for bodies: documents, reverted pages and blocks, reusable contents. */
import type { Revision } from "@lectern/core"
import { describe, expect, it } from "vitest"
import { idOf, insert, useEditing } from "./support/editing.ts"

const { call, content, edit, page, scene, tree, validationErrors } = useEditing()

describe("a document", () => {
  it("is equivalent to the Markdown, and is accepted instead of it", async () => {
    const markdown = "## Part\n\nSome *words*, a [link](/pages/x) and `code`.\n\n- [ ] to do\n- [x] done\n"
    const created = await edit(insert("A", { document: { markdown } }))
    const asDocument = await page(idOf(created), "?format=document")
    expect(asDocument).not.toHaveProperty("markdown")
    const { document } = asDocument as unknown as { document: { nodes: ReadonlyArray<{ type: string }> } }
    expect(document.nodes.map(({ type }) => type)).toEqual(["heading-2", "paragraph", "list-tasks"])
    const again = await edit(insert("B", { document: { document } }))
    expect((await page(idOf(again))).markdown).toBe(markdown)
    expect((await page(idOf(again), "?format=document")).document).toEqual(document)
    const documentOnly = await call(
      "GET",
      `/spaces/${scene().space.id}/revisions/${created.revision}/page/${idOf(created)}/document`
    )
    expect(documentOnly.body).toEqual(document)
  })

  it("changes only the bytes of the blocks that it changes, in pages, change requests and reusable contents", async () => {
    const markdown =
      "Title\n===\n\n* star\n* [link][a]\n\n| a   | b |\n|-----|---|\n| 1   | 2 |\n\n[a]: <b.md>\n"
    const changed = markdown.replace("* star", "* other")
    type Sent = { markdown?: string; document?: unknown }
    const created = await edit(insert("A", { document: { markdown: `Start\n\n${markdown}` } }), {
      operation: "insert_reusable_content",
      title: "B",
      document: { markdown }
    })
    const id = idOf(created)
    const { document } = (await page(id, "?format=document")) as Sent
    const edited = JSON.parse(JSON.stringify(document).replace('"star"', '"other"'))
    const replace = (value: unknown) => ({
      operation: "update_page" as const,
      page: id,
      document: { document: value as never }
    })
    await edit(replace(document))
    expect((await page(id)).markdown).toBe(`Start\n\n${markdown}`)
    const { body: request } = await call<{ id: string }>(
      "POST",
      `/spaces/${scene().space.id}/change-requests`,
      {}
    )
    const inRequest = `/spaces/${scene().space.id}/change-requests/${request.id}/content`
    await call("POST", inRequest, { changes: [replace(edited)] })
    expect((await call<Sent>("GET", `${inRequest}/page/${id}?format=markdown`)).body.markdown).toBe(
      `Start\n\n${changed}`
    )
    await edit(replace(edited))
    expect((await page(id)).markdown).toBe(`Start\n\n${changed}`)
    const { reusableContents } = (await call<Revision>("GET", content())).body
    const withoutStart = { ...edited, nodes: edited.nodes.slice(1) }
    await edit(
      {
        operation: "update_reusable_content",
        reusableContent: reusableContents[0]!.id,
        document: { document: withoutStart }
      },
      insert("C", { document: { markdown: `{% include "/reusable-contents/${reusableContents[0]!.id}" %}` } })
    )
    const { body: listed } = await call<{ pages: ReadonlyArray<{ id: string; title: string }> }>(
      "GET",
      `${content()}/pages`
    )
    const including = listed.pages.find(({ title }) => title === "C")!.id
    expect((await page(including)).markdown).toBe(changed)
    // The document of a page refers to the reusable content, so that it survives being written back.
    const { document: unchanged } = (await page(including, "?format=document")) as Sent
    expect(unchanged).toMatchObject({ nodes: [{ type: "reusable-content" }] })
    await edit({ operation: "update_page", page: including, document: { document: unchanged as never } })
    await edit({
      operation: "update_reusable_content",
      reusableContent: reusableContents[0]!.id,
      document: { markdown: "Other" }
    })
    expect((await page(including)).markdown).toBe("Other")
  })

  it("must not be missing in an update, which would empty the page", async () => {
    const created = await edit(
      insert("A", { document: { markdown: "Text." } }),
      insert("B", { document: {} }),
      { operation: "insert_reusable_content", title: "C", document: { markdown: "Note." } }
    )
    const { reusableContents } = (await call<Revision>("GET", content())).body
    for (const change of [
      { operation: "update_page", page: idOf(created), title: "Other", document: {} },
      { operation: "update_reusable_content", reusableContent: reusableContents[0]!.id, document: {} }
    ]) {
      const { status, body } = await call("POST", content(), { changes: [change] })
      const message = "must have `markdown` or `document`; omit it to keep the body"
      expect([status, body]).toEqual([
        400,
        {
          error: {
            code: 400,
            reason: "DocumentBodyMissing",
            message: `changes.0.document ${message}.`,
            details: [{ path: "changes.0.document", message }]
          }
        }
      ])
    }
    expect(await page(idOf(created))).toMatchObject({ title: "A", markdown: "Text." })
    expect((await page(idOf(created, 1))).markdown ?? "").toBe("")
  })

  it("is rejected with the path of the invalid node", async () => {
    const document = (nodes: ReadonlyArray<unknown>) => ({
      document: { object: "document", data: {}, nodes }
    })
    const prompt = { object: "block", type: "prompt", nodes: [] }
    expect(await validationErrors(insert("A", { document: document([prompt]) }))).toEqual([
      "changes.0.document.document.nodes.0.type must be a node type that Markdown supports"
    ])
    let deep: unknown = { object: "block", type: "paragraph", nodes: [] }
    for (let i = 0; i < 60; i++) deep = { object: "block", type: "blockquote", nodes: [deep] }
    expect((await validationErrors(insert("A", { document: document([deep]) })))[0]).toContain(
      "must be nested at most 50 levels deep"
    )
  })
})

describe("reverting a page", () => {
  it("restores changed and deleted pages, and removes added ones", async () => {
    const created = await edit(insert("a"), insert("b"))
    const [a, b] = [idOf(created, 0), idOf(created, 1)]
    const inner = await edit(insert("a1", { into: a, document: { markdown: "One." } }))
    const { revision } = inner
    const later = await edit(
      { operation: "update_page", page: b, title: "Changed", into: a },
      insert("added"),
      { operation: "update_page", page: idOf(inner), document: { markdown: "Two." } }
    )
    const reverted = await edit(
      { operation: "revert_page", page: b, revision },
      { operation: "revert_page", page: idOf(later, 1), revision },
      { operation: "revert_page", page: idOf(inner) }
    )
    expect(await tree()).toBe("a(a1) b")
    expect((await page(idOf(inner))).markdown).toBe("One.")
    const { body } = await call<Revision>("GET", `/spaces/${scene().space.id}/revisions/${reverted.revision}`)
    expect(body).toMatchObject({ type: "rollback", parents: [later.revision] })

    await edit({ operation: "delete_page", page: a })
    expect(await tree()).toBe("b")
    await edit({ operation: "revert_page", page: a })
    expect(await tree()).toBe("a(a1) b")
    expect(await validationErrors({ operation: "revert_page", page: a, revision: "nothing" })).toEqual([
      "changes.0.revision is not the id of a revision of this space"
    ])
    expect(await validationErrors({ operation: "revert_page", page: a, block: ["0", "x"] })).toEqual([
      "changes.0.block.0 is not the key of a block of the page, now or in the revision",
      "changes.0.block.1 is not the key of a block of the page, now or in the revision"
    ])
  })
})

describe("reverting blocks of a page", () => {
  const markdownOf = async (id: string) => (await page(id)).markdown

  it("reverts the blocks with the keys of the page's document, and neither other blocks nor fields", async () => {
    const created = await edit(insert("a", { document: { markdown: "One.\n\nTwo.\n\nThree." } }))
    const id = idOf(created)
    const { revision } = created
    await edit({
      operation: "update_page",
      page: id,
      title: "Renamed",
      document: { markdown: "First.\n\nTwo.\n\nAdded.\n\nThird." }
    })
    const reverted = await edit({ operation: "revert_page", page: id, revision, block: ["0", "2"] })
    expect(reverted.changes).toMatchObject([{ object: "updated_page" }])
    expect(await markdownOf(id)).toBe("One.\n\nTwo.\n\nThird.")
    expect((await page(id)).title).toBe("Renamed")
    const { body } = await call<Revision>("GET", `/spaces/${scene().space.id}/revisions/${reverted.revision}`)
    expect(body.type).toBe("rollback")

    // Without a difference, nothing is written.
    expect((await edit({ operation: "revert_page", page: id, revision, block: ["1"] })).changes).toEqual([])
    expect(await markdownOf(id)).toBe("One.\n\nTwo.\n\nThird.")
  })

  it("removes blocks of a page that was added since, and requires a document", async () => {
    const { revision } = await edit(insert("before"))
    const created = await edit(insert("added", { document: { markdown: "One.\n\nTwo." } }), {
      operation: "insert_page",
      type: "group",
      title: "Group"
    })
    await edit({ operation: "revert_page", page: idOf(created), revision, block: ["0"] })
    expect(await markdownOf(idOf(created))).toBe("Two.")
    expect(
      await validationErrors({ operation: "revert_page", page: idOf(created, 1), revision, block: ["0"] })
    ).toEqual(["changes.0.page is not the id of a document of this content"])
  })
})

describe("a reusable content", () => {
  it("replaces the includes that refer to it when a page is read, at any depth", async () => {
    const include = (ref: string) => `{% include "/reusable-contents/${ref}" %}`
    await edit({
      operation: "insert_reusable_content",
      title: "Inner",
      document: { markdown: "Inner text." }
    })
    const contents = async () => (await call<Revision>("GET", content())).body.reusableContents
    const [inner] = await contents()
    await edit({
      operation: "insert_reusable_content",
      title: "Outer",
      document: { markdown: `Before.\n\n${include(inner!.id)}` }
    })
    const outer = (await contents()).find(({ title }) => title === "Outer")!
    const created = await edit(
      insert("A", { document: { markdown: `${include(outer.id)}\n\nAfter, \`${include(outer.id)}\`.` } })
    )
    expect((await page(idOf(created))).markdown).toBe(
      `Before.\n\nInner text.\n\nAfter, \`${include(outer.id)}\`.`
    )
    const itself = `${include(inner!.id)}\n\nAgain.`
    await edit({
      operation: "update_reusable_content",
      reusableContent: inner!.id,
      document: { markdown: itself }
    })
    expect((await page(idOf(created))).markdown).toContain("Again.")
    await edit({ operation: "delete_reusable_content", reusableContent: inner!.id })
    expect((await page(idOf(created))).markdown).toContain(include(inner!.id))
    const found = await call<{ title: string }>("GET", `${content()}/reusable-contents/${outer.id}`)
    expect(found.body.title).toBe("Outer")
    expect((await call("GET", `${content()}/reusable-contents/${inner!.id}`)).status).toBe(404)
  })
})

describe("reusable contents that include each other", () => {
  it("expand to at most the maximum length of a page", async () => {
    const include = (id: string) => `{% include "/reusable-contents/${id}" %}`
    await edit({ operation: "insert_reusable_content", title: "0", document: { markdown: "x".repeat(1000) } })
    for (let level = 1; level < 5; level++) {
      const { body } = await call<Revision>("GET", content())
      const last = body.reusableContents.find(({ title }) => title === String(level - 1))!
      const markdown = Array.from({ length: 500 }, () => include(last.id)).join("\n\n")
      await edit({ operation: "insert_reusable_content", title: String(level), document: { markdown } })
    }
    const { body } = await call<Revision>("GET", content())
    const last = body.reusableContents.find(({ title }) => title === "4")!
    const created = await edit(insert("Bomb", { document: { markdown: include(last.id) } }))
    expect((await page(idOf(created))).markdown!.length).toBeLessThan(2_000_000)
  })
})
