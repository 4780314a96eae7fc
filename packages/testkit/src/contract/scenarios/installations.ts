/** An installed integration is configured and uninstalled. */
import type {
  BlocksOfIntegration,
  InstallationToken,
  InstallationWithIntegration,
  InstalledIntegration,
  Integration,
  IntegrationEvent,
  IntegrationEventWithTrace,
  Page,
  StatusOfInstallation,
  Webhook
} from "@lectern/model"
import { expect } from "vitest"
import type { ContractScenario } from "../Scenario.ts"
import type { ScenarioContext } from "../ScenarioContext.ts"

type Person = ScenarioContext["ada"]

interface Installed {
  readonly id: string
  readonly externalIds: ReadonlyArray<string>
}

interface ContentInstallation {
  readonly status: string
  readonly configuration: unknown
}

type Path = Readonly<Record<string, string>>

const script = "addEventListener('fetch', () => {})"

/** Installs the integration on a space and a site, and configures both. */
const checkContent = async (
  ada: Person,
  integration: Path,
  installation: Path,
  organizationId: string,
  tag: string
): Promise<void> => {
  const at = { organizationId }
  const create = async (operation: "createSpace" | "createSite", title: string) =>
    (await ada.call<{ id: string }>(operation, at, { body: { title: `${title} ${tag}` } })).id
  const kinds = [
    {
      kind: "Space",
      ids: [await create("createSpace", "Rates"), await create("createSpace", "Units")],
      paramsOf: (spaceId: string) => ({ ...installation, spaceId }),
      bodyOf: (space: string) => ({ space })
    },
    {
      kind: "Site",
      ids: [await create("createSite", "Rates"), await create("createSite", "Units")],
      paramsOf: (siteId: string) => ({ ...installation, siteId }),
      bodyOf: (siteId: string) => ({ siteId })
    }
  ] as const
  for (const { kind, ids, paramsOf, bodyOf } of kinds) {
    for (const id of ids) {
      const created = await ada.call<ContentInstallation>(`installIntegrationOn${kind}`, installation, {
        body: bodyOf(id)
      })
      expect(created).toMatchObject({ installation: installation.installationId, configuration: {} })
    }
    const params = paramsOf(ids[0]!)
    await ada.expectError(409, `installIntegrationOn${kind}`, installation, { body: bodyOf(ids[0]!) })
    const settings = { externalIds: ["page-1"], configuration: { color: "red", wide: true } }
    const changed = await ada.call<ContentInstallation>(`updateIntegration${kind}Installation`, params, {
      body: settings
    })
    expect(changed).toMatchObject(settings)
    expect(await ada.call<ContentInstallation>(`getIntegration${kind}Installation`, params)).toEqual(changed)
    const listed = await ada.call<Page<ContentInstallation>>(
      `listIntegrationInstallation${kind}s`,
      installation
    )
    expect(listed.count).toBe(2)
    expect(listed.items).toContainEqual(changed)
    const everywhere = await ada.call<Page<ContentInstallation>>(
      `listIntegration${kind}Installations`,
      integration
    )
    expect(everywhere.items).toEqual(listed.items)
    const found = await ada.call<Page<ContentInstallation>>(
      `listIntegration${kind}Installations`,
      integration,
      { query: { externalId: "page-1" } }
    )
    expect(found.items).toEqual([changed])
    await ada.call(`uninstallIntegrationFrom${kind}`, params)
    await ada.expectError(404, `getIntegration${kind}Installation`, params)
  }
}

