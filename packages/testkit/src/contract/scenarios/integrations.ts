/** An integration is published, found, installed, published again, and taken back. */
import type { Integration, Page } from "@lectern/core"
import { expect } from "vitest"
import type { ContractScenario } from "../Scenario.ts"
import { idsOf } from "./reading.ts"

/** A picture of one pixel. */
const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

const configuration = {
  properties: {
    token: {
      title: "Token",
      description: "The token of the service",
      type: "string",
      default: "none",
      completion_url: "https://example.com/complete",
      callback_url: "https://example.com/callback",
      button_text: "Connect",
      enum: ["none", "some"]
    }
  },
  required: ["token"]
} as const

const component = { componentId: "settings" } as const

/** All that can be said of an integration. */
const manifest = {
  title: "Diagrams",
  description: "Draws diagrams",
  summary: "# Diagrams\n\nOf all kinds.",
  target: "space",
  visibility: "public",
  scopes: ["space:content:read"],
  categories: ["analytics"],
  blocks: [
    {
      id: "diagram",
      title: "Diagram",
      description: "A diagram",
      icon: "diagram.svg",
      urlUnfurl: ["https://diagrams.example.com/"],
      markdown: { codeblock: "diagram", body: "content" }
    }
  ],
  contentSources: [
    {
      id: "boards",
      title: "Boards",
      description: "Boards as pages",
      icon: "boards.svg",
      configuration: { componentId: "boards" }
    }
  ],
  configurations: { account: configuration, space: configuration, site: configuration },
  externalLinks: [{ url: "https://example.com/diagrams", label: "Documentation" }],
  contentSecurityPolicy: "default-src 'self'"
} as const

export const integrations: ContractScenario = {
  title: "An integration is published, found, installed and taken back",
  run: async ({ ada, bob, eve, acme, other, tag }) => {
    const one = { integrationName: `diagrams-${tag}` }
    const script = "addEventListener('fetch', () => {})"
    const whole = {
      ...manifest,
      runtime: "v1",
      icon: pixel,
      previewImages: [pixel],
      script,
      organization: acme.id,
      secrets: { KEY: "very secret" }
    }
    const published = await ada.call<Integration>("publishIntegration", one, { body: whole })
    expect(published).toMatchObject({ ...manifest, name: one.integrationName, owner: { id: acme.id } })
    expect(JSON.stringify(published)).not.toContain("very secret")
    const again = await ada.call<Integration>("publishIntegration", one, {
      body: {
        ...whole,
        configurations: { account: component, space: component, site: component },
        contentSecurityPolicy: { "default-src": "'self'" }
      }
    })
    expect(again.configurations).toMatchObject({ account: component })
    expect(again.version).toBeGreaterThan(published.version)
    const third = await ada.call<Integration>("publishIntegration", one, { body: whole })
    expect(third.version).toBe(again.version + 1)
    expect(await bob.call<Integration>("getIntegrationByName", one)).toMatchObject({ version: third.version })
    await ada.refused(403, "publishIntegration", one, { body: { ...whole, organization: other.id } })
    await eve.refused(404, "publishIntegration", one, { body: whole })
    await ada.call(
      "publishIntegration",
      { integrationName: `charts-${tag}` },
      {
        body: { title: "Charts", description: "", scopes: [], script, organization: acme.id }
      }
    )

    // It is found by all that is said of it.
    const list = async (query: { readonly [name: string]: boolean | string }) =>
      (
        await bob.call<Page<Integration>>("listIntegrations", {}, { query: { owner: acme.id, ...query } })
      ).items.map(({ name }) => name)
    expect((await list({})).toSorted()).toEqual([`charts-${tag}`, one.integrationName].toSorted())
    expect(
      await list({
        search: "DIAGRAM",
        category: "analytics",
        blockDomain: "diagrams.example.com",
        blocks: true,
        contentSources: true,
        scope: "space:content:read"
      })
    ).toEqual([one.integrationName])
    const filters = [
      { search: "nothing of this name" },
      { category: "marketing" },
      { blockDomain: "other.example.com" },
      { scope: "openapi:read" },
      { owner: other.id }
    ]
    for (const filter of filters) expect([filter, await list(filter)]).toEqual([filter, []])
    expect(await list({ blocks: false })).toEqual([`charts-${tag}`])
    expect(await list({ contentSources: false })).toEqual([`charts-${tag}`])

    // Two organizations install it.
    for (const organization of [acme.id, other.id]) {
      await ada.call("installIntegration", one, { body: { organization } })
    }
    const installations = await ada.call<Page<{ id: string }>>("listIntegrationInstallations", one)
    expect(installations.count).toBe(2)
    const named = await ada.call<Page<{ id: string }>>("listIntegrationInstallations", one, {
      query: { externalId: "nothing" }
    })
    expect(idsOf(named)).toEqual([])

    await ada.call("unpublishIntegration", one)
    await ada.refused(404, "getIntegrationByName", one)
  }
}
