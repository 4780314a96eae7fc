/** The dialogs that create and rename a team. */
import type { Organization, Team } from "@lectern/client/fetch"
import { useState } from "react"
import { FormDialog } from "../../components/FormDialog.tsx"
import { TextField } from "../../components/fields.tsx"
import { openDialog } from "../../components/openDialog.tsx"
import { invalidate } from "../../data/cache.ts"
import { navigate } from "../../router/location.ts"
import { client } from "../../session.ts"
import { commonStrings } from "../../strings/common.ts"
import { useStrings } from "../../strings/strings.ts"
import { keyIn } from "./data.ts"
import { peopleStrings } from "./peopleStrings.ts"

interface TeamDialogProps {
  readonly organization: Organization
  readonly team: Team | undefined
  readonly onClose: () => void
}

const TeamDialog = ({ organization, team, onClose }: TeamDialogProps) => {
  const t = useStrings(peopleStrings)
  const common = useStrings(commonStrings)
  const [title, setTitle] = useState(team?.title ?? "")
  const onSubmit = async () => {
    const params = { organizationId: organization.id }
    const payload = { title: title.trim() }
    const stored =
      team === undefined
        ? await client.teams.createOrganizationTeam({ params, payload })
        : await client.teams.updateTeamInOrganizationById({ params: { ...params, teamId: team.id }, payload })
    invalidate(keyIn(organization.id, "teams"))
    if (team === undefined) navigate(`/organization/teams/${stored.id}`)
  }
  return (
    <FormDialog
      title={team === undefined ? t("newTeam") : common("rename")}
      submit={team === undefined ? common("create") : common("save")}
      isDisabled={title.trim() === ""}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      {(errorOf) => (
        <TextField
          label={common("title")}
          autoFocus
          maxLength={64}
          value={title}
          onChange={setTitle}
          error={errorOf("title")}
        />
      )}
    </FormDialog>
  )
}

/** Opens the dialog that creates a team, or renames one. */
export const openTeam = (organization: Organization, team?: Team): void =>
  openDialog((onClose) => <TeamDialog organization={organization} team={team} onClose={onClose} />)