/** Lists the integrations that are in use in the organization, on a space and on a site. */
const checkInUse = async (
  { ada, eve, acme, tag }: ScenarioContext,
  integration: Path,
  installation: Path
): Promise<void> => {
  const at = { organizationId: acme.id }
  const name = integration.integrationName!
  const namesOf = ({ items }: Page<Integration>) => items.map((item) => item.name)
  const space = await ada.call<{ id: string }>("createSpace", at, { body: { title: `Inches ${tag}` } })
  const site = await ada.call<{ id: string }>("createSite", at, { body: { title: `Inches ${tag}` } })
  const onSpace = { spaceId: space.id }
  const onSite = { ...at, siteId: site.id }
  const search = { query: { search: name.toUpperCase() } }

  const listed = await ada.call<Page<InstallationWithIntegration>>(
    "listOrganizationInstallations",
    at,
    search
  )
  expect(listed.items.map((item) => [item.installation.id, item.integration.name])).toEqual([
    [installation.installationId, name]
  ])
  const nothing = { query: { search: "nothing of this name" } }
  expect((await ada.call<Page<unknown>>("listOrganizationInstallations", at, nothing)).items).toEqual([])
  const status = await ada.call<StatusOfInstallation>("getOrganizationIntegrationStatus", {
    ...at,
    ...integration
  })
  expect(status).toEqual({ status: listed.items[0]!.installation.status })
  await ada.expectError(404, "getOrganizationIntegrationStatus", { ...at, integrationName: `no-${tag}` })
  await eve.expectError(404, "getOrganizationIntegrationStatus", { ...at, ...integration })

  // It applies to all spaces and sites, then to selected ones only.
  const select = (selection: "all" | "selected") =>
    ada.call("updateIntegrationInstallation", installation, {
      body: { space_selection: selection, site_selection: selection }
    })
  const applying = async () => [
    namesOf(await ada.call<Page<Integration>>("listSpaceIntegrations", onSpace, search)),
    namesOf(await ada.call<Page<Integration>>("listSiteIntegrations", onSite, search)),
    (await ada.call<ReadonlyArray<BlocksOfIntegration>>("listSpaceIntegrationsBlocks", onSpace)).flatMap(
      (one) => (one.name === name ? one.blocks.map(({ id }) => id) : [])
    )
  ]
  const statusesOn = async (target: "organization" | "space" | "site") => {
    const page = await ada.call<Page<InstalledIntegration>>("listOrganizationIntegrationsStatus", at, {
      query: { target }
    })
    return page.items.filter((item) => item.integration.name === name).map((item) => item.status)
  }
  await select("all")
  expect(await applying()).toEqual([[name], [name], ["table"]])
  await select("selected")
  expect(await applying()).toEqual([[], [], []])
  const before = await statusesOn("space")
  await ada.call("installIntegrationOnSpace", installation, { body: { space: space.id } })
  await ada.call("installIntegrationOnSite", installation, { body: { siteId: site.id } })
  expect(await applying()).toEqual([[name], [name], ["table"]])
  expect(await statusesOn("organization")).toEqual([status.status])
  expect(await statusesOn("space")).toEqual([...before, "active"])
  expect(await statusesOn("site")).toContain("active")
}

/** Installs another integration, which the lists of the organization, a space and a site have, too. */
const checkLists = async ({ ada, acme, tag }: ScenarioContext, installation: Path): Promise<void> => {
  const at = { organizationId: acme.id }
  const name = `sheets-${tag}`
  const integration = { integrationName: name }
  const body = { title: "Sheets", description: "", scopes: [], script, organization: acme.id }
  await ada.call("publishIntegration", integration, { body })
  const { id } = await ada.call<Installed>("installIntegration", integration, {
    body: { organization: acme.id }
  })
  for (const one of [installation, { ...integration, installationId: id }]) {
    await ada.call("updateIntegrationInstallation", one, {
      body: { space_selection: "all", site_selection: "all" }
    })
  }
  const names = expect.arrayContaining([installation.integrationName, name])
  const installed = await ada.call<Page<InstallationWithIntegration>>("listOrganizationInstallations", at)
  expect(installed.items.map((item) => item.integration.name)).toEqual(names)
  const space = await ada.call<{ id: string }>("createSpace", at, { body: { title: `Sheets ${tag}` } })
  const site = await ada.call<{ id: string }>("createSite", at, { body: { title: `Sheets ${tag}` } })
  for (const [operation, params] of [
    ["listSpaceIntegrations", { spaceId: space.id }],
    ["listSiteIntegrations", { ...at, siteId: site.id }]
  ] as const) {
    const { items } = await ada.call<Page<Integration>>(operation, params)
    expect(items.map((item) => item.name)).toEqual(names)
  }
  await ada.call("unpublishIntegration", integration)
}

