/** Explains why a person can see a site: by the membership, by the role on it, and by the audience of the published pages. */
import type { Role, Site } from "@lectern/client/fetch"
import { roleName } from "../../components/RoleField.tsx"
import { Loaded } from "../../components/states.tsx"
import { useResource } from "../../data/useResource.ts"
import { commonStrings } from "../../strings/common.ts"
import { useStrings } from "../../strings/strings.ts"
import { loadSiteAccess } from "./accessData.ts"
import type { AccessPerson } from "./explainAccess.ts"
import { explainSiteAccess } from "./explainSiteAccess.ts"
import { PersonQuestion } from "./PersonQuestion.tsx"
import { siteAccessStrings } from "./siteAccessStrings.ts"

interface ExplanationProps {
  readonly name: string
  readonly person: AccessPerson
  readonly granted: Role | null
  readonly site: Site
}

const Explanation = ({ name, person, granted, site }: ExplanationProps) => {
  const t = useStrings(siteAccessStrings)
  const common = useStrings(commonStrings)
  const { application, pages } = explainSiteAccess(person, site, granted)
  const isSeen = application !== "disabled" && application !== "guest"
  return (
    <div role="status" className={isSeen ? "notice notice-success" : "notice"}>
      <p>
        <strong>
          {application === "edits" || application === "granted"
            ? t(`app-${application}`, {
                name,
                role: roleName(application === "edits" ? person.role : granted, common)
              })
            : t(`app-${application}`, { name })}
        </strong>
      </p>
      {pages.map((reason) => (
        <p key={reason} className="small">
          {t(`pages-${reason}`)}
        </p>
      ))}
    </div>
  )
}

interface ReasonsProps {
  readonly site: Site
  readonly organization: string
  readonly userId: string
  readonly name: string
}

const Reasons = ({ site, organization, userId, name }: ReasonsProps) => {
  const access = useResource(`access/${site.id}/why/${userId}`, (signal) =>
    loadSiteAccess({ kind: "site", value: site, organization }, userId, signal)
  )
  return <Loaded resource={access}>{(known) => <Explanation name={name} site={site} {...known} />}</Loaded>
}

/** Explains the access of a person to a site. The person is chosen first. */
export const WhySiteAccess = ({
  site,
  organization
}: {
  readonly site: Site
  readonly organization: string
}) => {
  const t = useStrings(siteAccessStrings)
  return (
    <PersonQuestion title={t("why")}>
      {({ id, name }) => <Reasons site={site} organization={organization} userId={id} name={name} />}
    </PersonQuestion>
  )
}
