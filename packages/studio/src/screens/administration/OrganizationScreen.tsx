/** The settings of the organization, and how much it uses. */
import type { Organization, Role } from "@lectern/client/fetch"
import { useState } from "react"
import { CheckField } from "../../components/CheckField.tsx"
import { TextField } from "../../components/fields.tsx"
import { RoleField } from "../../components/RoleField.tsx"
import { SettingsForm } from "../../components/SettingsForm.tsx"
import { Loaded } from "../../components/states.tsx"
import { invalidate } from "../../data/cache.ts"
import { serverPageUrl, useServerPages } from "../../data/serverPages.ts"
import { useResource } from "../../data/useResource.ts"
import { client } from "../../session.ts"
import { useFormats } from "../../strings/formats.ts"
import { useStrings } from "../../strings/strings.ts"
import { keyIn } from "./data.ts"
import { OrganizationFrame } from "./OrganizationFrame.tsx"
import { OrganizationRemoval } from "./OrganizationRemoval.tsx"
import { peopleStrings } from "./peopleStrings.ts"

const SettingsOf = ({ organization }: { readonly organization: Organization }) => {
  const t = useStrings(peopleStrings)
  const [title, setTitle] = useState(organization.title)
  const [hostname, setHostname] = useState(organization.hostname ?? "")
  const [role, setRole] = useState<Role | null>(organization.defaultRole ?? null)
  const [domains, setDomains] = useState(organization.emailDomains.join(", "))
  const [hasInviteLinks, setHasInviteLinks] = useState(organization.inviteLinks)
  const [hasDomainJoin, setHasDomainJoin] = useState(organization.domainJoin)
  const { data: hasPages } = useServerPages()
  const [sso, setSso] = useState(organization.sso === true)
  const [secondFactor, setSecondFactor] = useState(organization.secondFactor === true)
  const save = async () => {
    await client.organizations.updateOrganizationById({
      params: { organizationId: organization.id },
      payload: {
        title: title.trim(),
        ...(hostname.trim() === "" ? {} : { hostname: hostname.trim() }),
        defaultRole: role,
        emailDomains: domains.split(/[\s,;]+/).filter((domain) => domain !== ""),
        inviteLinks: hasInviteLinks,
        domainJoin: hasDomainJoin,
        ...(sso === (organization.sso === true) ? {} : { sso }),
        ...(secondFactor === (organization.secondFactor === true) ? {} : { secondFactor })
      }
    })
    invalidate("organizations")
  }
  return (
    <SettingsForm isDisabled={title.trim().length < 2} onSubmit={save}>
      {(errorOf) => (
        <>
          <TextField
            label={t("organizationTitle")}
            maxLength={255}
            value={title}
            onChange={setTitle}
            error={errorOf("title")}
          />
          <TextField
            label={t("hostname")}
            description={t("hostnameHint")}
            maxLength={32}
            value={hostname}
            onChange={setHostname}
            error={errorOf("hostname")}
          />
          <RoleField
            label={t("defaultRole")}
            description={t("defaultRoleHint")}
            hasGuest
            value={role}
            onChange={setRole}
          />
          <TextField
            label={t("emailDomains")}
            description={t("emailDomainsHint")}
            placeholder="example.com"
            value={domains}
            onChange={setDomains}
            error={errorOf("emailDomains")}
          />
          <CheckField
            label={t("domainJoin")}
            description={
              hasDomainJoin && hasPages === true
                ? `${t("domainJoinHint")} ${t("domainJoinUrl", { url: serverPageUrl(`join/${organization.id}`) })}`
                : t("domainJoinHint")
            }
            isChecked={hasDomainJoin}
            onChange={setHasDomainJoin}
          />
          <CheckField
            label={t("inviteLinksOn")}
            description={t("inviteLinksOnHint")}
            isChecked={hasInviteLinks}
            onChange={setHasInviteLinks}
          />
          <CheckField
            label={t("ssoRequired")}
            description={t("ssoRequiredHint")}
            isChecked={sso}
            onChange={setSso}
          />
          <CheckField
            label={t("secondFactorRequired")}
            description={t("secondFactorRequiredHint")}
            isChecked={secondFactor}
            onChange={setSecondFactor}
          />
        </>
      )}
    </SettingsForm>
  )
}

const Usage = ({ organization }: { readonly organization: Organization }) => {
  const t = useStrings(peopleStrings)
  const { number, bytes } = useFormats()
  const usage = useResource(keyIn(organization.id, "usage"), (signal) =>
    client.organizations.getOrganizationUsage({ params: { organizationId: organization.id } }, { signal })
  )
  return (
    <section className="section settings-form">
      <h2>{t("usage")}</h2>
      <Loaded resource={usage}>
        {(known) => (
          <dl className="definitions">
            {(["members", "spaces", "bytes"] as const).map((kind) => {
              const { used, maximum } = known[kind]
              const format = kind === "bytes" ? bytes : number
              return (
                <div key={kind} className="definition">
                  <dt>{t(`usage-${kind}`)}</dt>
                  <dd>
                    {maximum === undefined
                      ? format(used)
                      : t("usedOf", { used: format(used), maximum: format(maximum) })}
                    {maximum === undefined ? null : (
                      <meter
                        className="meter"
                        aria-label={t(`usage-${kind}`)}
                        min={0}
                        max={maximum}
                        high={maximum * 0.9}
                        value={used}
                      />
                    )}
                  </dd>
                </div>
              )
            })}
          </dl>
        )}
      </Loaded>
    </section>
  )
}

/** The settings of the organization. */
const OrganizationScreen = () => {
  const t = useStrings(peopleStrings)
  return (
    <OrganizationFrame title={t("settings")} width="text">
      {(organization) => (
        <>
          <SettingsOf key={organization.id} organization={organization} />
          <Usage organization={organization} />
          <OrganizationRemoval organization={organization} />
        </>
      )}
    </OrganizationFrame>
  )
}

export default OrganizationScreen