/** Reads the events of the installation, queues a task, and uses development mode and a token. */
const checkEvents = async (
  ada: Person,
  integration: Path,
  installation: Path,
  organizationId: string
): Promise<void> => {
  const webhook = await ada.call<Webhook>(
    "createWebhook",
    { organizationId },
    { body: { url: "https://example.com/integration", integration: integration.integrationName } }
  )
  expect(webhook.integration).toBe(integration.integrationName)
  await ada.call("queueIntegrationTask", integration, { body: { task: { kind: "refresh" }, schedule: 60 } })
  const events = await ada.call<Page<IntegrationEvent>>("listIntegrationEvents", integration)
  expect(events.items[0]!.payload).toMatchObject({ type: "task", task: { kind: "refresh" } })
  expect(events.items.at(-1)!.payload).toMatchObject({
    type: "installation_setup",
    installationId: installation.installationId
  })
  const one = { ...integration, eventId: events.items[0]!.id }
  const { event } = await ada.call<IntegrationEventWithTrace>("getIntegrationEvent", one)
  expect(event).toEqual(events.items[0])
  const tunnelUrl = "https://example.com/tunnel"
  await ada.call("setIntegrationDevelopmentMode", integration, { body: { tunnelUrl, all: true } })
  const listed = await ada.call<Page<Webhook>>("listWebhooks", { organizationId })
  expect(listed.items.find(({ url }) => url === tunnelUrl)).toMatchObject({ development: "all" })
  await ada.call("disableIntegrationDevelopmentMode", integration)
  await ada.expectError(404, "getIntegrationEvent", { ...integration, eventId: "missing" })
  const { token } = await ada.call<InstallationToken>("createIntegrationInstallationToken", installation)
  expect(token.length).toBeGreaterThan(20)
}

export const installations: ContractScenario = {
  title: "An installation of an integration is configured and uninstalled",
  requires: ["integrations", "installedIntegrations", "spaceInstallations", "siteInstallations"],
  run: async (context) => {
    const { ada, acme, tag } = context
    const integration = { integrationName: `tables-${tag}` }
    const body = {
      title: "Tables",
      description: "Shows tables",
      scopes: ["space:content:read"],
      blocks: [{ id: "table", title: "Table" }],
      script,
      organization: acme.id
    }
    await ada.call("publishIntegration", integration, { body })
    const { id } = await ada.call<Installed>("installIntegration", integration, {
      body: { organization: acme.id }
    })
    const installation = { ...integration, installationId: id }
    const settings = {
      externalIds: ["account-1"],
      configuration: { rows: 10, striped: true, title: "Rates" },
      space_selection: "selected",
      site_selection: "selected"
    }
    const changed = await ada.call<Installed>("updateIntegrationInstallation", installation, {
      body: settings
    })
    expect(changed).toMatchObject(settings)
    expect(await ada.call<Installed>("getIntegrationInstallationById", installation)).toEqual(changed)
    const list = await ada.call<{ count: number }>("listIntegrationInstallations", integration, {
      query: { externalId: "account-1" }
    })
    expect(list.count).toBe(1)

    await checkContent(ada, integration, installation, acme.id, tag)
    await checkInUse(context, integration, installation)
    await checkLists(context, installation)
    await checkEvents(ada, integration, installation, acme.id)

    await ada.call("uninstallIntegration", installation)
    await ada.expectError(404, "getIntegrationInstallationById", installation)
    await ada.call("unpublishIntegration", integration)
  }
}
