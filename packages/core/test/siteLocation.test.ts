/** The URLs of published sites, in both directions. */

import {
  buildStructure,
  locateSiteSpace,
  normalizeDefaults,
  pathOfSegments,
  rootOf,
  type SiteRow,
  type SiteSectionRow,
  type SiteSpaceRow,
  siteOfUrl,
  siteSpaceUrl
} from "@lectern/kernel/tables"
import type { SiteSectionId, SiteSpaceId } from "@lectern/model/sites"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { fallbackRedirect } from "../src/features/sites/fallbackRedirect.ts"

const segment = fc.stringMatching(/^[a-zé0-9._~-]{1,6}$/u).filter((text) => text !== "." && text !== "..")
const paths = fc.uniqueArray(segment, { minLength: 1, maxLength: 4 })

/** Generates the structure of a site: sections with site-spaces, or site-spaces only. */
const structures = fc
  .record({
    sections: fc.option(
      fc.uniqueArray(fc.tuple(segment, paths), { selector: ([path]) => path, minLength: 1, maxLength: 4 })
    ),
    flat: paths,
    basename: fc.option(segment),
    proxy: fc.option(fc.constantFrom("docs.example.com/a", "example.com/a/b"))
  })
  .map(({ sections, flat, basename, proxy }) => {
    const site = {
      id: "site",
      organization: "organization",
      basename,
      proxy,
      defaultSection: null,
      defaultSiteSpace: null
    } as unknown as SiteRow
    const spacesIn = (section: string | null, all: ReadonlyArray<string>) =>
      all.map(
        (path, index) =>
          ({
            id: `${section ?? ""}/${path}` as SiteSpaceId,
            section: section as SiteSectionId | null,
            path,
            position: `a${index}`
          }) as SiteSpaceRow
      )
    const rows = {
      site,
      groups: [],
      sections: (sections ?? []).map(
        ([path], index) =>
          ({
            id: path,
            path,
            sectionGroup: null,
            defaultSiteSpace: null,
            position: `a${index}`
          }) as unknown as SiteSectionRow
      ),
      siteSpaces:
        sections === null
          ? spacesIn(null, flat)
          : sections.flatMap(([path, inside]) => spacesIn(path, inside)),
      links: []
    }
    return normalizeDefaults(buildStructure(rows), rows)
  })

const base = "https://docs.acme.com/workspace"

describe("the location of a URL", () => {
  it("is the site-space whose URL it is, with the rest of the path", () => {
    fc.assert(
      fc.property(structures, fc.array(segment, { maxLength: 3 }), fc.nat(), (structure, page, index) => {
        const row = structure.siteSpaces[index % structure.siteSpaces.length]!
        // Sections and site-spaces take precedence over pages with the same path.
        const taken = new Set([...structure.sections, ...structure.siteSpaces].map(({ path }) => path))
        fc.pre(page[0] === undefined || !taken.has(page[0]))
        const url = siteSpaceUrl(structure, rootOf(base, structure.site), row) + pathOfSegments(page).slice(1)
        const named = siteOfUrl(base, url)!
        const proxy = structure.site.proxy?.split("/").length
        const segments = proxy === undefined ? named.segments : named.segments.slice(proxy - 1)
        expect(named.kind).toBe(structure.site.proxy === null ? "workspace" : "proxy")
        if (named.kind === "proxy") expect(named.origins).toContain(structure.site.proxy)
        else {
          const { basename } = structure.site
          // A reserved basename is not part of URLs.
          expect(named.name).toBe(basename === null || basename.startsWith("~") ? "site" : basename)
        }
        const location = locateSiteSpace(structure, segments)!
        expect([location.siteSpace.id, segments.slice(location.consumed)]).toEqual([row.id, page])
      })
    )
  })

  it("is undefined for a URL that cannot be decoded", () => {
    expect(siteOfUrl(base, `${base}/sites/organization/site/%ff`)).toBeUndefined()
    expect(siteOfUrl(base, "not a URL")).toBeUndefined()
  })
})

describe("the redirect to a fallback URL", () => {
  it("stays on the host of the fallback URL, and returns to a path of the site only", () => {
    const hostile = fc.oneof(
      fc.string(),
      fc.constantFrom(
        "//evil.example",
        "/\\evil.example",
        "https://evil.example",
        "..",
        "@evil.example",
        "%2f%2f",
        "\r\nx: y"
      )
    )
    fc.assert(
      fc.property(
        fc.array(hostile, { maxLength: 4 }),
        fc.constantFrom("", "?a=b", "?location=x"),
        (segments, query) => {
          const redirect = new URL(
            fallbackRedirect(`https://login.acme.com/start${query}`, pathOfSegments(segments))
          )
          expect(redirect.origin + redirect.pathname).toBe("https://login.acme.com/start")
          const [location, ...others] = redirect.searchParams.getAll("location")
          expect(others).toEqual([])
          expect(new URL(location!, "https://docs.acme.com").host).toBe("docs.acme.com")
          expect(location).toMatch(/^\/(?![/\\])/)
        }
      )
    )
  })
})
