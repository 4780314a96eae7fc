/** Invite links: any user who has one can join the organization with its role. */
import type { Invite, Organization, Role } from "@lectern/client/fetch"
import { useState } from "react"
import { Button } from "../../components/Button.tsx"
import { openSecret } from "../../components/CopyText.tsx"
import { FormDialog } from "../../components/FormDialog.tsx"
import { SelectField, TextField } from "../../components/fields.tsx"
import { ItemList, ItemRow } from "../../components/ItemList.tsx"
import { openConfirm } from "../../components/openConfirm.tsx"
import { openDialog } from "../../components/openDialog.tsx"
import { RoleField, roleName } from "../../components/RoleField.tsx"
import { EmptyState } from "../../components/states.tsx"
import { invalidate } from "../../data/cache.ts"
import { runChange } from "../../data/change.ts"
import { useList } from "../../data/lists.ts"
import { hasServerPages, serverPageUrl } from "../../data/serverPages.ts"
import { Link2, Plus } from "../../icons/icons.gen.ts"
import { toHref } from "../../router/location.ts"
import { fillPath } from "../../router/paths.ts"
import { client } from "../../session.ts"
import { commonStrings } from "../../strings/common.ts"
import { useFormats } from "../../strings/formats.ts"
import { translate, useStrings } from "../../strings/strings.ts"
import { keyIn } from "./data.ts"
import { expiryChoices, expiryIn } from "./expiry.ts"
import { Invitations } from "./Invitations.tsx"
import { OrganizationFrame } from "./OrganizationFrame.tsx"
import { peopleStrings } from "./peopleStrings.ts"

/** Returns the URL of a link: the page of the server, on which people also sign in, or the page of the application if the server has no such page. */
const urlOf = async (organization: Organization, { id }: Invite): Promise<string> => {
  if (await hasServerPages()) return serverPageUrl(`join/${organization.id}/${id}`)
  const path = fillPath("/join/:organization/:invite", { organization: organization.id, invite: id })
  return new URL(toHref(path), window.location.href).href
}

const openLink = async (organization: Organization, invite: Invite): Promise<void> => {
  const secret = await urlOf(organization, invite)
  openSecret({
    title: translate(peopleStrings, "inviteLink"),
    description: translate(peopleStrings, "inviteLinkUse"),
    label: translate(peopleStrings, "inviteUrl"),
    secret
  })
}

const InviteLinkDialog = ({
  organization,
  onClose
}: {
  readonly organization: Organization
  readonly onClose: () => void
}) => {
  const t = useStrings(peopleStrings)
  const common = useStrings(commonStrings)
  const [role, setRole] = useState<Role | null>(organization.defaultRole ?? "read")
  const [days, setDays] = useState("30")
  const [uses, setUses] = useState("")
  const onSubmit = async () => {
    const invite = await client.invites.createOrganizationInvite({
      params: { organizationId: organization.id },
      payload: {
        role,
        expiresAt: expiryIn(days),
        maximumUses: uses.trim() === "" ? null : Number(uses)
      }
    })
    invalidate(keyIn(organization.id, "invites"))
    await openLink(organization, invite)
  }
  return (
    <FormDialog
      title={t("newInviteLink")}
      submit={common("create")}
      isDisabled={!/^\d{0,5}$/.test(uses.trim())}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <RoleField label={t("roleOfJoining")} hasGuest value={role} onChange={setRole} />
          <SelectField
            label={t("expiry")}
            value={days}
            options={expiryChoices(t("inDays"), common("noExpiry"))}
            onChange={setDays}
          />
          <TextField
            label={t("maximumUses")}
            description={t("maximumUsesHint")}
            inputMode="numeric"
            value={uses}
            onChange={setUses}
            error={errorOf("maximumUses")}
          />
        </>
      )}
    </FormDialog>
  )
}

const openRemove = (organization: Organization, invite: Invite): void =>
  openConfirm({
    title: translate(peopleStrings, "removeInviteTitle"),
    body: translate(peopleStrings, "removeInviteBody"),
    confirm: translate(commonStrings, "delete"),
    run: () =>
      void runChange({
        send: () =>
          client.invites.deleteOrganizationInviteById({
            params: { organizationId: organization.id, inviteId: invite.id }
          }),
        message: translate(peopleStrings, "inviteRemoved"),
        failure: translate(peopleStrings, "inviteNotRemoved"),
        invalidates: [keyIn(organization.id, "invites")]
      })
  })

const Invites = ({ organization }: { readonly organization: Organization }) => {
  const t = useStrings(peopleStrings)
  const common = useStrings(commonStrings)
  const { ago } = useFormats()
  const invites = useList(keyIn(organization.id, "invites"), (query, signal) =>
    client.invites.listOrganizationInviteLinks(
      { params: { organizationId: organization.id }, query },
      { signal }
    )
  )
  return (
    <>
      {organization.inviteLinks ? null : <p className="notice notice-warning">{t("inviteLinksOff")}</p>}
      <ItemList
        resource={invites}
        keyOf={({ id }) => id}
        empty={
          <EmptyState icon={<Link2 />} title={t("noInvites")}>
            {t("noInvitesBody")}
          </EmptyState>
        }
      >
        {(invite) => (
          <ItemRow
            icon={<Link2 size={18} aria-hidden />}
            title={t("inviteFor", { role: roleName(invite.role, common) })}
            details={
              <>
                <span>
                  {invite.maximumUses === undefined
                    ? t("uses", { count: invite.uses })
                    : t("usesOf", { count: invite.uses, maximum: invite.maximumUses })}
                </span>
                <span>
                  {invite.expiresAt === undefined
                    ? common("noExpiry")
                    : common("expires", { time: ago(invite.expiresAt) })}
                </span>
              </>
            }
            actions={[
              { id: "code", label: t("showCode"), run: () => void openLink(organization, invite) },
              {
                id: "delete",
                label: common("delete"),
                isDangerous: true,
                run: () => openRemove(organization, invite)
              }
            ]}
          />
        )}
      </ItemList>
    </>
  )
}

/** The invite links of the organization. */
const InvitesScreen = () => {
  const t = useStrings(peopleStrings)
  return (
    <OrganizationFrame
      title={t("inviteLinks")}
      actions={(organization) => (
        <Button
          variant="primary"
          icon={<Plus size={16} />}
          onPress={() =>
            openDialog((onClose) => <InviteLinkDialog organization={organization} onClose={onClose} />)
          }
        >
          {t("newInviteLink")}
        </Button>
      )}
    >
      {(organization) => (
        <>
          <Invitations organization={organization} />
          <section className="section">
            <div className="section-header">
              <h2>{t("inviteLinks")}</h2>
            </div>
            <Invites organization={organization} />
          </section>
        </>
      )}
    </OrganizationFrame>
  )
}

export default InvitesScreen
