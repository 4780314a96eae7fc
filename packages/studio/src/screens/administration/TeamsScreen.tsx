/** The teams of the organization. */
import type { Organization } from "@lectern/client/fetch"
import { Button } from "../../components/Button.tsx"
import { ItemList, ItemRow } from "../../components/ItemList.tsx"
import { EmptyState } from "../../components/states.tsx"
import { Plus, UsersRound } from "../../icons/icons.gen.ts"
import { useStrings } from "../../strings/strings.ts"
import { useTeams } from "./data.ts"
import { OrganizationFrame } from "./OrganizationFrame.tsx"
import { peopleStrings } from "./peopleStrings.ts"
import { openTeam } from "./TeamDialog.tsx"

const NewTeam = ({ organization }: { readonly organization: Organization }) => {
  const t = useStrings(peopleStrings)
  if (!organization.permissions.admin) return null
  return (
    <Button variant="primary" icon={<Plus size={16} />} onPress={() => openTeam(organization)}>
      {t("newTeam")}
    </Button>
  )
}

/** The teams of the organization. */
const TeamsScreen = () => {
  const t = useStrings(peopleStrings)
  const teams = useTeams()
  return (
    <OrganizationFrame
      title={t("teams")}
      isPermitted={({ listTeams }) => listTeams}
      actions={(organization) => (teams.data?.length === 0 ? null : <NewTeam organization={organization} />)}
    >
      {(organization) => (
        <ItemList
          resource={teams}
          keyOf={({ id }) => id}
          empty={
            <EmptyState
              icon={<UsersRound />}
              title={t("noTeams")}
              actions={<NewTeam organization={organization} />}
            >
              {t("noTeamsBody")}
            </EmptyState>
          }
        >
          {(team) => (
            <ItemRow
              icon={<UsersRound size={18} aria-hidden />}
              title={team.title}
              to={`/organization/teams/${team.id}`}
              details={
                <>
                  <span>{t("memberCount", { count: team.members })}</span>
                  <span>{t("sharedSpaces", { count: team.spaces })}</span>
                </>
              }
            />
          )}
        </ItemList>
      )}
    </OrganizationFrame>
  )
}

export default TeamsScreen
