/** The dialogs of OpenID Connect providers: their settings, the values that they need, and their deletion. */
import type { OidcProvider, Organization, Role } from "@lectern/client/fetch"
import { useState } from "react"
import { CopyText } from "../../components/CopyText.tsx"
import { Dialog } from "../../components/Dialog.tsx"
import { FormDialog } from "../../components/FormDialog.tsx"
import { TextField } from "../../components/fields.tsx"
import { openConfirm } from "../../components/openConfirm.tsx"
import { openDialog } from "../../components/openDialog.tsx"
import { invalidate } from "../../data/cache.ts"
import { runChange } from "../../data/change.ts"
import { client } from "../../session.ts"
import { commonStrings } from "../../strings/common.ts"
import { translate, useStrings } from "../../strings/strings.ts"
import { keyIn } from "./data.ts"
import { oidcStrings } from "./oidcStrings.ts"
import { given, NewMemberFields } from "./providerForm.tsx"
import { serviceStrings } from "./serviceStrings.ts"

interface OidcDialogProps {
  readonly organization: Organization
  readonly provider: OidcProvider | undefined
  readonly onClose: () => void
}

const OidcDialog = ({ organization, provider, onClose }: OidcDialogProps) => {
  const t = useStrings(oidcStrings)
  const service = useStrings(serviceStrings)
  const common = useStrings(commonStrings)
  const [label, setLabel] = useState(provider?.label ?? "")
  const [issuer, setIssuer] = useState(provider?.issuer ?? "")
  const [clientId, setClientId] = useState(provider?.clientID ?? "")
  const [secret, setSecret] = useState("")
  const [domains, setDomains] = useState(provider?.domains.join(", ") ?? "")
  const [role, setRole] = useState<Role | null>(provider?.defaultRole ?? organization.defaultRole ?? null)
  const [team, setTeam] = useState(provider?.defaultTeam?.id ?? "")
  const onSubmit = async () => {
    const params = { organizationId: organization.id }
    const payload = {
      label: label.trim(),
      defaultRole: role,
      defaultTeam: team === "" ? null : team,
      domains: domains.split(/[\s,;]+/).filter((domain) => domain !== ""),
      ...given("issuer", issuer),
      ...given("clientID", clientId),
      ...given("clientSecret", secret)
    }
    if (provider === undefined) await client.oidc.createOrganizationOIDCProvider({ params, payload })
    else {
      await client.oidc.updateOrganizationOIDCProvider({
        params: { ...params, oidcProviderId: provider.id },
        payload
      })
    }
    invalidate(keyIn(organization.id, "oidc"))
  }
  return (
    <FormDialog
      title={provider === undefined ? t("new") : t("edit")}
      submit={provider === undefined ? common("create") : common("save")}
      isDisabled={label.trim() === ""}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <TextField
            label={service("providerLabel")}
            description={service("providerLabelHint")}
            autoFocus
            maxLength={30}
            value={label}
            onChange={setLabel}
            error={errorOf("label")}
          />
          <TextField
            label={t("issuer")}
            description={t("issuerHint")}
            type="url"
            value={issuer}
            onChange={setIssuer}
            error={errorOf("issuer")}
          />
          <TextField
            label={t("clientId")}
            maxLength={500}
            value={clientId}
            onChange={setClientId}
            error={errorOf("clientID")}
          />
          <TextField
            label={t("secret")}
            description={t("secretHint")}
            type="password"
            autoComplete="off"
            maxLength={2_000}
            value={secret}
            onChange={setSecret}
            error={errorOf("clientSecret")}
          />
          <TextField
            label={t("domains")}
            description={t("domainsHint")}
            value={domains}
            onChange={setDomains}
            error={errorOf("domains")}
          />
          <NewMemberFields role={role} onChangeRole={setRole} team={team} onChangeTeam={setTeam} />
        </>
      )}
    </FormDialog>
  )
}

/** Opens the settings of a provider, or of a new one. */
export const openOidcProvider = (organization: Organization, provider?: OidcProvider): void =>
  openDialog((onClose) => <OidcDialog organization={organization} provider={provider} onClose={onClose} />)

const OidcServiceDialog = ({
  provider,
  onClose
}: {
  readonly provider: OidcProvider
  readonly onClose: () => void
}) => {
  const t = useStrings(oidcStrings)
  const service = useStrings(serviceStrings)
  return (
    <Dialog title={service("service")} onClose={onClose}>
      <div className="dialog-body">
        <p>{service("serviceBody")}</p>
        <CopyText label={t("redirectUrl")} text={provider.service.redirectURL} />
        <CopyText label={t("logoutUrl")} text={provider.service.logoutURL} />
        <CopyText label={service("startUrl")} text={provider.service.startURL} />
      </div>
    </Dialog>
  )
}

/** Opens the values that the provider needs. */
export const openOidcService = (provider: OidcProvider): void =>
  openDialog((onClose) => <OidcServiceDialog provider={provider} onClose={onClose} />)

/** Confirms the deletion of a provider. */
export const openDeleteOidc = (organization: Organization, { id, label }: OidcProvider): void =>
  openConfirm({
    title: translate(oidcStrings, "deleteTitle", { label }),
    body: translate(oidcStrings, "deleteBody"),
    confirm: translate(commonStrings, "delete"),
    run: () =>
      void runChange({
        send: () =>
          client.oidc.deleteOrganizationOIDCProvider({
            params: { organizationId: organization.id, oidcProviderId: id }
          }),
        message: translate(oidcStrings, "deleted", { label }),
        failure: translate(oidcStrings, "notDeleted"),
        invalidates: [keyIn(organization.id, "oidc")]
      })
  })
