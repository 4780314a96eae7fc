/** SAML providers: the values that the identity provider needs, and the values that it returns. */
import type { Organization, Role, SamlProvider } from "@lectern/client/fetch"
import { useState } from "react"
import { Button } from "../../components/Button.tsx"
import { CopyText } from "../../components/CopyText.tsx"
import { Dialog } from "../../components/Dialog.tsx"
import { FormDialog } from "../../components/FormDialog.tsx"
import { TextField } from "../../components/fields.tsx"
import { ItemList, ItemRow } from "../../components/ItemList.tsx"
import { openConfirm } from "../../components/openConfirm.tsx"
import { openDialog } from "../../components/openDialog.tsx"
import { roleName } from "../../components/RoleField.tsx"
import { EmptyState } from "../../components/states.tsx"
import { invalidate } from "../../data/cache.ts"
import { runChange } from "../../data/change.ts"
import { useList } from "../../data/lists.ts"
import { Plus, ShieldCheck } from "../../icons/icons.gen.ts"
import { client } from "../../session.ts"
import { commonStrings } from "../../strings/common.ts"
import { translate, useStrings } from "../../strings/strings.ts"
import { keyIn } from "./data.ts"
import { openOidcProvider } from "./OidcDialogs.tsx"
import { OidcProviders, useOidcProviders } from "./OidcProviders.tsx"
import { OrganizationFrame } from "./OrganizationFrame.tsx"
import { oidcStrings } from "./oidcStrings.ts"
import { given, NewMemberFields } from "./providerForm.tsx"
import { serviceStrings } from "./serviceStrings.ts"

interface ProviderDialogProps {
  readonly organization: Organization
  readonly provider: SamlProvider | undefined
  readonly onClose: () => void
}

const ProviderDialog = ({ organization, provider, onClose }: ProviderDialogProps) => {
  const t = useStrings(serviceStrings)
  const common = useStrings(commonStrings)
  const [label, setLabel] = useState(provider?.label ?? "")
  const [ssoUrl, setSsoUrl] = useState(provider?.ssoURL ?? "")
  const [entityId, setEntityId] = useState(provider?.entityID ?? "")
  const [certificate, setCertificate] = useState(provider?.certificate ?? "")
  const [role, setRole] = useState<Role | null>(provider?.defaultRole ?? organization.defaultRole ?? null)
  const [team, setTeam] = useState(provider?.defaultTeam?.id ?? "")
  const onSubmit = async () => {
    const params = { organizationId: organization.id }
    const payload = {
      label: label.trim(),
      defaultRole: role,
      defaultTeam: team === "" ? null : team,
      ...given("ssoURL", ssoUrl),
      ...given("entityID", entityId),
      ...given("certificate", certificate)
    }
    if (provider === undefined) await client.saml.createOrganizationSAMLProvider({ params, payload })
    else
      await client.saml.updateOrganizationSAMLProvider({
        params: { ...params, samlProviderId: provider.id },
        payload
      })
    invalidate(keyIn(organization.id, "saml"))
  }
  return (
    <FormDialog
      title={provider === undefined ? t("newProvider") : t("editProvider")}
      submit={provider === undefined ? common("create") : common("save")}
      isDisabled={label.trim() === ""}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <TextField
            label={t("providerLabel")}
            description={t("providerLabelHint")}
            autoFocus
            maxLength={30}
            value={label}
            onChange={setLabel}
            error={errorOf("label")}
          />
          <TextField
            label={t("ssoUrl")}
            type="url"
            value={ssoUrl}
            onChange={setSsoUrl}
            error={errorOf("ssoURL")}
          />
          <TextField
            label={t("entityId")}
            maxLength={1_024}
            value={entityId}
            onChange={setEntityId}
            error={errorOf("entityID")}
          />
          <TextField
            label={t("certificate")}
            rows={4}
            maxLength={10_000}
            placeholder="-----BEGIN CERTIFICATE-----"
            value={certificate}
            onChange={setCertificate}
            error={errorOf("certificate")}
          />
          <NewMemberFields role={role} onChangeRole={setRole} team={team} onChangeTeam={setTeam} />
        </>
      )}
    </FormDialog>
  )
}

