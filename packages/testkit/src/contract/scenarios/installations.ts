/** An installed integration is configured and uninstalled. */
import { expect } from "vitest"
import type { ContractScenario } from "../Scenario.ts"

interface Installed {
  readonly id: string
  readonly externalIds: ReadonlyArray<string>
}

export const installations: ContractScenario = {
  title: "An installation of an integration is configured and uninstalled",
  requires: "integrations",
  run: async ({ ada, acme, tag }) => {
    const integration = { integrationName: `tables-${tag}` }
    const body = {
      title: "Tables",
      description: "Shows tables",
      scopes: ["space:content:read"],
      script: "addEventListener('fetch', () => {})",
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
    await ada.call("uninstallIntegration", installation)
    await ada.expectError(404, "getIntegrationInstallationById", installation)
    await ada.call("unpublishIntegration", integration)
  }
}
