/** A team: its members and owners. */
import type { Organization, Team, TeamMember } from "@lectern/client/fetch"
import { useState } from "react"
import { ActionMenu } from "../../components/ActionMenu.tsx"
import { Avatar } from "../../components/Avatar.tsx"
import { Button } from "../../components/Button.tsx"
import { FormDialog } from "../../components/FormDialog.tsx"
import { SelectField } from "../../components/fields.tsx"
import { ItemList, ItemRow } from "../../components/ItemList.tsx"
import { openConfirm } from "../../components/openConfirm.tsx"
import { openDialog } from "../../components/openDialog.tsx"
import { ScreenFrame } from "../../components/Screen.tsx"
import { EmptyState } from "../../components/states.tsx"
import { invalidate } from "../../data/cache.ts"
import { runChange } from "../../data/change.ts"
import { useList } from "../../data/lists.ts"
import { useOrganization } from "../../data/organization.ts"
import { useResource } from "../../data/useResource.ts"
import { UserPlus } from "../../icons/icons.gen.ts"
import { Link } from "../../router/Link.tsx"
import { navigate } from "../../router/location.ts"
import { client } from "../../session.ts"
import { commonStrings } from "../../strings/common.ts"
import { shellStrings } from "../../strings/shell.ts"
import { translate, useStrings } from "../../strings/strings.ts"
import { keyIn, useMembers } from "./data.ts"
import { peopleStrings } from "./peopleStrings.ts"
import { openTeam } from "./TeamDialog.tsx"

interface TeamProps {
  readonly organization: Organization
  readonly team: Team
}

const keysOf = ({ organization }: TeamProps): ReadonlyArray<string> => [
  keyIn(organization.id, "teams"),
  keyIn(organization.id, "members"),
  "access"
]

const addMember = ({ organization, team }: TeamProps, userId: string, role?: "owner" | "member") =>
  client.teams.addMemberToOrganizationTeamById({
    params: { organizationId: organization.id, teamId: team.id, userId },
    payload: role === undefined ? {} : { role }
  })

const AddDialog = (
  properties: TeamProps & { readonly present: ReadonlySet<string>; readonly onClose: () => void }
) => {
  const { present, onClose, team } = properties
  const t = useStrings(peopleStrings)
  const common = useStrings(commonStrings)
  const members = useMembers()
  const options = (members.data ?? [])
    .filter(({ id }) => !present.has(id))
    .map(({ id, user }) => ({ value: id, label: user.displayName }))
  const [chosen, setChosen] = useState("")
  const userId = chosen === "" ? (options[0]?.value ?? "") : chosen
  return (
    <FormDialog
      title={t("addToTeam", { team: team.title })}
      submit={common("add")}
      isDisabled={userId === ""}
      onSubmit={async () => {
        await addMember(properties, userId)
        for (const key of keysOf(properties)) invalidate(key)
      }}
      onClose={onClose}
    >
      {() =>
        options.length === 0 ? (
          <p className="muted">{t("everybodyInTeam")}</p>
        ) : (
          <SelectField label={t("member")} value={userId} options={options} onChange={setChosen} />
        )
      }
    </FormDialog>
  )
}

const removeMember = (properties: TeamProps, { organization: member, team: membership }: TeamMember) => {
  const { organization, team } = properties
  const name = member.user.displayName
  return runChange({
    send: () =>
      client.teams.deleteMemberFromOrganizationTeamById({
        params: { organizationId: organization.id, teamId: team.id, userId: member.id }
      }),
    message: translate(peopleStrings, "removedFromTeam", { name, team: team.title }),
    failure: translate(peopleStrings, "notRemoved", { name }),
    undo: () => addMember(properties, member.id, membership.role),
    invalidates: keysOf(properties)
  })
}

const setOwner = (properties: TeamProps, { organization: member }: TeamMember, isOwner: boolean) => {
  const name = member.user.displayName
  const send = (value: boolean) => addMember(properties, member.id, value ? "owner" : "member")
  return runChange({
    send: () => send(isOwner),
    message: translate(peopleStrings, isOwner ? "madeOwner" : "madeMember", { name }),
    failure: translate(peopleStrings, "roleNotChanged", { name }),
    undo: () => send(!isOwner),
    invalidates: keysOf(properties)
  })
}

