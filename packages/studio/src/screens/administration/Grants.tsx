/** The people and teams with a direct role on a space, a collection or a site. */
import type { Role } from "@lectern/client/fetch"
import { useState } from "react"
import { Avatar } from "../../components/Avatar.tsx"
import { Button } from "../../components/Button.tsx"
import { FormDialog } from "../../components/FormDialog.tsx"
import { SelectField } from "../../components/fields.tsx"
import { ItemList, ItemRow } from "../../components/ItemList.tsx"
import { openDialog } from "../../components/openDialog.tsx"
import { RoleField, RoleSelect, roleName } from "../../components/RoleField.tsx"
import { EmptyState } from "../../components/states.tsx"
import { invalidate } from "../../data/cache.ts"
import { runChange } from "../../data/change.ts"
import { useResource } from "../../data/useResource.ts"
import { UserPlus, UsersRound } from "../../icons/icons.gen.ts"
import { commonStrings } from "../../strings/common.ts"
import { translate, useStrings } from "../../strings/strings.ts"
import { accessKey, type Grantee, grant, listTeams, listUsers, type Shareable } from "./accessData.ts"
import { accessStrings } from "./accessStrings.ts"
import { useMembers, useTeams } from "./data.ts"

interface Entry extends Grantee {
  readonly name: string
  readonly detail: string | undefined
  readonly role: Role
}

const useEntries = (shareable: Shareable) =>
  useResource(`${accessKey(shareable)}/entries`, async (signal): Promise<ReadonlyArray<Entry>> => {
    const [users, teams] = await Promise.all([listUsers(shareable, signal), listTeams(shareable, signal)])
    return [
      ...teams.map(({ team, permission }) => ({
        kind: "team" as const,
        id: team.id,
        name: team.title,
        detail: undefined,
        role: permission
      })),
      ...users.map(({ user, permission }) => ({
        kind: "user" as const,
        id: user.id,
        name: user.displayName,
        detail: user.email,
        role: permission
      }))
    ]
  })

const changeRole = (shareable: Shareable, entry: Entry, role: Role | null) =>
  runChange({
    send: () => grant(shareable, entry, role),
    message:
      role === null
        ? translate(accessStrings, "accessRemoved", { name: entry.name })
        : translate(accessStrings, "accessChanged", { name: entry.name, role: roleName(role) }),
    failure: translate(accessStrings, "accessNotChanged", { name: entry.name }),
    undo: () => grant(shareable, entry, entry.role),
    invalidates: [accessKey(shareable)]
  })

const ShareDialog = ({
  shareable,
  hint,
  present,
  onClose
}: {
  readonly shareable: Shareable
  readonly hint: string | undefined
  readonly present: ReadonlySet<string>
  readonly onClose: () => void
}) => {
  const t = useStrings(accessStrings)
  const members = useMembers()
  const teams = useTeams()
  const [chosen, setChosen] = useState("")
  const [role, setRole] = useState<Role | null>("edit")
  const options = [
    ...(teams.data ?? []).map(({ id, title }) => ({
      value: `team ${id}`,
      label: t("team", { team: title })
    })),
    ...(members.data ?? []).map(({ id, user }) => ({ value: `user ${id}`, label: user.displayName }))
  ].filter(({ value }) => !present.has(value))
  const value = chosen === "" ? (options[0]?.value ?? "") : chosen
  const [kind, id = ""] = value.split(" ")
  return (
    <FormDialog
      title={t("share", { title: shareable.value.title })}
      submit={t("shareAction")}
      isDisabled={id === ""}
      onSubmit={async () => {
        await grant(shareable, { kind: kind === "team" ? "team" : "user", id }, role)
        invalidate(accessKey(shareable))
      }}
      onClose={onClose}
    >
      {() => (
        <>
          <SelectField label={t("personOrTeam")} value={value} options={options} onChange={setChosen} />
          <RoleField label={t("roleOnContent")} value={role} onChange={setRole} />
          {hint === undefined ? null : <p className="muted">{hint}</p>}
        </>
      )}
    </FormDialog>
  )
}

/** Properties of {@link Grants}. */
export interface GrantsProps {
  readonly shareable: Shareable
  /** The explanation of an empty list: who to share it with. */
  readonly explanation: string
  /** An explanation of the roles, in the dialog and above the list. */
  readonly hint?: string
}

/** The people and teams with a direct role, with the action that adds one. */
export const Grants = ({ shareable, explanation, hint }: GrantsProps) => {
  const t = useStrings(accessStrings)
  const common = useStrings(commonStrings)
  const entries = useEntries(shareable)
  const share = () => {
    const present = new Set((entries.data ?? []).map(({ kind, id }) => `${kind} ${id}`))
    openDialog((onClose) => (
      <ShareDialog shareable={shareable} hint={hint} present={present} onClose={onClose} />
    ))
  }
  const button = (
    <Button variant="primary" icon={<UserPlus size={16} />} onPress={share}>
      {t("shareAction")}
    </Button>
  )
  return (
    <section className="section">
      <div className="section-header">
        <h2>{t("granted")}</h2>
        {entries.data?.length === 0 ? null : button}
      </div>
      {hint === undefined ? null : <p className="muted">{hint}</p>}
      <ItemList
        resource={entries}
        keyOf={({ kind, id }) => `${kind} ${id}`}
        empty={
          <EmptyState title={t("nothingGranted")} actions={button}>
            {explanation}
          </EmptyState>
        }
      >
        {(entry) => (
          <ItemRow
            icon={entry.kind === "team" ? <UsersRound size={18} aria-hidden /> : <Avatar name={entry.name} />}
            title={entry.name}
            details={entry.detail === entry.name ? undefined : entry.detail}
            controls={
              <RoleSelect
                label={t("roleOf", { name: entry.name })}
                value={entry.role}
                onChange={(role) => void changeRole(shareable, entry, role)}
              />
            }
            actions={[
              {
                id: "remove",
                label: common("remove"),
                isDangerous: true,
                run: () => void changeRole(shareable, entry, null)
              }
            ]}
          />
        )}
      </ItemList>
    </section>
  )
}
