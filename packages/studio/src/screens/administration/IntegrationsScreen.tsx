/** The integrations: what they may do, and their installation in the organization. */
import type { Integration, IntegrationInstallation, Organization } from "@lectern/client/fetch"
import { useState } from "react"
import { Button } from "../../components/Button.tsx"
import { CheckField } from "../../components/CheckField.tsx"
import { FormDialog } from "../../components/FormDialog.tsx"
import { SelectField, TextField } from "../../components/fields.tsx"
import { ItemList, ItemRow } from "../../components/ItemList.tsx"
import { openConfirm } from "../../components/openConfirm.tsx"
import { openDialog } from "../../components/openDialog.tsx"
import { EmptyState } from "../../components/states.tsx"
import { invalidate } from "../../data/cache.ts"
import { runChange } from "../../data/change.ts"
import { loadAll, pageSize } from "../../data/organization.ts"
import { useResource } from "../../data/useResource.ts"
import { Plug } from "../../icons/icons.gen.ts"
import { client } from "../../session.ts"
import { commonStrings } from "../../strings/common.ts"
import { translate, useStrings } from "../../strings/strings.ts"
import { keyIn } from "./data.ts"
import { OrganizationFrame } from "./OrganizationFrame.tsx"
import { serviceStrings } from "./serviceStrings.ts"

interface Entry {
  readonly integration: Integration
  readonly installation: IntegrationInstallation | undefined
}

const loadEntries = async (organizationId: string, signal: AbortSignal): Promise<ReadonlyArray<Entry>> => {
  const integrations = await loadAll((cursor) =>
    client.integrations.listIntegrations({ query: { limit: pageSize, ...cursor } }, { signal })
  )
  return Promise.all(
    integrations.map(async (integration) => {
      const installations = await loadAll((cursor) =>
        client.integrations.listIntegrationInstallations(
          { params: { integrationName: integration.name }, query: { limit: pageSize, ...cursor } },
          { signal }
        )
      )
      const installation = installations.find(({ target }) => target.organization === organizationId)
      return { integration, installation }
    })
  )
}

interface InstalledProps {
  readonly organization: Organization
  readonly integration: Integration
  readonly installation: IntegrationInstallation
}

type Value = string | number | boolean | null

const propertiesOf = ({ configurations }: Integration) =>
  configurations?.account !== undefined && "properties" in configurations.account
    ? Object.entries(configurations.account.properties).filter(([, { type }]) => type !== "button")
    : []

const ConfigurationDialog = ({
  organization,
  integration,
  installation,
  onClose
}: InstalledProps & { readonly onClose: () => void }) => {
  const t = useStrings(serviceStrings)
  const common = useStrings(commonStrings)
  const properties = propertiesOf(integration)
  const [values, setValues] = useState<Readonly<Record<string, Value>>>(() =>
    Object.fromEntries(
      properties.map(([name, property]) => [
        name,
        installation.configuration[name] ?? property.default ?? null
      ])
    )
  )
  const [spaces, setSpaces] = useState(installation.space_selection)
  const set = (name: string, value: Value) => setValues({ ...values, [name]: value })
  const onSubmit = async () => {
    await client.integrations.updateIntegrationInstallation({
      params: { integrationName: integration.name, installationId: installation.id },
      payload: { configuration: values, space_selection: spaces }
    })
    invalidate(keyIn(organization.id, "integrations"))
  }
  return (
    <FormDialog
      title={t("configure", { title: integration.title })}
      submit={common("save")}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <SelectField
            label={t("appliesTo")}
            value={spaces}
            options={[
              { value: "all", label: t("allSpaces") },
              { value: "selected", label: t("selectedSpaces") }
            ]}
            onChange={(value) => setSpaces(value === "all" ? "all" : "selected")}
          />
          {properties.map(([name, property]) => {
            const label = property.title ?? name
            const value = values[name] ?? null
            const { description = "" } = property
            if (property.type === "boolean")
              return (
                <CheckField
                  key={name}
                  label={label}
                  description={description}
                  isChecked={value === true}
                  onChange={(isChecked) => set(name, isChecked)}
                />
              )
            if (property.enum !== undefined)
              return (
                <SelectField
                  key={name}
                  label={label}
                  description={description}
                  value={value === null ? "" : String(value)}
                  options={["", ...property.enum].map((choice) => ({ value: choice, label: choice }))}
                  onChange={(choice) => set(name, choice === "" ? null : choice)}
                />
              )
            return (
              <TextField
                key={name}
                label={label}
                description={description}
                value={value === null ? "" : String(value)}
                onChange={(text) => {
                  if (text === "") set(name, null)
                  else set(name, property.type === "number" ? Number(text) : text)
                }}
                error={errorOf(`configuration.${name}`)}
              />
            )
          })}
        </>
      )}
    </FormDialog>
  )
}

