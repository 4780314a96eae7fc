/** Provisioning by SCIM: the URL and the tokens of the identity provider, and its last changes. */
import type { AuditRecord, Organization } from "@lectern/client/fetch"
import { useState } from "react"
import { Button } from "../../components/Button.tsx"
import { CopyText } from "../../components/CopyText.tsx"
import { FormDialog } from "../../components/FormDialog.tsx"
import { ItemList, ItemRow } from "../../components/ItemList.tsx"
import { openDialog } from "../../components/openDialog.tsx"
import { EmptyState, Loaded } from "../../components/states.tsx"
import { Time } from "../../components/Time.tsx"
import { config } from "../../config.ts"
import { invalidate } from "../../data/cache.ts"
import { useResource } from "../../data/useResource.ts"
import { KeyRound, Plus, UserCog } from "../../icons/icons.gen.ts"
import { client } from "../../session.ts"
import { commonStrings } from "../../strings/common.ts"
import { useStrings } from "../../strings/strings.ts"
import { useOperationNames } from "./auditOperations.ts"
import { keyIn, useMembers } from "./data.ts"
import { expiryIn } from "./expiry.ts"
import { OrganizationFrame } from "./OrganizationFrame.tsx"
import { openRevoke, organizationTokensKey, useOrganizationTokens } from "./organizationTokens.ts"
import { programStrings } from "./programStrings.ts"
import { provisioningStrings } from "./provisioningStrings.ts"
import { TokenDetails } from "./TokenDetails.tsx"
import { openTokenSecret } from "./TokenDialog.tsx"
import { TokenFields } from "./TokenFields.tsx"

const permission = "organization.provision"

/** The operations that an identity provider calls. */
const operations = ["Members", "Teams"].flatMap((kind) =>
  ["create", "update", "remove"].map((verb) => `Provisioned${kind}.${verb}`)
)

/** The number of changes that are listed. */
const recentChanges = 10

/** The path of the API can be empty: then it is at the root of the server. */
const scimUrl = (): string => new URL(`${config.api}/scim/v2`, window.location.origin).href

interface DialogProps {
  readonly organization: Organization
  readonly onClose: () => void
}

const TokenDialog = ({ organization, onClose }: DialogProps) => {
  const t = useStrings(provisioningStrings)
  const common = useStrings(commonStrings)
  const [label, setLabel] = useState(t("defaultLabel"))
  const [days, setDays] = useState("365")
  const onSubmit = async () => {
    const { secret } = await client.tokens.createApiToken({
      payload: {
        label: label.trim(),
        organization: organization.id,
        permissions: [permission],
        expiresAt: expiryIn(days)
      }
    })
    invalidate(organizationTokensKey(organization))
    openTokenSecret(secret)
  }
  return (
    <FormDialog
      title={t("new")}
      submit={common("create")}
      isDisabled={label.trim() === ""}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <p>{t("tokenBody")}</p>
          <TokenFields
            title={t("label")}
            label={label}
            days={days}
            error={errorOf("label")}
            onLabel={setLabel}
            onDays={setDays}
          />
        </>
      )}
    </FormDialog>
  )
}

const openNew = (organization: Organization): void =>
  openDialog((onClose) => <TokenDialog organization={organization} onClose={onClose} />)

const Tokens = ({ organization }: { readonly organization: Organization }) => {
  const t = useStrings(provisioningStrings)
  const programs = useStrings(programStrings)
  const all = useOrganizationTokens(organization)
  const data = all.data?.filter(
    ({ permissions, unlimited }) => !unlimited && permissions?.includes(permission) === true
  )
  return (
    <section className="section">
      <div className="section-header">
        <h2>{t("tokens")}</h2>
      </div>
      <ItemList
        resource={{ ...all, data }}
        keyOf={({ id }) => id}
        empty={
          <EmptyState icon={<KeyRound />} title={t("empty")}>
            {t("emptyBody")}
          </EmptyState>
        }
      >
        {(token) => (
          <ItemRow
            icon={<KeyRound size={18} aria-hidden />}
            title={token.label ?? ""}
            details={<TokenDetails token={token} />}
            actions={[
              {
                id: "revoke",
                label: programs("revoke"),
                isDangerous: true,
                run: () => openRevoke(organization, token, token.label ?? "")
              }
            ]}
          />
        )}
      </ItemList>
    </section>
  )
}

const loadChanges = async (
  organizationId: string,
  signal: AbortSignal
): Promise<ReadonlyArray<AuditRecord>> => {
  const lists = await Promise.all(
    operations.map((operation) =>
      client.audit.listAuditRecords(
        { params: { organizationId }, query: { operation, outcome: "success", limit: recentChanges } },
        { signal }
      )
    )
  )
  return lists
    .flatMap(({ items }) => items)
    .sort((one, other) => (one.createdAt < other.createdAt ? 1 : -1))
    .slice(0, recentChanges)
}

const Changes = ({ organization }: { readonly organization: Organization }) => {
  const t = useStrings(provisioningStrings)
  const nameOf = useOperationNames()
  const members = useMembers()
  const changes = useResource(keyIn(organization.id, "provisioning"), (signal) =>
    loadChanges(organization.id, signal)
  )
  const subjectOf = ({ resources }: AuditRecord): string => {
    const id = resources.find(({ type }) => type === "user")?.id
    return members.data?.find((member) => member.id === id)?.user.displayName ?? ""
  }
  return (
    <section className="section">
      <div className="section-header">
        <h2>{t("recent")}</h2>
      </div>
      <Loaded resource={changes}>
        {(records) =>
          records.length === 0 ? (
            <p className="muted">{t("noChanges")}</p>
          ) : (
            <ul className="list">
              {records.map((record) => (
                <li key={record.id}>
                  <ItemRow
                    icon={<UserCog size={18} aria-hidden />}
                    title={nameOf(record.operation) ?? record.operation}
                    details={
                      <>
                        <span>{subjectOf(record)}</span>
                        <Time value={record.createdAt} />
                      </>
                    }
                  />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  )
}

/** Provisioning of members and teams by an identity provider. */
const ProvisioningScreen = () => {
  const t = useStrings(provisioningStrings)
  return (
    <OrganizationFrame
      title={t("title")}
      actions={(organization) => (
        <Button variant="primary" icon={<Plus size={16} />} onPress={() => openNew(organization)}>
          {t("new")}
        </Button>
      )}
    >
      {(organization) => {
        const { emailDomains } = organization
        return (
          <>
            <section className="section stack">
              <p className="muted">{t("body")}</p>
              <CopyText label={t("url")} text={scimUrl()} />
              <p className="muted">
                {emailDomains.length === 0
                  ? t("noDomains")
                  : t("domains", { domains: emailDomains.join(", ") })}
              </p>
            </section>
            <Tokens organization={organization} />
            <Changes organization={organization} />
          </>
        )
      }}
    </OrganizationFrame>
  )
}

export default ProvisioningScreen
