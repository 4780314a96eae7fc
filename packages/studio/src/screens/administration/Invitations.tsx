/** The invitations by e-mail address whose link was not used yet, and the people who have not joined. */
import type { Invitation, Organization } from "@lectern/client/fetch"
import { openSecret } from "../../components/CopyText.tsx"
import { ItemList, ItemRow } from "../../components/ItemList.tsx"
import { openConfirm } from "../../components/openConfirm.tsx"
import { runChange } from "../../data/change.ts"
import { useList } from "../../data/lists.ts"
import { Mail } from "../../icons/icons.gen.ts"
import { client } from "../../session.ts"
import { commonStrings } from "../../strings/common.ts"
import { useFormats } from "../../strings/formats.ts"
import { translate, useStrings } from "../../strings/strings.ts"
import { keyIn } from "./data.ts"
import { invitationStrings } from "./invitationStrings.ts"

/** Creates a new link of an invitation. The server sends it, or displays it to be copied if it cannot send mail. */
export const openInvitationLink = (
  organization: Organization,
  { user: userId, email }: Pick<Invitation, "user" | "email">
): void =>
  openConfirm({
    title: translate(invitationStrings, "linkTitle", { email }),
    body: translate(invitationStrings, "linkBody"),
    confirm: translate(invitationStrings, "createLink"),
    isDangerous: false,
    run: () =>
      void runChange({
        send: async () => {
          const { url } = await client.invitations.renewInvitation({
            params: { organizationId: organization.id, userId }
          })
          if (url === undefined) return
          openSecret({
            title: translate(invitationStrings, "linkTitle", { email }),
            description: translate(invitationStrings, "linkUse", { email }),
            label: translate(invitationStrings, "linkLabel"),
            secret: url
          })
        },
        message: translate(invitationStrings, "linkCreated", { email }),
        failure: translate(invitationStrings, "linkFailed"),
        invalidates: [keyIn(organization.id, "invitations")]
      })
  })

const openRevoke = (organization: Organization, { user: userId, email }: Invitation): void =>
  openConfirm({
    title: translate(invitationStrings, "revokeTitle", { email }),
    body: translate(invitationStrings, "revokeBody", { organization: organization.title }),
    confirm: translate(invitationStrings, "revoke"),
    run: () =>
      void runChange({
        send: () =>
          client.invitations.revokeInvitation({ params: { organizationId: organization.id, userId } }),
        message: translate(invitationStrings, "revoked", { email }),
        failure: translate(invitationStrings, "notRevoked", { email }),
        invalidates: [keyIn(organization.id, "invitations"), keyIn(organization.id, "members")]
      })
  })

/** The invitations by e-mail address that are open. */
export const Invitations = ({ organization }: { readonly organization: Organization }) => {
  const t = useStrings(invitationStrings)
  const common = useStrings(commonStrings)
  const { ago } = useFormats()
  const invitations = useList(keyIn(organization.id, "invitations"), (query, signal) =>
    client.invitations.listInvitations({ params: { organizationId: organization.id }, query }, { signal })
  )
  return (
    <section className="section">
      <div className="section-header">
        <h2>{t("invitations")}</h2>
      </div>
      <ItemList
        resource={invitations}
        keyOf={({ user }) => user}
        empty={<p className="muted">{t("noInvitations")}</p>}
      >
        {(invitation) => (
          <ItemRow
            icon={<Mail size={18} aria-hidden />}
            title={invitation.email}
            details={
              <>
                <span>{t("invitedAt", { time: ago(invitation.createdAt) })}</span>
                <span>{common("expires", { time: ago(invitation.expiresAt) })}</span>
              </>
            }
            actions={[
              { id: "link", label: t("newLink"), run: () => openInvitationLink(organization, invitation) },
              {
                id: "revoke",
                label: t("revoke"),
                isDangerous: true,
                run: () => openRevoke(organization, invitation)
              }
            ]}
          />
        )}
      </ItemList>
    </section>
  )
}
