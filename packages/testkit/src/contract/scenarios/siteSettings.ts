/** A site is customized, configures the authentication of visitors, and is unpublished. */
import type { CompleteCustomization, PublishingAuth, Site, Space } from "@lectern/model"
import { expect } from "vitest"
import type { ContractScenario } from "../Scenario.ts"
import type { ScenarioContext } from "../ScenarioContext.ts"
import type { Json } from "../Schemas.ts"
import { writableOf } from "./helpers.ts"

const image = { light: "https://example.com/light.png", dark: "https://example.com/dark.png" }
const color = { light: "#346DDB", dark: "#fff" }

/** Returns a link to each kind of target. */
const linksTo = (space: string) =>
  [
    { title: "Home", to: { kind: "url", url: "https://example.com/" } },
    { title: "Guide", to: { kind: "space", space } },
    { title: "Start", to: { kind: "page", page: "start", space } },
    { title: "Install", to: { kind: "anchor", page: "start", space, anchor: "install" } },
    { title: "Plan", to: { kind: "file", file: "plan", space } }
  ] as const

/** Returns a customization that sets every field. */
const customizationOf = (base: ReturnType<typeof writableOf>, links: ReturnType<typeof linksTo>) => ({
  ...base,
  title: "Acme documentation",
  styling: {
    ...base.styling,
    tint: { color },
    codeTheme: {
      default: { light: "github-light", dark: "github-dark" },
      openapi: { light: "default-light", dark: "dracula" }
    }
  },
  socialAccounts: [{ platform: "mastodon", handle: "acme", display: { footer: true, header: false } }],
  favicon: { icon: image },
  header: {
    preset: "custom",
    logo: image,
    backgroundColor: color,
    linkColor: color,
    links: [
      ...links.map((link) => ({ ...link, links: [] })),
      { title: "More", style: "button-primary", to: null, links, condition: "visitor.claims.insider" }
    ]
  },
  footer: { logo: image, groups: [{ title: "Elsewhere", links }], copyright: "Acme" },
  announcement: { enabled: true, message: "We moved.", link: links[0], style: "info" },
  privacyPolicy: { url: "https://example.com/privacy" },
  socialPreview: { url: "https://example.com/preview.png" },
  search: {
    synonyms: [["k8s", "kubernetes"]],
    pins: [{ queries: ["install"], space: "space", page: "page" }],
    boosts: [{ space: "space", page: "page", weight: 2 }]
  }
})

/** Returns the changes that set every value of an override. */
const overrideOf = (links: ReturnType<typeof linksTo>) => ({
  title: "Acme guide",
  styling: {
    theme: "bold",
    primaryColor: color,
    tint: { color },
    infoColor: color,
    successColor: color,
    warningColor: color,
    dangerColor: color,
    corners: "straight",
    depth: "flat",
    links: "accent",
    icons: "solid",
    background: "match",
    sidebar: { background: "filled", list: "line" },
    search: "subtle"
  },
  internationalization: { locale: "fr" },
  favicon: { emoji: "📖" },
  announcement: { enabled: true, message: "New.", link: links[0], style: "success" },
  header: {
    preset: "custom",
    logo: image,
    backgroundColor: color,
    linkColor: color,
    links: [
      ...links.map((link) => ({ ...link, links: [] })),
      { title: "More", style: "button-secondary", to: null, links, condition: "visitor.claims.insider" }
    ]
  },
  footer: { logo: image, groups: [{ title: "Elsewhere", links }], copyright: "Acme" },
  themes: { default: "dark", toggeable: false },
  pdf: { enabled: false },
  feedback: { enabled: true },
  git: { showEditLink: true },
  externalLinks: { target: "blank" },
  pagination: { enabled: false },
  trademark: { enabled: true },
  privacyPolicy: { url: "https://example.com/privacy" },
  socialPreview: { url: "https://example.com/preview.png" }
})

/** Returns changes with null for every value. */
const resetOf = (changes: object): { readonly [name: string]: Json } =>
  Object.fromEntries(
    Object.entries(changes).map(([name, value]: readonly [string, unknown]) => [
      name,
      isGroup(name, value) ? resetOf(value) : null
    ])
  )

const isGroup = (name: string, value: unknown): value is object =>
  typeof value === "object" && value !== null && !["favicon", "announcement"].includes(name) && !isValue(name)

const isValue = (name: string): boolean => /Color$|^(logo|tint|groups|links)$/.test(name)

