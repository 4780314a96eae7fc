/** Who has access to a space or a collection: the default role, people and teams. */
import type { Role, Space } from "@lectern/client/fetch"
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
import { roles } from "../../data/roles.ts"
import { useResource } from "../../data/useResource.ts"
import { UserPlus, UsersRound } from "../../icons/icons.gen.ts"
import { commonStrings } from "../../strings/common.ts"
import { translate, useStrings } from "../../strings/strings.ts"
import {
  accessKey,
  type Content,
  type Grantee,
  grant,
  listTeams,
  listUsers,
  setDefaultLevel
} from "./accessData.ts"
import { accessStrings } from "./accessStrings.ts"
import { useMembers, useTeams } from "./data.ts"
import { WhyAccess } from "./WhyAccess.tsx"

interface Entry extends Grantee {
  readonly name: string
  readonly detail: string | undefined
  readonly role: Role
}

const useEntries = (content: Content) =>
  useResource(`${accessKey(content)}/entries`, async (signal): Promise<ReadonlyArray<Entry>> => {
    const [users, teams] = await Promise.all([listUsers(content, signal), listTeams(content, signal)])
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

const changeRole = (content: Content, entry: Entry, role: Role | null) =>
  runChange({
    send: () => grant(content, entry, role),
    message:
      role === null
        ? translate(accessStrings, "accessRemoved", { name: entry.name })
        : translate(accessStrings, "accessChanged", { name: entry.name, role: roleName(role) }),
    failure: translate(accessStrings, "accessNotChanged", { name: entry.name }),
    undo: () => grant(content, entry, entry.role),
    invalidates: [accessKey(content)]
  })

const ShareDialog = ({
  content,
  present,
  onClose
}: {
  readonly content: Content
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
      title={t("share", { title: content.value.title })}
      submit={t("shareAction")}
      isDisabled={id === ""}
      onSubmit={async () => {
        await grant(content, { kind: kind === "team" ? "team" : "user", id }, role)
        invalidate(accessKey(content))
      }}
      onClose={onClose}
    >
      {() => (
        <>
          <SelectField label={t("personOrTeam")} value={value} options={options} onChange={setChosen} />
          <RoleField label={t("roleOnContent")} value={role} onChange={setRole} />
        </>
      )}
    </FormDialog>
  )
}

const toLevel = (value: string): Space["defaultLevel"] =>
  value === "inherit" ? "inherit" : (roles.find((role) => role === value) ?? null)

const DefaultLevelField = ({ content }: { readonly content: Content }) => {
  const t = useStrings(accessStrings)
  const common = useStrings(commonStrings)
  const { value: known } = content
  const change = (level: Space["defaultLevel"]) =>
    void runChange({
      send: () => setDefaultLevel(content, level),
      message: t("defaultChanged"),
      failure: t("defaultNotChanged"),
      undo: () => setDefaultLevel(content, known.defaultLevel),
      invalidates: [
        `${content.kind}s/${known.id}`,
        `organizations/${known.organization}/${content.kind}s`,
        accessKey(content)
      ]
    })
  return (
    <section className="section">
      <SelectField
        label={t("defaultLevel")}
        description={t("defaultLevelHint")}
        value={known.defaultLevel ?? "none"}
        options={[
          { value: "inherit", label: known.parent === undefined ? t("inheritRole") : t("inherit") },
          { value: "none", label: t("nobody") },
          ...roles.map((role) => ({ value: role, label: roleName(role, common) }))
        ]}
        onChange={(level) => change(toLevel(level))}
      />
    </section>
  )
}

/** Who has access to content, and why. */
export const Access = ({ content }: { readonly content: Content }) => {
  const t = useStrings(accessStrings)
  const common = useStrings(commonStrings)
  const entries = useEntries(content)
  const share = () => {
    const present = new Set((entries.data ?? []).map(({ kind, id }) => `${kind} ${id}`))
    openDialog((onClose) => <ShareDialog content={content} present={present} onClose={onClose} />)
  }
  const button = (
    <Button variant="primary" icon={<UserPlus size={16} />} onPress={share}>
      {t("shareAction")}
    </Button>
  )
  return (
    <>
      <DefaultLevelField content={content} />
      <section className="section">
        <div className="section-header">
          <h2>{t("granted")}</h2>
          {entries.data?.length === 0 ? null : button}
        </div>
        <ItemList
          resource={entries}
          keyOf={({ kind, id }) => `${kind} ${id}`}
          empty={
            <EmptyState title={t("nothingGranted")} actions={button}>
              {t("nothingGrantedBody")}
            </EmptyState>
          }
        >
          {(entry) => (
            <ItemRow
              icon={
                entry.kind === "team" ? <UsersRound size={18} aria-hidden /> : <Avatar name={entry.name} />
              }
              title={entry.name}
              details={entry.detail === entry.name ? undefined : entry.detail}
              controls={
                <RoleSelect
                  label={t("roleOf", { name: entry.name })}
                  value={entry.role}
                  onChange={(role) => void changeRole(content, entry, role)}
                />
              }
              actions={[
                {
                  id: "remove",
                  label: common("remove"),
                  isDangerous: true,
                  run: () => void changeRole(content, entry, null)
                }
              ]}
            />
          )}
        </ItemList>
      </section>
      <WhyAccess content={content} />
    </>
  )
}
