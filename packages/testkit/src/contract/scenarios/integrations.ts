/** An integration is published, listed, installed and unpublished. */
import type { Integration, Page } from "@lectern/core"
import { expect } from "vitest"
import type { ContractScenario } from "../Scenario.ts"
import { idsOf } from "./helpers.ts"

/** A PNG image of one pixel, in base64. */
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

/** All fields of an integration that its response repeats. */
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

const namesOf = ({ items }: Page<Integration>): ReadonlyArray<string> => items.map(({ name }) => name)

export const integrations: ContractScenario = {
  title: "An integration is published, listed, installed and unpublished",
  run: async ({ ada, bob, eve, acme, other, tag }) => {
    const integration = { integrationName: `diagrams-${tag}` }
    const script = "addEventListener('fetch', () => {})"
    const body = {
      ...manifest,
      runtime: "v1",
      icon: pixel,
      previewImages: [pixel],
      script,
      organization: acme.id,
      secrets: { KEY: "very secret" }
    }
    const published = await ada.call<Integration>("publishIntegration", integration, { body })
    expect(published).toMatchObject({
      ...manifest,
      name: integration.integrationName,
      owner: { id: acme.id }
    })
    expect(JSON.stringify(published)).not.toContain("very secret")
    const second = await ada.call<Integration>("publishIntegration", integration, {
      body: {
        ...body,
        configurations: { account: component, space: component, site: component },
        contentSecurityPolicy: { "default-src": "'self'" }
      }
    })
    expect(second.configurations).toMatchObject({ account: component })
    expect(second.version).toBeGreaterThan(published.version)
    const third = await ada.call<Integration>("publishIntegration", integration, { body })
    expect(third.version).toBe(second.version + 1)
    expect(await bob.call<Integration>("getIntegrationByName", integration)).toMatchObject({
      version: third.version
    })
    await ada.expectError(403, "publishIntegration", integration, {
      body: { ...body, organization: other.id }
    })
    await eve.expectError(404, "publishIntegration", integration, { body })
    await ada.call(
      "publishIntegration",
      { integrationName: `charts-${tag}` },
      {
        body: { title: "Charts", description: "", scopes: [], script, organization: acme.id }
      }
    )

    // Both lists are filtered by each field.
    const list = async (query: { readonly [name: string]: boolean | string }) => {
      const options = { query: { owner: acme.id, ...query } }
      const all = await bob.call<Page<Integration>>("listIntegrations", {}, options)
      const names = namesOf(all)
      const usable = await bob.call<Page<Integration>>(
        "listOrganizationIntegrations",
        { organizationId: acme.id },
        options
      )
      expect(namesOf(usable)).toEqual(names)
      return names
    }
    expect((await list({})).toSorted()).toEqual([`charts-${tag}`, integration.integrationName].toSorted())
    expect(
      await list({
        search: "DIAGRAM",
        category: "analytics",
        blockDomain: "diagrams.example.com",
        blocks: true,
        contentSources: true,
        scope: "space:content:read"
      })
    ).toEqual([integration.integrationName])
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
      await ada.call("installIntegration", integration, { body: { organization } })
    }
    const installations = await ada.call<Page<{ id: string }>>("listIntegrationInstallations", integration)
    expect(installations.count).toBe(2)
    const filtered = await ada.call<Page<{ id: string }>>("listIntegrationInstallations", integration, {
      query: { externalId: "nothing" }
    })
    expect(idsOf(filtered)).toEqual([])

    // An organization can use public integrations and its own, but not the private ones of others.
    const usableIn = async (organizationId: string) =>
      namesOf(
        await ada.call<Page<Integration>>(
          "listOrganizationIntegrations",
          { organizationId },
          { query: { owner: acme.id } }
        )
      )
    expect(await usableIn(other.id)).toEqual([integration.integrationName])
    expect((await usableIn(acme.id)).length).toBe(2)

    await ada.call("unpublishIntegration", integration)
    await ada.expectError(404, "getIntegrationByName", integration)
  }
}
