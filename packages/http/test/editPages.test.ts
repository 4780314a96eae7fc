/** The editing API for pages: their fields, places and types. */
import type { ContentPage } from "@lectern/core"
import { describe, expect, it } from "vitest"
import { idOf, insert, useEditing } from "./support/editing.ts"

const { call, content, edit, page, scene, tree, validationErrors } = useEditing()

describe("a page", () => {
  it("takes its title from `title`, then from the front matter, then from its first heading", async () => {
    const edited = await edit(
      { operation: "insert_page", document: { markdown: "---\ntitle: Matter\n---\n\n# Heading\n\nText." } },
      { operation: "insert_page", document: { markdown: "# A *nice* `heading`\n\nText." } },
      { operation: "insert_page", document: { markdown: "Heading\n===\n\nText." } },
      insert("Given", { document: { markdown: "# Deeper\n\nText." } }),
      { operation: "insert_page" }
    )
    const found = await Promise.all(edited.changes.map((_, index) => page(idOf(edited, index))))
    expect(found.map(({ title, markdown }) => [title, markdown])).toEqual([
      ["Matter", "# Heading\n\nText."],
      ["A nice heading", "Text."],
      ["Heading", "Text."],
      ["Given", "# Deeper\n\nText."],
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
    await scene().server.core.advance(5_000)
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
    await call("POST", `/orgs/${scene().organization}/openapi`, { slug: "pets", source })
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
