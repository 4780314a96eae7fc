/** The parts that the forms of all identity providers have. */
import type { Role } from "@lectern/client/fetch"
import { SelectField } from "../../components/fields.tsx"
import { RoleField } from "../../components/RoleField.tsx"
import { useStrings } from "../../strings/strings.ts"
import { useTeams } from "./data.ts"
import { serviceStrings } from "./serviceStrings.ts"

/** Returns a field of a payload, unless its text is empty. */
export const given = (name: string, text: string): Readonly<Record<string, string>> =>
  text.trim() === "" ? {} : { [name]: text.trim() }

/** Properties of {@link NewMemberFields}. */
export interface NewMemberFieldsProps {
  readonly role: Role | null
  readonly onChangeRole: (role: Role | null) => void
  /** The id of the team; empty for none. */
  readonly team: string
  readonly onChangeTeam: (team: string) => void
}

/** The role and the team of new members. */
export const NewMemberFields = ({ role, onChangeRole, team, onChangeTeam }: NewMemberFieldsProps) => {
  const t = useStrings(serviceStrings)
  const teams = useTeams()
  return (
    <>
      <RoleField label={t("newMemberRole")} hasGuest value={role} onChange={onChangeRole} />
      <SelectField
        label={t("newMemberTeam")}
        value={team}
        options={[
          { value: "", label: t("noTeam") },
          ...(teams.data ?? []).map(({ id, title }) => ({ value: id, label: title }))
        ]}
        onChange={onChangeTeam}
      />
    </>
  )
}
