/** Damage that is done to sites, integrations, specs and jobs. */
import { Effect } from "effect"
import { type Damage, drop, find, nothing, set } from "./tools.ts"

export const all: ReadonlyArray<Damage> = [
  { check: "site-search-text", done: ({ site }) => set("sites", { id: site }, { folded: "x" }) },
  { check: "site-settings", done: ({ site }) => drop("siteSettings", { site }) },
  {
    check: "site-root",
    done: ({ site }) =>
      Effect.gen(function* () {
        const all = yield* find("siteSpaces", { site })
        const defaults = new Set((yield* find("siteSections", { site })).map((row) => row.defaultSiteSpace))
        const one = all.find(({ id }) => !defaults.has(id))!
        yield* set("siteSpaces", { id: one.id }, { section: null })
        yield* set("sites", { id: site }, { defaultSiteSpace: one.id })
      }),
    also: ["space-published"]
  },
  {
    check: "site-paths",
    done: ({ flat }) =>
      Effect.flatMap(find("siteSpaces", { site: flat }), ([one, other]) =>
        set("siteSpaces", { id: other!.id }, { path: one!.path })
      )
  },
  {
    check: "site-order",
    done: ({ flat }) =>
      Effect.flatMap(find("siteSpaces", { site: flat }), ([one, other]) =>
        set("siteSpaces", { id: other!.id }, { position: one!.position })
      )
  },
  {
    check: "site-order",
    done: ({ flat }) =>
      Effect.gen(function* () {
        const [one, other] = yield* find("siteSpaces", { site: flat })
        yield* set("siteSpaces", { id: other!.id }, { position: one!.position })
        yield* set("sites", { id: flat }, { defaultSiteSpace: null })
      }),
    also: ["site-defaults"]
  },
  { check: "site-defaults", done: ({ flat }) => set("sites", { id: flat }, { defaultSiteSpace: null }) },
  {
    check: "site-defaults",
    done: ({ site }) => set("siteSections", { site, title: "More" }, { defaultSiteSpace: nothing }),
    also: ["space-published"]
  },
  {
    check: "site-conditions",
    done: ({ site }) => set("siteSections", { site }, { condition: "visitor.claims. ==" })
  },
  { check: "site-conditions", done: ({ flat }) => set("siteSpaces", { site: flat }, { condition: "(" }) },
  {
    check: "site-space-section",
    done: ({ site, flat }) =>
      Effect.gen(function* () {
        const [, other] = yield* find("siteSpaces", { site: flat })
        const [section] = yield* find("siteSections", { site })
        yield* set("siteSpaces", { id: other!.id }, { section: section!.id })
      })
  },
  {
    check: "site-space",
    done: ({ other }) => set("spaces", { id: other }, { deletedAt: "2026-01-01T00:00:00.000Z" })
  },
  {
    check: "integration-facets",
    done: () => set("integrations", {}, { categories: "\n", visibility: "private" })
  },
  { check: "integration-assets", done: () => set("integrations", {}, { icon: nothing }) },
  { check: "integration-assets", done: () => drop("integrationAssets", { kind: "script" }) },
  {
    check: "integration-bytes",
    done: () => set("integrationAssets", { kind: "image" }, { bytes: new Uint8Array([1]) })
  },
  { check: "spec-version", done: () => set("openApiSpecs", { slug: "things" }, { lastVersion: null }) },
  { check: "spec-version", done: () => set("openApiSpecs", { slug: "waiting" }, { lastVersion: nothing }) },
  { check: "spec-source", done: () => drop("openApiTexts", {}) },
  {
    check: "spec-source",
    done: () => set("openApiSpecs", { slug: "things" }, { sourceURL: "https://example.com" })
  },
  { check: "spec-job", done: () => drop("jobs", { kind: "openapi" }) },
  {
    check: "job-dead",
    done: () => set("jobs", { kind: "openapi" }, { state: "dead" }),
    also: ["spec-job"]
  },
  {
    check: "job-overdue",
    done: () => set("jobs", { kind: "openapi" }, { runAt: "2020-01-01T00:00:00.000Z" })
  }
]
