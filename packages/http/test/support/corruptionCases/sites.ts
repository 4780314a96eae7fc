/** Corruption of sites, integrations, specifications and jobs. */
import { Effect } from "effect"
import {
  type CorruptionCase,
  deleteFirst,
  findRows,
  insertLike,
  insertRow,
  missingId,
  updateFirst
} from "./rows.ts"

export const sitesCases: ReadonlyArray<CorruptionCase> = [
  { check: "site-search-text", corrupt: ({ site }) => updateFirst("sites", { id: site }, { folded: "x" }) },
  {
    check: "custom-font-files",
    corrupt: () =>
      Effect.flatMap(findRows("organizations"), ([organization]) =>
        insertRow("customFonts", {
          organization: organization!.id,
          id: "font",
          family: "Acme Sans",
          faces: [{ weight: 400, hash: "0".repeat(64), format: "woff2" }]
        })
      )
  },
  { check: "site-settings", corrupt: ({ site }) => deleteFirst("siteSettings", { site }) },
  {
    check: "site-root",
    corrupt: ({ site }) =>
      Effect.gen(function* () {
        const all = yield* findRows("siteSpaces", { site })
        const defaults = new Set(
          (yield* findRows("siteSections", { site })).map((row) => row.defaultSiteSpace)
        )
        const one = all.find(({ id }) => !defaults.has(id))!
        yield* updateFirst("siteSpaces", { id: one.id }, { section: null })
        yield* updateFirst("sites", { id: site }, { defaultSiteSpace: one.id })
      }),
    alsoReportedBy: ["space-published"]
  },
  {
    check: "site-paths",
    corrupt: ({ flatSite }) =>
      Effect.flatMap(findRows("siteSpaces", { site: flatSite }), ([one, other]) =>
        updateFirst("siteSpaces", { id: other!.id }, { path: one!.path })
      )
  },
  {
    check: "site-order",
    corrupt: ({ flatSite }) =>
      Effect.flatMap(findRows("siteSpaces", { site: flatSite }), ([one, other]) =>
        updateFirst("siteSpaces", { id: other!.id }, { position: one!.position })
      )
  },
  {
    check: "site-order",
    corrupt: ({ flatSite }) =>
      Effect.gen(function* () {
        const [one, other] = yield* findRows("siteSpaces", { site: flatSite })
        yield* updateFirst("siteSpaces", { id: other!.id }, { position: one!.position })
        yield* updateFirst("sites", { id: flatSite }, { defaultSiteSpace: null })
      }),
    alsoReportedBy: ["site-defaults"]
  },
  {
    check: "site-defaults",
    corrupt: ({ flatSite }) => updateFirst("sites", { id: flatSite }, { defaultSiteSpace: null })
  },
  {
    check: "site-defaults",
    corrupt: ({ site }) =>
      updateFirst("siteSections", { site, title: "More" }, { defaultSiteSpace: missingId }),
    alsoReportedBy: ["space-published"]
  },
  {
    check: "site-conditions",
    corrupt: ({ site }) => updateFirst("siteSections", { site }, { condition: "visitor.claims. ==" })
  },
  {
    check: "site-conditions",
    corrupt: ({ flatSite }) => updateFirst("siteSpaces", { site: flatSite }, { condition: "(" })
  },
  {
    check: "site-space-section",
    corrupt: ({ site, flatSite }) =>
      Effect.gen(function* () {
        const [, other] = yield* findRows("siteSpaces", { site: flatSite })
        const [section] = yield* findRows("siteSections", { site })
        yield* updateFirst("siteSpaces", { id: other!.id }, { section: section!.id })
      })
  },
  {
    check: "site-conditions",
    corrupt: ({ site }) => updateFirst("siteExternalLinks", { site }, { condition: "(" })
  },
  {
    check: "site-space-section",
    corrupt: ({ organization, site, flatSite }) =>
      Effect.gen(function* () {
        yield* insertRow("siteSectionGroups", {
          ...{ id: "group", organization, site: flatSite, position: "a0", title: "Group", icon: null }
        })
        yield* updateFirst("siteExternalLinks", { site }, { sectionGroup: "group" })
      })
  },
  {
    check: "site-space",
    corrupt: ({ flatSite, otherOrganization }) =>
      updateFirst("sites", { id: flatSite }, { organization: otherOrganization }),
    alsoReportedBy: ["organization-of-rows"]
  },
  {
    check: "space-published",
    corrupt: ({ otherSpace }) =>
      updateFirst("spaces", { id: otherSpace }, { deletedAt: "2026-01-01T00:00:00.000Z" })
  },
  {
    check: "integration-facets",
    corrupt: () => updateFirst("integrations", {}, { categories: "\n", visibility: "private" })
  },
  { check: "integration-assets", corrupt: () => updateFirst("integrations", {}, { icon: missingId }) },
  { check: "integration-assets", corrupt: () => deleteFirst("integrationAssets", { kind: "script" }) },
  {
    check: "integration-bytes",
    corrupt: () => updateFirst("integrationAssets", { kind: "image" }, { bytes: new Uint8Array([1]) })
  },
  {
    check: "installation-content",
    corrupt: () => updateFirst("contentInstallations", { kind: "space" }, { space: null })
  },
  {
    check: "spec-version",
    corrupt: () => updateFirst("openApiSpecs", { slug: "things" }, { lastVersion: null })
  },
  {
    check: "spec-version",
    corrupt: () => updateFirst("openApiSpecs", { slug: "waiting" }, { lastVersion: missingId })
  },
  { check: "spec-source", corrupt: () => deleteFirst("openApiTexts", {}) },
  {
    check: "spec-source",
    corrupt: () => updateFirst("openApiSpecs", { slug: "things" }, { sourceURL: "https://example.com" })
  },
  { check: "spec-job", corrupt: () => deleteFirst("jobs", { kind: "openapi" }) },
  {
    check: "job-dead",
    corrupt: () => updateFirst("jobs", { kind: "openapi" }, { state: "dead" }),
    alsoReportedBy: ["spec-job"]
  },
  {
    check: "job-overdue",
    corrupt: () => updateFirst("jobs", { kind: "openapi" }, { runAt: "2020-01-01T00:00:00.000Z" })
  },
  {
    check: "job-schedule",
    corrupt: () => updateFirst("jobs", { kind: "openapi" }, { runAt: "2099-01-01T00:00:00.000Z" })
  },
  {
    check: "job-rebuild",
    corrupt: () =>
      insertLike(
        "jobs",
        { kind: "openapi" },
        { id: "rebuild:searchIndex", kind: "rebuild:searchIndex", payload: null }
      )
  }
]
