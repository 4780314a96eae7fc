/** The members of the organization: who they are, their roles, and invitations. */
import type { Member, Organization, Role } from "@lectern/client/fetch"
import { useDeferredValue, useState } from "react"
import { useActions } from "../../actions/actions.ts"
import { Avatar } from "../../components/Avatar.tsx"
import { Button } from "../../components/Button.tsx"
import { TextField } from "../../components/fields.tsx"
import { ItemList, ItemRow } from "../../components/ItemList.tsx"
import { openConfirm } from "../../components/openConfirm.tsx"
import { RoleSelect, roleName } from "../../components/RoleField.tsx"
import { EmptyState } from "../../components/states.tsx"
import { runChange } from "../../data/change.ts"
import { Plus, Users } from "../../icons/icons.gen.ts"
import { useAddress } from "../../router/location.ts"
import { client, sessionStore } from "../../session.ts"
import { useStore } from "../../store/store.ts"
import { commonStrings } from "../../strings/common.ts"
import { useFormats } from "../../strings/formats.ts"
import { translate, useStrings } from "../../strings/strings.ts"
import { keyIn, useMembers } from "./data.ts"
import { openInvitationLink } from "./Invitations.tsx"
import { openInvite } from "./InviteDialog.tsx"
import { invitationStrings } from "./invitationStrings.ts"
import { OrganizationFrame } from "./OrganizationFrame.tsx"
import { peopleStrings } from "./peopleStrings.ts"

const setRole = (organization: Organization, member: Member, role: Role | null) => {
  const params = { organizationId: organization.id, userId: member.id }
  const send = (value: Role | null) =>
    client.members.updateMemberInOrganizationById({ params, payload: { role: value } })
  const name = member.user.displayName
  return runChange({
    send: () => send(role),
    message: translate(peopleStrings, "roleChanged", { name, role: roleName(role) }),
    failure: translate(peopleStrings, "roleNotChanged", { name }),
    undo: () => send(member.role),
    invalidates: [keyIn(organization.id, "members"), "access"]
  })
}

const openRemove = (organization: Organization, member: Member): void => {
  const name = member.user.displayName
  openConfirm({
    title: translate(peopleStrings, "removeTitle", { name }),
    body: translate(peopleStrings, "removeBody", { organization: organization.title }),
    confirm: translate(commonStrings, "remove"),
    run: () =>
      void runChange({
        send: () =>
          client.members.removeMemberFromOrganizationById({
            params: { organizationId: organization.id, userId: member.id }
          }),
        message: translate(peopleStrings, "removed", { name }),
        failure: translate(peopleStrings, "notRemoved", { name }),
        invalidates: [keyIn(organization.id, "members"), keyIn(organization.id, "teams"), "access"]
      })
  })
}

const MemberRow = ({
  organization,
  member
}: {
  readonly organization: Organization
  readonly member: Member
}) => {
  const t = useStrings(peopleStrings)
  const common = useStrings(commonStrings)
  const inviting = useStrings(invitationStrings)
  const { ago } = useFormats()
  const session = useStore(sessionStore)
  const isOwn = session.state === "signed-in" && session.user.id === member.id
  const canManage = organization.permissions.admin
  const { displayName, email } = member.user
  return (
    <ItemRow
      icon={<Avatar name={displayName} />}
      title={displayName}
      details={
        <>
          {email === undefined || email === displayName ? null : <span>{email}</span>}
          <span>{t("spaceCount", { count: member.spaces })}</span>
          <span>{t("teamCount", { count: member.teams })}</span>
          <span>
            {member.lastSeenAt === undefined
              ? t("neverSeen")
              : t("lastSeen", { time: ago(member.lastSeenAt) })}
          </span>
        </>
      }
      tags={
        <>
          {isOwn ? <span className="tag">{t("you")}</span> : null}
          {member.sso ? <span className="tag">{t("sso")}</span> : null}
          {member.disabled ? <span className="tag tag-warning">{t("disabled")}</span> : null}
        </>
      }
      controls={
        canManage ? (
          <RoleSelect
            label={t("roleOf", { name: displayName })}
            hasGuest
            value={member.role}
            onChange={(role) => void setRole(organization, member, role)}
          />
        ) : (
          <span className="tag">{roleName(member.role, common)}</span>
        )
      }
      actions={
        canManage
          ? [
              ...(member.lastSeenAt === undefined && email !== undefined
                ? [
                    {
                      id: "link",
                      label: inviting("newLink"),
                      run: () => openInvitationLink(organization, { user: member.id, email })
                    }
                  ]
                : []),
              {
                id: "remove",
                label: isOwn ? t("leave") : common("remove"),
                isDangerous: true,
                run: () => openRemove(organization, member)
              }
            ]
          : []
      }
    />
  )
}

const Members = ({ organization }: { readonly organization: Organization }) => {
  const t = useStrings(peopleStrings)
  const { query } = useAddress()
  const [text, setText] = useState(() => query.get("search") ?? "")
  const search = useDeferredValue(text.trim())
  const members = useMembers(search)
  useActions(
    organization.permissions.admin
      ? [{ id: "members.invite", label: t("invite"), shortcut: "c", run: () => openInvite(organization) }]
      : []
  )
  return (
    <>
      <div className="section-header">
        <TextField label={t("searchMembers")} value={text} onChange={setText} />
      </div>
      <ItemList
        resource={members}
        keyOf={({ id }) => id}
        empty={<EmptyState icon={<Users />} title={t("noMember", { search })} />}
      >
        {(member) => <MemberRow organization={organization} member={member} />}
      </ItemList>
    </>
  )
}

/** The members of the organization. */
const MembersScreen = () => {
  const t = useStrings(peopleStrings)
  return (
    <OrganizationFrame
      title={t("members")}
      isPermitted={({ listMembers }) => listMembers}
      actions={(organization) =>
        organization.permissions.admin ? (
          <Button variant="primary" icon={<Plus size={16} />} onPress={() => openInvite(organization)}>
            {t("invite")}
          </Button>
        ) : null
      }
    >
      {(organization) => <Members organization={organization} />}
    </OrganizationFrame>
  )
}

export default MembersScreen
