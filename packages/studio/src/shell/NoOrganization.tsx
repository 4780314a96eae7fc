/** The screen of a person who is in no organization, instead of the screens that display one. */
import { ButtonLink } from "../components/Button.tsx"
import { EmptyState } from "../components/states.tsx"
import { useDeletedOrganizations } from "../data/organization.ts"
import { Building2 } from "../icons/icons.gen.ts"
import { useStrings } from "../strings/strings.ts"
import { noOrganizationStrings } from "./noOrganizationStrings.ts"

/** States that the person is in no organization, with the ways to one. */
const NoOrganization = () => {
  const t = useStrings(noOrganizationStrings)
  const deleted = useDeletedOrganizations().data?.items ?? []
  const [before, after] = t("body", { command: "\u0000" }).split("\u0000")
  return (
    <EmptyState
      icon={<Building2 />}
      title={t("title")}
      actions={
        deleted.length === 0 ? undefined : (
          <ButtonLink to="/trash" variant="primary">
            {t("trash")}
          </ButtonLink>
        )
      }
    >
      {before}
      <code>npx lectern org create</code>
      {after}
    </EmptyState>
  )
}

export default NoOrganization