const openProvider = (organization: Organization, provider?: SamlProvider): void =>
  openDialog((onClose) => (
    <ProviderDialog organization={organization} provider={provider} onClose={onClose} />
  ))

const ServiceDialog = ({
  provider,
  onClose
}: {
  readonly provider: SamlProvider
  readonly onClose: () => void
}) => {
  const t = useStrings(serviceStrings)
  return (
    <Dialog title={t("service")} onClose={onClose}>
      <div className="dialog-body">
        <p>{t("serviceBody")}</p>
        <CopyText label={t("acsUrl")} text={provider.service.acsURL} />
        <CopyText label={t("serviceEntityId")} text={provider.service.entityID} />
        <CopyText label={t("startUrl")} text={provider.service.startURL} />
      </div>
    </Dialog>
  )
}

const openDelete = (organization: Organization, { id, label }: SamlProvider): void =>
  openConfirm({
    title: translate(serviceStrings, "deleteProviderTitle", { label }),
    body: translate(serviceStrings, "deleteProviderBody"),
    confirm: translate(commonStrings, "delete"),
    run: () =>
      void runChange({
        send: () =>
          client.saml.deleteOrganizationSAMLProvider({
            params: { organizationId: organization.id, samlProviderId: id }
          }),
        message: translate(serviceStrings, "providerDeleted", { label }),
        failure: translate(serviceStrings, "providerNotDeleted"),
        invalidates: [keyIn(organization.id, "saml")]
      })
  })

const Providers = ({ organization }: { readonly organization: Organization }) => {
  const t = useStrings(serviceStrings)
  const common = useStrings(commonStrings)
  const providers = useList(keyIn(organization.id, "saml"), (query, signal) =>
    client.saml.listSAMLProvidersInOrganizationById(
      { params: { organizationId: organization.id }, query },
      { signal }
    )
  )
  const oidc = useOidcProviders(organization)
  const list = (
    <ItemList
      resource={providers}
      keyOf={({ id }) => id}
      empty={
        oidc.data === undefined || oidc.data.length > 0 ? null : (
          <EmptyState icon={<ShieldCheck />} title={t("noProviders")}>
            {t("noProvidersBody")}
          </EmptyState>
        )
      }
    >
      {(provider) => (
        <ItemRow
          icon={<ShieldCheck size={18} aria-hidden />}
          title={provider.label}
          details={t("joinAs", { role: roleName(provider.defaultRole, common) })}
          tags={
            provider.status === "active" ? (
              <span className="tag tag-success">{common("active")}</span>
            ) : (
              <span className="tag tag-warning">{t("incomplete")}</span>
            )
          }
          controls={
            <Button
              size="small"
              onPress={() => openDialog((onClose) => <ServiceDialog provider={provider} onClose={onClose} />)}
            >
              {t("service")}
            </Button>
          }
          actions={[
            { id: "edit", label: common("edit"), run: () => openProvider(organization, provider) },
            {
              id: "delete",
              label: common("delete"),
              isDangerous: true,
              run: () => openDelete(organization, provider)
            }
          ]}
        />
      )}
    </ItemList>
  )
  if (providers.data === undefined || providers.data.length === 0) return list
  return (
    <section className="section">
      <div className="section-header">
        <h2>{t("saml")}</h2>
      </div>
      {list}
    </section>
  )
}

/** The identity providers of the organization. */
const SignOnScreen = () => {
  const t = useStrings(serviceStrings)
  const oidc = useStrings(oidcStrings)
  return (
    <OrganizationFrame
      title={t("signOn")}
      actions={(organization) => (
        <>
          <Button icon={<Plus size={16} />} onPress={() => openProvider(organization)}>
            {t("newProvider")}
          </Button>
          <Button variant="primary" icon={<Plus size={16} />} onPress={() => openOidcProvider(organization)}>
            {oidc("new")}
          </Button>
        </>
      )}
    >
      {(organization) => (
        <>
          <OidcProviders organization={organization} />
          <Providers organization={organization} />
        </>
      )}
    </OrganizationFrame>
  )
}

export default SignOnScreen