/** Overrides every value of the customization of a site-space, one value, and none. */
const overrideSiteSpace = async (
  ada: ScenarioContext["ada"],
  site: { readonly organizationId: string; readonly siteId: string },
  links: ReturnType<typeof linksTo>
) => {
  const { items } = await ada.call<{ items: ReadonlyArray<{ id: string }> }>("listSiteSpaces", site)
  const at = { ...site, siteSpaceId: items[0]!.id }
  const base = await ada.call<CompleteCustomization>("getSiteCustomizationById", site)
  expect(await ada.call("getSiteSpaceCustomizationById", at)).toEqual(base)
  const body = overrideOf(links)
  const overridden = await ada.call<CompleteCustomization>("overrideSiteSpaceCustomizationById", at, { body })
  // The actions of pages are derived from other settings.
  const { pageActions: _, ...others } = { ...base, ...body }
  expect(overridden).toMatchObject({ ...others, styling: { ...base.styling, ...body.styling } })
  expect(await ada.call("getSiteSpaceCustomizationById", at)).toEqual(overridden)
  for (const link of links) {
    const announcement = { enabled: true, message: "New.", link, style: "info" }
    const changes = { body: { announcement, favicon: { icon: image } } }
    expect(await ada.call("overrideSiteSpaceCustomizationById", at, changes)).toMatchObject(changes.body)
  }
  await ada.call("overrideSiteSpaceCustomizationById", at, { body: { favicon: {} } })
  expect(await ada.call("overrideSiteSpaceCustomizationById", at, { body: resetOf(body) })).toEqual(base)
  await ada.call("overrideSiteSpaceCustomizationById", at, { body: { title: "Other" } })
  await ada.call("deleteSiteSpaceCustomizationById", at)
  expect(await ada.call("getSiteSpaceCustomizationById", at)).toEqual(base)
}

export const siteSettings: ContractScenario = {
  title: "A site is customized, configures the authentication of visitors, and is unpublished",
  requires: ["sites", "siteSpaces"],
  run: async ({ ada, rita, acme, tag }) => {
    const at = { organizationId: acme.id }
    const space = await ada.call<Space>("createSpace", at, { body: { title: "Guide" } })
    const created = await ada.call<Site>("createSite", at, {
      body: { type: "premium", title: `Guide ${tag}`, visibility: "visitor-auth", spaces: [space.id] }
    })
    const site = { ...at, siteId: created.id }
    const property = { type: "boolean", description: "Whether the visitor is an employee" }
    await ada.call("updateSiteAdaptiveSchema", site, {
      body: { jsonSchema: { type: "object", properties: { insider: property }, additionalProperties: false } }
    })

    const base = writableOf(await rita.call<CompleteCustomization>("getSiteCustomizationById", site))
    const links = linksTo(space.id)
    const customization = customizationOf(base, links)
    const update = async (body: Json) =>
      writableOf(await ada.call<CompleteCustomization>("updateSiteCustomizationById", site, { body }))
    expect(await update(customization)).toEqual(customization)
    const stored = await rita.call<CompleteCustomization>("getSiteCustomizationById", site)
    expect(writableOf(stored)).toEqual(customization)
    for (const link of links) {
      const announcement = { enabled: true, message: "We moved.", link, style: "info" }
      const body = { ...base, favicon: { emoji: "📖" }, announcement }
      expect(await update(body)).toEqual(body)
    }

    await overrideSiteSpace(ada, site, links)

    const key = await ada.call<PublishingAuth>("getSitePublishingAuthById", site)
    const fallbackURL = "https://www.example.com/login"
    const settings = { backend: "custom", fallbackURL }
    const auth = await ada.call<PublishingAuth>("updateSitePublishingAuthById", site, { body: settings })
    expect(auth).toMatchObject({ ...settings, privateKey: key.privateKey })
    const regenerated = await ada.call<PublishingAuth>("regenerateSitePublishingAuthById", site)
    expect(regenerated.fallbackURL).toBe(fallbackURL)
    expect(regenerated.privateKey).not.toBe(key.privateKey)
    const cleared = await ada.call<PublishingAuth>("updateSitePublishingAuthById", site, {
      body: { fallbackURL: null }
    })
    expect(cleared.fallbackURL).toBeUndefined()

    await ada.call("updateSiteById", site, { body: { visibility: "public" } })
    await ada.call("publishSite", site)
    const visitor = { shareKey: "any", visitorAuthToken: "any" }
    const structure = await rita.call<{ type: string }>("getSiteStructure", site, { query: visitor })
    expect(structure).toMatchObject({ type: "siteSpaces", structure: [{ space: { id: space.id } }] })
    expect((await ada.call<Site>("unpublishSite", site)).published).toBe(false)
    await ada.expectError(404, "getPublishedContentSite", site)
  }
}
