/** Changes of slugs that earlier versions derived by another rule than the source. */
import { type SluggedPage, slugChangesOf } from "@lectern/formats"
import { runs } from "@lectern/harness"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

const page = (
  id: string,
  slug: string,
  path?: string,
  pages: ReadonlyArray<SluggedPage> = []
): SluggedPage => ({
  id,
  type: "document",
  title: id,
  slug,
  pages,
  ...(path === undefined ? {} : { git: { path } })
})

const group = (
  title: string,
  slug: string,
  pages: ReadonlyArray<SluggedPage>,
  id: string = title
): SluggedPage => ({
  id,
  type: "group",
  title,
  slug,
  pages
})

describe("the changes of slugs", () => {
  it("give groups and files the slugs of the source, with the paths below them", () => {
    const pages = [
      page("home", "welcome", "README.md"),
      group("🧩 Integrations", "-integrations", [
        page("desktop", "desktop", "integrations/desktop.md"),
        page("old", "update-from-v012", "integrations/update-from-v0.12.md")
      ])
    ]
    expect(slugChangesOf(pages)).toEqual([
      { page: "🧩 Integrations", slug: "integrations", from: "-integrations", to: "integrations" },
      {
        page: "old",
        slug: "update-from-v0.12",
        from: "-integrations/update-from-v012",
        to: "integrations/update-from-v0.12"
      }
    ])
  })

  it("leave slugs that a writer has chosen, and pages without a source", () => {
    expect(
      slugChangesOf([
        page("chosen", "my-slug", "a/update-from-v0.12.md"),
        page("own", "update-from-v012"),
        { id: "link", type: "link", title: "Link" }
      ])
    ).toEqual([])
  })

  it("leave a slug whose place another page has", () => {
    expect(slugChangesOf([page("one", "v012", "v0.12.md"), page("two", "v0.12", "other/v0.12.md")])).toEqual(
      []
    )
  })

  it("keep the slugs of siblings different, and are complete when they are applied", () => {
    const names = fc.constantFrom("v0.1", "v01", "a+b", "ab", "a & b", "ä.b", "README", "guide.md")
    const arbitrary = fc.array(fc.record({ name: names, isGroup: fc.boolean() }), {
      maxLength: 8
    })
    fc.assert(
      fc.property(arbitrary, fc.array(fc.nat(99), { maxLength: 8 }), (drawn, suffixes) => {
        const siblings = drawn.map(({ name, isGroup }, index): SluggedPage => {
          const slug = `${name.replaceAll(/[^a-z0-9]/gi, "").toLowerCase()}${index === 0 ? "" : `-${suffixes[index] ?? index}`}`
          return isGroup ? group(name, slug, [], String(index)) : page(String(index), slug, `f/${name}.md`)
        })
        const changes = slugChangesOf(siblings)
        const slugOf = new Map(changes.map(({ page: id, slug }) => [id, slug]))
        const after = siblings.map((one) => ({ ...one, slug: slugOf.get(one.id) ?? one.slug! }))
        const before = new Set(siblings.map(({ slug }) => slug))
        if (before.size === siblings.length)
          expect(new Set(after.map(({ slug }) => slug)).size).toBe(after.length)
        expect(slugChangesOf(after).filter(({ page: id }) => slugOf.has(id))).toEqual([])
      }),
      runs(200)
    )
  })
})
