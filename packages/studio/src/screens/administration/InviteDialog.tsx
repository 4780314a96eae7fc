/** The dialog that invites people by their e-mail addresses. */
import type { Organization, Role } from "@lectern/client/fetch"
import { useState } from "react"
import { FormDialog } from "../../components/FormDialog.tsx"
import { TextField } from "../../components/fields.tsx"
import { openDialog } from "../../components/openDialog.tsx"
import { RoleField } from "../../components/RoleField.tsx"
import { invalidate } from "../../data/cache.ts"
import { showToast } from "../../data/toasts.ts"
import { client } from "../../session.ts"
import { useStrings } from "../../strings/strings.ts"
import { keyIn } from "./data.ts"
import { openInvitationLink } from "./Invitations.tsx"
import { invitationStrings } from "./invitationStrings.ts"
import { peopleStrings } from "./peopleStrings.ts"

interface InviteDialogProps {
  readonly organization: Organization
  readonly onClose: () => void
}

const InviteDialog = ({ organization, onClose }: InviteDialogProps) => {
  const t = useStrings(peopleStrings)
  const inviting = useStrings(invitationStrings)
  const [text, setText] = useState("")
  const [role, setRole] = useState<Role | null>(organization.defaultRole ?? "edit")
  const [sent, setSent] = useState<ReadonlyArray<string>>([])
  const emails = text.split(/[\s,;]+/).filter((email) => email !== "")
  const onSubmit = async () => {
    setSent(emails)
    const { invited, users } = await client.invites.inviteUsersToOrganization({
      params: { organizationId: organization.id },
      payload: { emails, role }
    })
    invalidate(keyIn(organization.id, "members"))
    invalidate(keyIn(organization.id, "invitations"))
    const [user, ...otherUsers] = users
    const [email, ...otherEmails] = emails
    const isSingle = otherUsers.length === 0 && otherEmails.length === 0
    showToast({
      kind: "done",
      message: t("invited", { count: invited }),
      detail: t("invitedDetail"),
      ...(isSingle && user !== undefined && email !== undefined
        ? {
            // Without a mail server, the link is the only way to the invitation.
            isLasting: true,
            next: {
              label: inviting("createLink"),
              run: () => openInvitationLink(organization, { user, email })
            }
          }
        : {})
    })
  }
  return (
    <FormDialog
      title={t("inviteTitle", { organization: organization.title })}
      submit={t("invite")}
      isDisabled={emails.length === 0}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <TextField
            label={t("emails")}
            description={t("emailsHint")}
            autoFocus
            rows={3}
            placeholder="grace@example.com"
            value={text}
            onChange={setText}
            error={errorOf("emails", (position) => sent[position])}
          />
          <RoleField label={t("roleOfThem")} hasGuest value={role} onChange={setRole} />
        </>
      )}
    </FormDialog>
  )
}

/** Opens the dialog that invites people. */
export const openInvite = (organization: Organization): void =>
  openDialog((onClose) => <InviteDialog organization={organization} onClose={onClose} />)
