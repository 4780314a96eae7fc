/** The editing API: the effect of each operation in a batch of changes, and the errors of invalid batches. */
import type { ContentPage, EditContent, EditedContent, File, Revision, Space } from "@lectern/core"
import { MemoryStorage } from "@lectern/testkit"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { startServer, type TestServer } from "./support.ts"

type Changes = (typeof EditContent.Encoded)["changes"]

let server: TestServer
let organization: string
let token: string
let space: Space

const call = async <A>(
  method: string,
  path: string,
  body?: unknown
): Promise<{ status: number; body: A }> => {
  const response = await server.fetch(`/v1${path}`, {
    method,
    token,
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const text = await response.text()
  return { status: response.status, body: (text === "" ? undefined : JSON.parse(text)) as A }
}

beforeAll(async () => {
  server = await startServer(MemoryStorage.layer())
  const ada = await server.core.createUser("ada@example.com")
  organization = await server.core.createOrganization("Acme", ada)
  token = await server.tokenOf(ada)
})
afterAll(() => server.close())

beforeEach(async () => {
  space = (await call<Space>("POST", `/orgs/${organization}/spaces`, {})).body
})

const content = () => `/spaces/${space.id}/content`

const edit = async (...changes: Changes): Promise<EditedContent> => {
  const { status, body } = await call<EditedContent>("POST", content(), { changes })
  expect([status, status === 200 ? "" : body]).toEqual([200, ""])
  return body
}

/** Sends a batch that must fail with status 400 and change nothing; returns the details of the error. */
const validationErrors = async (...changes: ReadonlyArray<unknown>) => {
  const before = await call<Space>("GET", `/spaces/${space.id}`)
  const { status, body } = await call<{
    error: { message: string; details: ReadonlyArray<{ path: string; message: string }> }
  }>("POST", content(), { changes })
  expect([status, body.error?.message]).toEqual([400, expect.stringMatching(/\.$/)])
  expect((await call<Space>("GET", `/spaces/${space.id}`)).body).toEqual(before.body)
  return body.error.details.map(({ path, message }) => `${path} ${message}`)
}

const idOf = (edited: EditedContent, index = 0): string => {
  const change = edited.changes[index]!
  return change.object === "deleted_page" ? change.page : change.page.id
}

const page = async (id: string, query = "?format=markdown") =>
  (await call<Record<string, never> & ContentPage>("GET", `${content()}/page/${id}${query}`)).body

/** The tree as titles: `a(b c) d`. */
const tree = async (): Promise<string> => {
  const { body } = await call<{ pages: ReadonlyArray<ContentPage> }>("GET", `${content()}/pages`)
  const show = (pages: ReadonlyArray<ContentPage>): string =>
    pages
      .map((one) => one.title + ("pages" in one && one.pages.length > 0 ? `(${show(one.pages)})` : ""))
      .join(" ")
  return show(body.pages)
}

const insert = (title: string, more: object = {}) =>
  ({ operation: "insert_page", title, ...more }) as Changes[number]

describe("a page", () => {
  it("takes its title from the front matter, then from its first heading, then from `title`", async () => {
    const edited = await edit(
      insert("Given", { document: { markdown: "---\ntitle: Matter\n---\n\n# Heading\n\nText." } }),
      insert("Given", { document: { markdown: "# A *nice* `heading`\n\nText." } }),
      insert("Given", { document: { markdown: "Heading\n===\n\nText." } }),
      insert("Given", { document: { markdown: "## Deeper\n\nText." } }),
      { operation: "insert_page" }
    )
    const found = await Promise.all(edited.changes.map((_, index) => page(idOf(edited, index))))
    expect(found.map(({ title, markdown }) => [title, markdown])).toEqual([
      ["Matter", "# Heading\n\nText."],
      ["A nice heading", "Text."],
      ["Heading", "Text."],
      ["Given", "## Deeper\n\nText."],
      ["Untitled", ""]
    ])
    expect(found[4]).not.toHaveProperty("documentId")
  })

  it("takes fields from the front matter, which is removed, and the other fields from the change", async () => {
    const markdown = [
      "---",
      "description: From the matter",
      "icon: book",
      "hidden: true",
      "layout:",
      "  title:",
      "    visible: false",
      "  outline: false",
      "unknown: { a: 1 }",
      "---",
      "",
      "Text."
    ].join("\n")
    const edited = await edit(
      insert("A", {
        description: "Given",
        emoji: "🎉",
        layout: { coverSize: "full" },
        cover: { ref: { kind: "url", url: "https://example.com/a.png" } },
        noIndex: true,
        document: { markdown }
      })
    )
    expect(await page(idOf(edited))).toMatchObject({
      markdown: "Text.",
      description: "From the matter",
      icon: "book",
      emoji: "🎉",
      hidden: true,
      noIndex: true,
      noRobotsIndex: false,
      layout: { title: false, outline: false, tableOfContents: true },
      cover: { ref: { kind: "url", url: "https://example.com/a.png" }, yPos: 0 }
    })
  })

  it("retains fields that an update omits and its creation time, and loses fields that are set to an empty string", async () => {
    const created = await edit(
      insert("A", { emoji: "🎉", description: "Old", document: { markdown: "Text." } })
    )
    const id = idOf(created)
    const before = await page(id)
    await server.core.advance(5_000)
    await edit({ operation: "update_page", page: id, emoji: "", title: "B" })
    const after = await page(id)
    expect(after).toMatchObject({ title: "B", slug: "a", description: "Old", markdown: "Text." })
    expect(after).not.toHaveProperty("emoji")
    expect(after.createdAt).toBe(before.createdAt)
    expect(Date.parse(after.updatedAt!)).toBe(Date.parse(before.updatedAt!) + 5_000)
  })

  it("has a slug that is unique among its siblings, and a path of the slugs of its ancestors", async () => {
    const first = await edit(insert("Intro"), insert("Intro"), insert("intro!"), insert("¡Olé, señor!"))
    const slugs = async () => {
      const { body } = await call<{ pages: ReadonlyArray<{ slug: string }> }>("GET", `${content()}/pages`)
      return body.pages.map(({ slug }) => slug)
    }
    expect(await slugs()).toEqual(["intro", "intro-1", "intro-2", "olé-señor"])
    const inner = await edit(insert("Intro", { into: idOf(first) }))
    expect(await page(idOf(inner))).toMatchObject({ slug: "intro", path: "intro/intro" })
    await edit({ operation: "update_page", page: idOf(inner), into: null, slug: "other" })
    expect(await page(idOf(inner))).toMatchObject({ path: "other" })
    for (const path of ["intro/../other", "intro%2F", "other/x", "%00"]) {
      expect([path, (await call("GET", `${content()}/path/${path}`)).status]).not.toEqual([path, 500])
    }
  })

  it("is found by its path, with slashes encoded or not", async () => {
    const top = await edit(insert("Guides"))
    const inner = await edit(insert("¿Qué?", { into: idOf(top) }))
    const path = "guides/qué"
    for (const written of [encodeURIComponent(path), encodeURI(path)]) {
      const found = await call<ContentPage>("GET", `${content()}/path/${written}`)
      expect([found.status, found.body.id]).toEqual([200, idOf(inner)])
    }
    expect((await call("GET", `${content()}/path/guides/nothing`)).status).toBe(404)
  })

  it("is moved with its subtree to the given parent and position", async () => {
    const created = await edit(insert("a"), insert("b"), insert("c"))
    const [a, b, c] = [idOf(created, 0), idOf(created, 1), idOf(created, 2)]
    await edit(insert("a1", { into: a }), insert("a2", { into: a }), insert("first", { at: 0 }))
    expect(await tree()).toBe("first a(a1 a2) b c")
    await edit({ operation: "update_page", page: c, at: 0 })
    expect(await tree()).toBe("c first a(a1 a2) b")
    await edit({ operation: "update_page", page: a, into: b })
    expect(await tree()).toBe("c first b(a(a1 a2))")
    await edit({ operation: "update_page", page: a, into: null, at: 1 })
    expect(await tree()).toBe("c a(a1 a2) first b")
    await edit({ operation: "update_page", page: a, at: 99 })
    expect(await tree()).toBe("c first b a(a1 a2)")
    expect(await validationErrors({ operation: "update_page", page: a, into: a })).toEqual([
      "changes.0.into must not be the page itself or a page below it"
    ])
    await edit({ operation: "delete_page", page: a })
    expect(await tree()).toBe("c first b")
  })

  it("can be a group, a link or a computed page, each with its own fields", async () => {
    const source = { text: JSON.stringify({ openapi: "3.1.0" }) }
    await call("POST", `/orgs/${organization}/openapi`, { slug: "pets", source })
    const created = await edit(
      insert("Group", { type: "group" }),
      insert("Link", { type: "link", target: { kind: "url", url: "https://example.com" } }),
      insert("API", {
        type: "computed",
        computed: {
          type: "builtin:openapi",
          dependencies: { spec: { ref: { kind: "openapi", spec: "pets" } } },
          props: { models: true }
        }
      })
    )
    const [group, link] = [idOf(created, 0), idOf(created, 1)]
    const unresolved = {
      type: "builtin:openapi",
      dependencies: { spec: { ref: { kind: "openapi", spec: "missing" } } },
      props: {}
    }
    const path = "dependencies.spec.ref.spec"
    expect(
      await validationErrors(insert("API", { type: "computed", computed: unresolved as never }), {
        operation: "update_page",
        page: idOf(created, 2),
        computed: unresolved
      })
    ).toEqual([
      `changes.0.computed.${path} is not the id or the slug of an OpenAPI spec of this organization`,
      `changes.1.computed.${path} is not the id or the slug of an OpenAPI spec of this organization`
    ])
    expect(await page(link)).toMatchObject({ type: "link", href: "https://example.com" })
    expect(await page(idOf(created, 2))).toMatchObject({
      type: "computed",
      computed: { props: { models: true } }
    })
    await edit(insert("Inside", { into: group }))
    expect(await tree()).toBe("Group(Inside) Link API")
    expect(await validationErrors(insert("Below", { into: link }))).toEqual([
      "changes.0.into is the id of a page of the type link, which cannot have child pages"
    ])
    expect(await validationErrors(insert("Inner", { type: "group", into: group }))).toEqual([
      "changes.0.into must be omitted: groups are always at the root"
    ])
    expect(await validationErrors(insert("Link", { type: "link" }))).toEqual(["changes.0.target is required"])
    expect(
      await validationErrors({ operation: "update_page", page: group, description: "No", document: {} })
    ).toEqual([
      "changes.0.document cannot be set on a page of the type group",
      "changes.0.description cannot be set on a page of the type group"
    ])
  })
})

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
      `/spaces/${space.id}/revisions/${created.revision}/page/${idOf(created)}/document`
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
    const { body: request } = await call<{ id: string }>("POST", `/spaces/${space.id}/change-requests`, {})
    const inRequest = `/spaces/${space.id}/change-requests/${request.id}/content`
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

describe("a batch", () => {
  it("applies all changes or none, and reports the index of the invalid change", async () => {
    expect(await validationErrors(insert("Fine"), { operation: "delete_page", page: "nothing" })).toEqual([
      "changes.1.page is not the id of a page of this content"
    ])
    expect(await tree()).toBe("")
  })

  it("reports all validation errors in one response", async () => {
    const errors = await validationErrors(
      { operation: "insert_page", title: "", at: -1, slug: "a/b" },
      {
        operation: "update_page",
        document: { markdown: "a", document: { object: "document", data: {}, nodes: [] } }
      },
      { operation: "insert_files", files: [] },
      { operation: "explode" }
    )
    expect(errors.map((one) => one.split(" ")[0])).toEqual(
      expect.arrayContaining([
        "changes.0.title",
        "changes.0.at",
        "changes.0.slug",
        "changes.1.page",
        "changes.1.document",
        "changes.2.files"
      ])
    )
    expect(errors.at(-1)).toMatch(/^changes\.3 must be a change with one of the operations insert_page, /)
    expect(await validationErrors()).toEqual(["changes must be 1 to 50 changes"])
    expect(await validationErrors(...Array.from({ length: 51 }, () => insert("A")))).toEqual([
      "changes must be 1 to 50 changes"
    ])
  })

  it("reports errors in front matter by field", async () => {
    expect(
      await validationErrors(insert("A", { document: { markdown: "---\nhidden: maybe\nicon: [1]\n---\n" } }))
    ).toEqual([
      "changes.0.document.markdown.icon must be string",
      "changes.0.document.markdown.hidden must be boolean"
    ])
    expect(
      await validationErrors(insert("A", { document: { markdown: '---\n"a\n: - b: c\n---\n' } }))
    ).toEqual(["changes.0.document.markdown has front matter that is not valid YAML"])
  })

  it("resolves links to the refs of its additions, before and after their definition", async () => {
    const tags = (page: string, file: string) =>
      `{% content-ref url="${page}" %}\n[b](${page})\n{% endcontent-ref %}\n\n{% file src="${file}" %}\n`
    const text = `[b](./b.md#part) ![shot](./shot) [other](other.md) \`./b.md\` [b]: text\n\n[x]: ./b.md\n\n${tags("b.md", "shot")}`
    const edited = await edit(
      insert("A", { ref: "a", document: { markdown: text } }),
      insert("B", { ref: "b", document: { markdown: "[a](./a.md)" } }),
      {
        operation: "insert_files",
        files: [{ ref: "shot", name: "shot.txt", contentType: "text/plain", base64: "aGk=" }]
      }
    )
    const [a, b] = [idOf(edited, 0), idOf(edited, 1)]
    const file = edited.insertedFiles![0]!.id
    expect((await page(a)).markdown).toBe(
      `[b](/pages/${b}#part) ![shot](/files/${file}) [other](other.md) \`./b.md\` [b]: text\n\n[x]: /pages/${b}\n\n${tags(`/pages/${b}`, `/files/${file}`)}`
    )
    expect((await page(b)).markdown).toBe(`[a](/pages/${a})`)
    expect(edited.changes[0]).toMatchObject({ object: "created_page", ref: "a" })
    expect(await validationErrors(insert("C", { ref: "c" }), insert("D", { ref: "c" }))).toEqual([
      "changes.1.ref is used more than once; refs must be unique in a batch"
    ])
    expect(await validationErrors(insert("C", { ref: "a" }))).toEqual([
      "changes.0.ref is the path of a page; use another ref"
    ])
  })

  it("lists each changed page once, with its final state", async () => {
    const created = await edit(insert("A"), insert("B"))
    const [a, b] = [idOf(created, 0), idOf(created, 1)]
    const edited = await edit(
      { operation: "update_page", page: a, title: "A2" },
      { operation: "update_page", page: b, title: "B2" },
      { operation: "update_page", page: a, title: "A3" },
      { operation: "delete_page", page: b }
    )
    expect(edited.changes.map(({ object }) => object)).toEqual(["updated_page", "deleted_page"])
    const location = (edited.changes[0] as { page: { urls: { location: string } } }).page.urls.location
    const response = await fetch(location.replace("http://127.0.0.1:4400", server.url), {
      headers: { authorization: `Bearer ${token}` }
    })
    expect(((await response.json()) as ContentPage).title).toBe("A3")
  })

  it("is rejected in a locked space, whose change requests remain editable", async () => {
    await call("PATCH", `/spaces/${space.id}`, { editMode: "locked" })
    const response = await call<{ error: { message: string } }>("POST", content(), { changes: [insert("A")] })
    expect([response.status, response.body.error.message]).toEqual([409, expect.stringContaining("locked")])
    await call("POST", `/spaces/${space.id}/change-requests`, {})
    const changeRequest = `/spaces/${space.id}/change-requests/1`
    const proposed = await call<{ number: number }>("POST", `${changeRequest}/content`, {
      changes: [insert("A")]
    })
    expect([proposed.status, proposed.body.number]).toEqual([200, 1])
    const detailed = await call<{ changes: ReadonlyArray<unknown>; changeRequest: { number: number } }>(
      "POST",
      `${changeRequest}/content?compat=false`,
      { changes: [insert("B")] }
    )
    expect([detailed.body.changes.length, detailed.body.changeRequest.number]).toEqual([1, 1])
    expect((await call<{ result: string }>("POST", `${changeRequest}/merge`)).body.result).toBe("merge")
    expect(await tree()).toBe("A B")
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
    const { body } = await call<Revision>("GET", `/spaces/${space.id}/revisions/${reverted.revision}`)
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
    const { body } = await call<Revision>("GET", `/spaces/${space.id}/revisions/${reverted.revision}`)
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

describe("a file", () => {
  const png =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

  const uploadFile = async (file: object): Promise<File> =>
    (await edit({ operation: "insert_files", files: [file] } as Changes[number])).insertedFiles![0]!

  const downloadFile = (file: File, change = (url: string) => url, init: RequestInit = {}) =>
    fetch(change(file.downloadURL.replace("http://127.0.0.1:4400", server.url)), init)

  it("is served to any client that has its signed URL, with its media type and security headers", async () => {
    const file = await uploadFile({ name: 'a "nice" ☃.png', contentType: "image/png", base64: png })
    expect(file).toMatchObject({ size: 70, dimensions: { width: 1, height: 1 } })
    const response = await downloadFile(file)
    expect(response.status).toBe(200)
    expect(Buffer.from(await response.arrayBuffer()).toString("base64")).toBe(png)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "image/png",
      "content-length": "70",
      "x-content-type-options": "nosniff",
      "content-security-policy": expect.stringContaining("sandbox"),
      "content-disposition":
        "inline; filename=\"a _nice_ _.png\"; filename*=UTF-8''a%20%22nice%22%20%E2%98%83.png"
    })
    const etag = response.headers.get("etag")!
    expect((await downloadFile(file, undefined, { headers: { "if-none-match": etag } })).status).toBe(304)
    expect((await downloadFile(file, undefined, { method: "HEAD" })).status).toBe(200)
    expect((await downloadFile(file, undefined, { method: "POST" })).status).toBe(405)
  })

  it("is served as an attachment if a browser could execute it", async () => {
    const page = Buffer.from("<script>alert(1)</script>").toString("base64")
    for (const contentType of ["text/html", "image/svg+xml", "application/xhtml+xml"]) {
      const file = await uploadFile({ name: "a.html", contentType, base64: page })
      expect((await downloadFile(file)).headers.get("content-disposition")).toMatch(/^attachment/)
    }
  })

  it("returns 404 for a modified URL, and after the deletion of the space", async () => {
    const file = await uploadFile({ name: "a.txt", contentType: "text/plain", base64: "aGk=" })
    for (const change of [
      (url: string) => url.replace("text%2Fplain", "text%2Fhtml"),
      (url: string) => url.replace("a.txt", "b.txt"),
      (url: string) => url.replace(space.id, "another"),
      (url: string) => url.replace(/signature=.*/, "signature="),
      (url: string) => url.replace(/signature=.*/, ""),
      (url: string) => url.slice(0, -1),
      (url: string) => `${url}x`,
      (url: string) => url.replace("a.txt", "%ff"),
      (url: string) => url.replace("/a.txt", "")
    ]) {
      expect((await downloadFile(file, change)).status).toBe(404)
    }
    await call("DELETE", `/spaces/${space.id}`)
    expect((await downloadFile(file)).status).toBe(404)
  })

  it("can be listed, read and deleted, and is validated on insertion", async () => {
    const files: Array<File> = []
    for (const name of ["a", "b", "c"]) {
      files.push(await uploadFile({ name: `${name}.txt`, contentType: "text/plain", base64: "aGk=" }))
    }
    const names: Array<string> = []
    let next = ""
    do {
      const { body } = await call<{ count: number; items: ReadonlyArray<File>; next?: { page: string } }>(
        "GET",
        `${content()}/files?limit=2${next}`
      )
      expect(body.count).toBe(3)
      names.push(...body.items.map(({ name }) => name))
      next = body.next === undefined ? "" : `&page=${body.next.page}`
    } while (next !== "")
    expect(names).toEqual(["c.txt", "b.txt", "a.txt"])
    const found = await call<File>("GET", `${content()}/files/${files[1]!.id}`)
    expect(found.body).toEqual(files[1])
    await edit({ operation: "delete_files", files: [files[1]!.id] })
    expect((await call("GET", `${content()}/files/${files[1]!.id}`)).status).toBe(404)
    const errorsOf = (file: object) =>
      validationErrors({
        operation: "insert_files",
        files: [{ name: "a.txt", contentType: "text/plain", ...file }]
      })
    expect(await errorsOf({})).toEqual(["changes.0.files.0.base64 is required without `url`"])
    expect(await errorsOf({ base64: "§" })).toEqual(["changes.0.files.0.base64 must be valid base64"])
    expect(await errorsOf({ base64: "aGk=", name: "../a" })).toEqual([
      "changes.0.files.0.name must be a name of a file, without slashes"
    ])
    expect(await errorsOf({ base64: "aGk=", contentType: "text/plain\r\nx: y" })).toEqual([
      "changes.0.files.0.contentType must be a media type as in image/png"
    ])
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

describe("a content response", () => {
  it("has an ETag, with which a client receives 304 for unchanged content", async () => {
    const created = await edit(insert("A"))
    for (const path of [
      "content",
      "content/pages",
      `content/page/${idOf(created)}`,
      "content/path/a",
      `revisions/${created.revision}`
    ]) {
      const at = `/v1/spaces/${space.id}/${path}`
      const first = await server.fetch(at, { token })
      const etag = first.headers.get("etag")!
      expect([path, etag]).toEqual([path, expect.stringMatching(/^".+"$/)])
      const again = await server.fetch(at, { token, headers: { "if-none-match": etag } })
      expect([path, again.status]).toEqual([path, 304])
      expect(await (await server.fetch(at, { token })).json()).toEqual(await first.json())
      if (path.startsWith("revisions")) continue
      await edit({ operation: "update_page", page: idOf(created), description: path })
      expect((await server.fetch(at, { token, headers: { "if-none-match": etag } })).status).toBe(200)
    }
  })

  it("includes git metadata unless `metadata=false`", async () => {
    const git = { oid: "a1b2", path: "docs/a.md" }
    const commit = { oid: "c3d4", message: "Import", createdByService: false, ref: "main" }
    const imported = { changes: [insert("A", { git })], message: "Import", git: commit }
    const { body: created } = await call<EditedContent>("POST", content(), imported)
    expect((await call<Revision>("GET", content())).body.git).toEqual(commit)
    expect(await page(idOf(created), "")).toMatchObject({ git })
    expect(await page(idOf(created), "?metadata=false")).not.toHaveProperty("git")
    const { body } = await call<Revision>("GET", `${content()}?metadata=false`)
    expect(body.pages[0]).not.toHaveProperty("git")
    expect(body).not.toHaveProperty("git")
  })
})

describe("a copy of a space", () => {
  it("has the same content, and does not change with the original", async () => {
    const created = await edit(insert("A", { document: { markdown: "Text." } }))
    const copy = (await call<Space>("POST", `/spaces/${space.id}/duplicate`)).body
    await edit({ operation: "update_page", page: idOf(created), title: "Changed" })
    const theirs = await call<ContentPage & { markdown: string }>(
      "GET",
      `/spaces/${copy.id}/content/page/${idOf(created)}?format=markdown`
    )
    expect(theirs.body).toMatchObject({ title: "A", markdown: "Text." })
    expect((await call("GET", `/spaces/${copy.id}/revisions/${created.revision}`)).status).toBe(404)
  })
})
