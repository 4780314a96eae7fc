/** An administrator installs scripts on a site, which pages load only at a host name of the site. */
import type {
  Page,
  PublishedSite,
  ScriptTemplate,
  Site,
  SiteIntegrationScript,
  SiteScript,
  Space
} from "@lectern/model"
import { expect } from "vitest"
import type { ContractScenario } from "../Scenario.ts"
import type { Json } from "../Schemas.ts"

/** Returns the examples of the values that a known service requires. */
const valuesOf = ({ fields }: Pick<ScriptTemplate, "fields">) =>
  Object.fromEntries(fields.map((field) => [field.name, field.example]))

export const siteScripts: ContractScenario = {
  title: "Scripts are installed on a site, and active at its host name",
  requires: ["siteScripts"],
  run: async ({ ada, bob, rita, eve, acme, other }) => {
    const at = { organizationId: acme.id }
    const space = await ada.call<Space>("createSpace", at, { body: { title: "Guide" } })
    const { id } = await ada.call<Site>("createSite", at, { body: { title: "Measured", spaces: [space.id] } })
    const site = { ...at, siteId: id }
    const { items } = await rita.call<{ readonly items: ReadonlyArray<ScriptTemplate> }>(
      "listSiteScriptTemplates",
      site
    )
    expect(items.length).toBe(10)

    // The data of every known service is valid with its examples, and invalid with another value.
    for (const { id: template, name, fields } of items) {
      const values = valuesOf({ fields })
      const body = { name, source: { type: "template", template, values } }
      const script = await ada.call<SiteScript>("createSiteScript", site, { body })
      expect(script.active).toBe(false)
      expect(script.inactiveReason).toContain("host name")
      const changed = { ...body, source: { ...body.source, values: { ...values, [fields[0]!.name]: "')" } } }
      await ada.expectError(400, "createSiteScript", site, { body: changed })
      await ada.call("deleteSiteScriptById", { ...site, siteScriptId: script.id })
    }
    const create = (source: Json, other: object = {}) =>
      ada.call<SiteScript>("createSiteScript", site, { body: { name: "Script", source, ...other } })
    const url = { type: "url", url: "https://stats.example.com/{{key}}.js", values: { key: "a b" } }
    const byUrl = await create(url, {
      categories: ["marketing"],
      origins: { frames: ["https://*.example.com"] }
    })
    const byText = await create(
      { type: "text", text: "window.key = {{key}}", values: { key: "</script>" } },
      { categories: [], enabled: true }
    )
    for (const source of [
      { ...url, values: {} },
      { ...url, values: { key: "x", unknown: "x" } },
      { ...url, url: "http://stats.example.com/{{key}}.js" },
      { ...url, url: "https://{{key}}.example.com/" }
    ]) {
      await ada.expectError(400, "createSiteScript", site, { body: { name: "Script", source } })
    }
    const one = { ...site, siteScriptId: byUrl.id }
    expect(await ada.call<SiteScript>("getSiteScriptById", one)).toEqual(byUrl)
    expect((await ada.call<Page<SiteScript>>("listSiteScripts", site)).items).toEqual([byText, byUrl])
    await bob.expectError(403, "listSiteScripts", site)

    // An update replaces the fields that it has, with each kind of source.
    const update = (body: Json) => ada.call<SiteScript>("updateSiteScriptById", one, { body })
    const origin = ["https://*.example.com"]
    const origins = {
      scripts: origin,
      connections: ["wss://live.example.com"],
      frames: origin,
      styles: origin
    }
    for (const source of [
      { type: "text", text: "window.key = {{key}}", values: { key: "b" } },
      { type: "template", template: items[0]!.id, values: valuesOf(items[0]!) },
      url
    ]) {
      const all = { name: "Changed", source, categories: ["support"], origins, enabled: false }
      expect(await update(all)).toMatchObject(all)
    }
    const { name, source, categories, enabled } = byUrl
    expect(await update({ name, source, categories, origins: { ...byUrl.origins }, enabled })).toEqual(byUrl)
    const complete = await create(url, { origins })
    expect(complete.origins).toEqual(origins)
    await ada.call("deleteSiteScriptById", { ...site, siteScriptId: complete.id })
    await eve.expectError(404, "getSiteScriptById", { ...one, organizationId: other.id })

    await ada.call("publishSite", site)
    const loaded = () => rita.call<ReadonlyArray<SiteIntegrationScript>>("listSiteIntegrationScripts", site)
    expect(await loaded()).toEqual([])
    await ada.call("updateSiteById", site, { body: { proxy: "measured.example.com" } })
    const active = await loaded()
    expect(active.map(({ script, cookies }) => [script, cookies])).toEqual([
      ["https://stats.example.com/a%20b.js", true],
      [expect.stringMatching(/^https:\/\/measured\.example\.com\/~\/assets\/script\./), false]
    ])
    expect(active[0]!.contentSecurityPolicy).toBe(
      "script-src https://stats.example.com; frame-src https://*.example.com"
    )
    expect((await ada.call<PublishedSite>("getPublishedContentSite", site)).scripts).toEqual(active)
    const disabled = await ada.call<SiteScript>("updateSiteScriptById", one, { body: { enabled: false } })
    expect(disabled.inactiveReason).toBe("The script is disabled.")
    expect(await loaded()).toEqual(active.slice(1))
    await ada.call("updateSiteById", site, { body: { proxy: null } })
  }
}