const install = (organization: Organization, { name, title }: Integration) =>
  runChange({
    send: () =>
      client.integrations.installIntegration({
        params: { integrationName: name },
        payload: { organization: organization.id }
      }),
    message: translate(serviceStrings, "installed", { title }),
    failure: translate(serviceStrings, "notInstalled", { title }),
    undo: ({ id }) =>
      client.integrations.uninstallIntegration({ params: { integrationName: name, installationId: id } }),
    invalidates: [keyIn(organization.id, "integrations")]
  })

/** Confirms the installation, with the permissions that the integration gets. */
const openInstall = (organization: Organization, integration: Integration): void =>
  openConfirm({
    title: translate(serviceStrings, "installTitle", { title: integration.title }),
    body:
      integration.scopes.length === 0
        ? translate(serviceStrings, "installNothing")
        : translate(serviceStrings, "installBody", { scopes: integration.scopes.join(", ") }),
    confirm: translate(serviceStrings, "install"),
    isDangerous: false,
    run: () => void install(organization, integration)
  })

const openUninstall = ({ organization, integration, installation }: InstalledProps): void =>
  openConfirm({
    title: translate(serviceStrings, "uninstallTitle", { title: integration.title }),
    body: translate(serviceStrings, "uninstallBody"),
    confirm: translate(serviceStrings, "uninstall"),
    run: () =>
      void runChange({
        send: () =>
          client.integrations.uninstallIntegration({
            params: { integrationName: integration.name, installationId: installation.id }
          }),
        message: translate(serviceStrings, "uninstalled", { title: integration.title }),
        failure: translate(serviceStrings, "notUninstalled"),
        invalidates: [keyIn(organization.id, "integrations")]
      })
  })

const InstallationTag = ({ installation }: Pick<Entry, "installation">) => {
  const t = useStrings(serviceStrings)
  const common = useStrings(commonStrings)
  if (installation === undefined) return null
  if (installation.status === "active") return <span className="tag tag-success">{common("active")}</span>
  return (
    <span className="tag tag-warning">
      {installation.status === "pending" ? t("needsConfiguration") : common("paused")}
    </span>
  )
}

const Integrations = ({ organization }: { readonly organization: Organization }) => {
  const t = useStrings(serviceStrings)
  const entries = useResource(keyIn(organization.id, "integrations"), (signal) =>
    loadEntries(organization.id, signal)
  )
  return (
    <ItemList
      resource={entries}
      keyOf={({ integration }) => integration.name}
      empty={
        <EmptyState icon={<Plug />} title={t("noIntegrations")}>
          {t("noIntegrationsBody")}
        </EmptyState>
      }
    >
      {({ integration, installation }) => {
        const properties =
          installation === undefined ? undefined : { organization, integration, installation }
        return (
          <ItemRow
            icon={<Plug size={18} aria-hidden />}
            title={integration.title}
            details={
              <>
                {integration.description === undefined ? null : <span>{integration.description}</span>}
                <span>{t("scopeCount", { count: integration.scopes.length })}</span>
              </>
            }
            tags={<InstallationTag installation={installation} />}
            controls={
              properties === undefined ? (
                integration.permissions.install ? (
                  <Button size="small" onPress={() => openInstall(organization, integration)}>
                    {t("install")}
                  </Button>
                ) : null
              ) : (
                <Button
                  size="small"
                  onPress={() =>
                    openDialog((onClose) => <ConfigurationDialog {...properties} onClose={onClose} />)
                  }
                >
                  {t("configureAction")}
                </Button>
              )
            }
            actions={
              properties === undefined
                ? []
                : [
                    {
                      id: "uninstall",
                      label: t("uninstall"),
                      isDangerous: true,
                      run: () => openUninstall(properties)
                    }
                  ]
            }
          />
        )
      }}
    </ItemList>
  )
}

/** The integrations of the organization. */
const IntegrationsScreen = () => {
  const t = useStrings(serviceStrings)
  return (
    <OrganizationFrame title={t("integrations")} isPermitted={({ listInstallations }) => listInstallations}>
      {(organization) => <Integrations organization={organization} />}
    </OrganizationFrame>
  )
}

export default IntegrationsScreen
