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

const script = "addEventListener('fetch', () => {})"

/** Returns a request with all fields of an integration. */
const completeOf = (organization: string) => ({
  ...manifest,
  runtime: "v1",
  icon: pixel,
  previewImages: [pixel],
  script,
  organization,
  secrets: { KEY: "very secret" }
})

/** Returns a request with the required fields of an integration. */
const plainOf = (organization: string) => ({
  title: "Charts",
  description: "",
  scopes: [],
  script,
  organization
})

type Filter = { readonly [name: string]: boolean | string }

/** Filters a list of two integrations of an organization by each field. */
const checkFilters = async (
  list: (query: Filter) => Promise<ReadonlyArray<string>>,
  { complete, plain }: { readonly complete: string; readonly plain: string },
  otherOrganization: string
): Promise<void> => {
  // Other scenarios may have published further integrations.
  const listed = async (query: Filter) =>
    (await list(query)).filter((name) => [complete, plain].includes(name)).toSorted()
  expect(await listed({})).toEqual([complete, plain].toSorted())
  const all = {
    search: "DIAGRAM",
    category: "analytics",
    blockDomain: "diagrams.example.com",
    blocks: true,
    contentSources: true,
    scope: "space:content:read"
  }
  expect(await listed(all)).toEqual([complete])
  const filters = [
    { search: "nothing of this name" },
    { category: "marketing" },
    { blockDomain: "other.example.com" },
    { scope: "openapi:read" },
    { owner: otherOrganization }
  ]
  for (const filter of filters) expect([filter, await listed(filter)]).toEqual([filter, []])
  expect(await listed({ blocks: false })).toEqual([plain])
  expect(await listed({ contentSources: false })).toEqual([plain])
}

export const integrations: ContractScenario = {
  title: "An integration is published, listed, installed and unpublished",
  run: async ({ ada, bob, eve, acme, other, tag }) => {
    const names = { complete: `diagrams-${tag}`, plain: `charts-${tag}` }
    const integration = { integrationName: names.complete }
    const body = completeOf(acme.id)
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
    await ada.call("publishIntegration", { integrationName: names.plain }, { body: plainOf(acme.id) })
    const list = async (query: Filter) =>
      namesOf(
        await bob.call<Page<Integration>>("listIntegrations", {}, { query: { owner: acme.id, ...query } })
      )
    await checkFilters(list, names, other.id)

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

    await ada.call("unpublishIntegration", integration)
    await ada.expectError(404, "getIntegrationByName", integration)
  }
}

export const organizationIntegrations: ContractScenario = {
  title: "The integrations that an organization can use are listed",
  requires: ["integrations"],
  run: async ({ ada, bob, acme, other, tag }) => {
    const names = { complete: `boards-${tag}`, plain: `lines-${tag}` }
    await ada.call("publishIntegration", { integrationName: names.complete }, { body: completeOf(acme.id) })
    await ada.call("publishIntegration", { integrationName: names.plain }, { body: plainOf(acme.id) })
    const at = { organizationId: acme.id }
    const list = async (query: Filter) => {
      const options = { query: { owner: acme.id, ...query } }
      return namesOf(await bob.call<Page<Integration>>("listOrganizationIntegrations", at, options))
    }
    await checkFilters(list, names, other.id)

    // An organization can use public integrations and its own, but not the private ones of others.
    const usable = await ada.call<Page<Integration>>(
      "listOrganizationIntegrations",
      { organizationId: other.id },
      { query: { owner: acme.id } }
    )
    expect(namesOf(usable)).toContain(names.complete)
    expect(namesOf(usable)).not.toContain(names.plain)
    for (const integrationName of [names.complete, names.plain]) {
      await ada.call("unpublishIntegration", { integrationName })
    }
  }
}