const openDelete = (properties: TeamProps): void => {
  const { organization, team } = properties
  openConfirm({
    title: translate(peopleStrings, "deleteTeamTitle", { team: team.title }),
    body: translate(peopleStrings, "deleteTeamBody"),
    confirm: translate(commonStrings, "delete"),
    run: () =>
      void runChange({
        send: async () => {
          await client.teams.removeTeamFromOrganizationById({
            params: { organizationId: organization.id, teamId: team.id }
          })
          navigate("/organization/teams")
        },
        message: translate(peopleStrings, "teamDeleted", { team: team.title }),
        failure: translate(peopleStrings, "teamNotDeleted"),
        invalidates: keysOf(properties)
      })
  })
}

/** A team. */
const TeamScreen = ({ params }: { readonly params: { readonly team: string } }) => {
  const t = useStrings(peopleStrings)
  const common = useStrings(commonStrings)
  const shell = useStrings(shellStrings)
  const { data: organization } = useOrganization()
  const id = organization?.id
  const teamParams = { organizationId: id ?? "", teamId: params.team }
  const key = id === undefined ? undefined : `${keyIn(id, "teams")}/${params.team}`
  const team = useResource(key === undefined ? undefined : `${key}/team`, (signal) =>
    client.teams.getTeamInOrganizationById({ params: teamParams }, { signal })
  )
  const members = useList(key === undefined ? undefined : `${key}/members`, (query, signal) =>
    client.teams.listTeamMembersInOrganizationById({ params: teamParams, query }, { signal })
  )
  const canManage = organization?.permissions.admin === true || organization?.permissions.ownTeam === true
  const known =
    team.data === undefined || organization === undefined ? undefined : { organization, team: team.data }
  const add = () => {
    if (known === undefined) return
    const present = new Set((members.data ?? []).map(({ organization: member }) => member.id))
    openDialog((onClose) => <AddDialog {...known} present={present} onClose={onClose} />)
  }
  const button = (
    <Button variant="primary" icon={<UserPlus size={16} />} onPress={add}>
      {t("addMember")}
    </Button>
  )
  return (
    <ScreenFrame
      title={team.data?.title ?? t("teams")}
      above={<Link to="/organization/teams">{t("teams")}</Link>}
      actions={
        known === undefined || !canManage ? undefined : (
          <>
            <ActionMenu
              label={shell("moreActions")}
              actions={[
                {
                  id: "rename",
                  label: common("rename"),
                  run: () => openTeam(known.organization, known.team)
                },
                { id: "delete", label: common("delete"), isDangerous: true, run: () => openDelete(known) }
              ]}
            />
            {members.data?.length === 0 ? null : button}
          </>
        )
      }
    >
      <ItemList
        resource={team.error === undefined ? members : { ...members, data: undefined, error: team.error }}
        keyOf={({ organization: member }) => member.id}
        empty={
          <EmptyState title={t("emptyTeam")} actions={canManage ? button : undefined}>
            {t("emptyTeamBody")}
          </EmptyState>
        }
      >
        {(member) => (
          <ItemRow
            icon={<Avatar name={member.organization.user.displayName} />}
            title={member.organization.user.displayName}
            details={member.organization.user.email}
            tags={
              member.team.role === "owner" ? <span className="tag tag-primary">{t("owner")}</span> : undefined
            }
            actions={
              known === undefined || !canManage
                ? []
                : [
                    {
                      id: "owner",
                      label: member.team.role === "owner" ? t("makeMember") : t("makeOwner"),
                      run: () => void setOwner(known, member, member.team.role !== "owner")
                    },
                    {
                      id: "remove",
                      label: common("remove"),
                      isDangerous: true,
                      run: () => void removeMember(known, member)
                    }
                  ]
            }
          />
        )}
      </ItemList>
    </ScreenFrame>
  )
}

export default TeamScreen
