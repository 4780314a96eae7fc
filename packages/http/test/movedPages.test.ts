/** Links by path stay links to the same page when pages are moved or renamed. */
import { runs } from "@lectern/harness"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Changes, idOf, insert, useEditing } from "./support/editing.ts"

const { call, content, edit, page, scene } = useEditing()

/** Creates pages by their paths, parents first, and returns their ids. */
const createPages = async (pages: Readonly<Record<string, string>>) => {
  const ids: Record<string, string> = {}
  for (const [path, markdown] of Object.entries(pages)) {
    const [slug, ...above] = path.split("/").reverse()
    const into = ids[above.reverse().join("/")]
    const created = await edit(
      insert(slug!, { slug, document: { markdown }, ...(into === undefined ? {} : { into }) })
    )
    ids[path] = idOf(created)
  }
  return ids
}

const change = (id: string | undefined, fields: object) =>
  ({ operation: "update_page", page: id, ...fields }) as Changes[number]

const markdownOf = async (id: string | undefined) => (await page(id!)).markdown

interface Links {
  readonly items: ReadonlyArray<{ readonly status: string; readonly targetReference: object }>
}

describe("a page that is moved or renamed", () => {
  it("remains the target of links, whose other bytes are preserved", async () => {
    const source =
      "See  [_guide_](guide/setup.md#a 'T'), [x]( ./guide/setup ).\r\n\r\n" +
      "* [y](/guide/setup.md?q=1)\r\n\r\n" +
      '{% content-ref url="guide/setup.md" %}\r\n[setup.md](guide/setup.md)\r\n{% endcontent-ref %}\r\n\r\n' +
      '<a href="guide/setup.md">z</a>\r\n\r\n[d]: guide/setup.md\r\n\r\n`guide/setup.md`'
    const ids = await createPages({ guide: "", "guide/setup": "# A", home: source })
    const moved = await edit(change(ids["guide/setup"], { slug: "install", into: null }))
    expect(moved.changes.map((one) => one.object === "updated_page" && one.page.id)).toEqual([
      ids["guide/setup"],
      ids.home
    ])
    expect(await markdownOf(ids.home)).toBe(
      source
        .replaceAll("./guide/setup", "./install")
        .replaceAll("guide/setup.md", "install.md")
        .replace("`install.md`", "`guide/setup.md`")
    )
  })

  it("has links that refer to the same pages, with the pages below it", async () => {
    const ids = await createPages({
      a: "[b](b.md) [own](./a/child.md)",
      "a/child": "[up](../a.md) [home](../../home.md) [sibling](other.md)",
      "a/other": "",
      b: "[child](a/child.md)",
      c: ""
    })
    await edit(change(ids.a, { into: ids.c, slug: "moved" }))
    expect(await markdownOf(ids.a)).toBe("[b](../b.md) [own](./moved/child.md)")
    expect(await markdownOf(ids["a/child"])).toBe(
      "[up](../moved.md) [home](../../home.md) [sibling](other.md)"
    )
    expect(await markdownOf(ids.b)).toBe("[child](c/moved/child.md)")
  })

  it("keeps the links of Markdown that the same batch writes for the new paths", async () => {
    const ids = await createPages({ a: "", b: "[a](a.md)" })
    await edit(
      change(ids.a, { slug: "new" }),
      change(ids.b, { document: { markdown: "[a](new.md) [old](a.md)" } })
    )
    expect(await markdownOf(ids.b)).toBe("[a](new.md) [old](new.md)")
  })

  it("is rewritten in change requests and reusable contents, too", async () => {
    const ids = await createPages({ a: "" })
    const created = await edit(
      {
        operation: "insert_reusable_content",
        title: "Note",
        ref: "note",
        document: { markdown: "[a](/a.md)" }
      } as Changes[number],
      insert("b", { document: { markdown: '{% include "./note" %}\n\n[a](a.md)' } })
    )
    const request = await call<{ id: string }>("POST", `/spaces/${scene().space.id}/change-requests`, {})
    const proposed = `/spaces/${scene().space.id}/change-requests/${request.body.id}/content`
    const { status } = await call("POST", proposed, { changes: [change(ids.a, { slug: "new" })] })
    expect(status).toBe(200)
    const read = async (path: string) =>
      (await call<{ markdown: string }>("GET", `${path}/page/${idOf(created)}?format=markdown`)).body.markdown
    expect(await read(proposed)).toBe("[a](/new.md)\n\n[a](new.md)")
    expect(await read(content())).toBe("[a](/a.md)\n\n[a](a.md)")
  })

  it("remains the target after any sequence of moves", async () => {
    const names = ["a", "b", "c", "d"]
    const step = fc.record({
      moved: fc.constantFrom(...names),
      into: fc.constantFrom(null, ...names),
      slug: fc.constantFrom(undefined, "x", "y", "index", "read me")
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 4 }), async (steps) => {
        const group = idOf(await edit(insert("group")))
        const ids: Record<string, string> = {}
        for (const name of names) {
          ids[name] = idOf(await edit(insert(name, { into: group, document: { markdown: `Page ${name}` } })))
        }
        const groupPath = (await page(group)).path as unknown as string
        for (const name of names) {
          const markdown = names.map((other) => `[${other}](${other}.md)`).join(" ")
          await edit(
            change(ids[name], { document: { markdown: `${markdown} [top](/${groupPath}/${name})` } })
          )
        }
        for (const { moved, into, slug } of steps) {
          await call("POST", content(), {
            changes: [
              change(ids[moved], {
                into: into === null ? group : ids[into],
                ...(slug === undefined ? {} : { slug })
              })
            ]
          })
        }
        for (const name of names) {
          const { body } = await call<Links>("GET", `${content()}/page/${ids[name]}/links`)
          const targets = body.items.map(({ targetReference }) => JSON.stringify(targetReference))
          for (const other of names) {
            expect(targets.some((target) => target.includes(`"${ids[other]}"`))).toBe(true)
          }
          expect(body.items.filter(({ status }) => status !== "ok")).toEqual([])
        }
      }),
      runs(15)
    )
  })
})
