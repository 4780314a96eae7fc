/** The slugs of imported pages, compared with public URLs of sites that GitBook serves. */

import { readLayout, sourceSlugOfFile } from "@lectern/formats"
import { runs } from "@lectern/harness"
import { servableSlug, slugOfGroup, slugOfName } from "@lectern/markdown/text"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import urls from "./support/gitBookUrls.json" with { type: "json" }

interface PublicLink {
  readonly repository: string
  readonly group?: { readonly group: string; readonly anchor?: string }
  readonly paths: ReadonlyArray<string>
  readonly url: string
  readonly path: string
}

const links: ReadonlyArray<PublicLink> = urls.links

const isSlug = /^(?!\.{1,2}$)[\p{L}\p{M}\p{N}._~+-]{1,100}$/u

describe("the slugs of an imported repository", () => {
  const layout = readLayout(undefined, ["README.md", "SUMMARY.md"])

  it("equal the segments of the public URLs", () => {
    expect(links.length).toBeGreaterThanOrEqual(200)
    const wrong = links.flatMap(({ repository, group, paths, path }) => {
      const slugs = [
        ...(group === undefined ? [] : [group.anchor ?? slugOfGroup(group.group)]),
        ...paths.map((file) => sourceSlugOfFile(layout, file))
      ]
      return slugs.join("/") === decodeURIComponent(path) ? [] : [[repository, slugs.join("/"), path]]
    })
    expect(wrong).toEqual([])
  })

  it.each(urls.titles)("are derived from the title: $title", ({ title, slug }) => {
    expect(slugOfGroup(title)).toBe(slug)
  })

  it.each([
    ["update-from-v0.12", "update-from-v0.12"],
    ["elsa-server-+-studio-wasm", "elsa-server-+-studio-wasm"],
    ["annotate_rows_log_event", "annotate_rows_log_event"],
    ["README", "readme"],
    ["a page (2)", "a-page-2"],
    ["..", "page"],
    ["🧩", "page"]
  ])("are derived from the name of the file: %s", (name, slug) => {
    expect(slugOfName(name)).toBe(slug)
  })

  it("are valid, stable and servable, for all text", () => {
    const text = fc.oneof(fc.string({ unit: "binary", maxLength: 300 }), fc.string({ unit: "grapheme" }))
    fc.assert(
      fc.property(text, fc.constantFrom("", ".md", ".MD"), (value, suffix) => {
        for (const slugOf of [slugOfGroup, slugOfName]) {
          const slug = slugOf(value + suffix)
          expect(slug).toMatch(isSlug)
          expect(slugOf(slug)).toBe(slug)
          expect(servableSlug(slug)).toMatch(isSlug)
          expect(servableSlug(slug)).not.toMatch(/\.md$/i)
          expect(servableSlug(servableSlug(slug))).toBe(servableSlug(slug))
        }
      }),
      runs(300)
    )
  })

  it.each(["guide.md", "sitemap.xml", "robots.txt", "llms.txt", "llms-full.txt", "rss.xml", "Guide.MD"])(
    "have a suffix where the reader serves another document: %s",
    (name) => {
      expect(servableSlug(name)).toBe(`${name}-1`)
      expect(servableSlug(`${name}-1`)).toBe(`${name}-1`)
    }
  )
})
