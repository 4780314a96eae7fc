/** The links of the start page to the sites, the API specifications and the administration of the organization. */

import { useOrganization } from "../data/organization.ts"
import { Braces, Building2, Globe } from "../icons/icons.gen.ts"
import { Link } from "../router/Link.tsx"
import { useStrings } from "../strings/strings.ts"
import { administrationNames } from "./administrationNames.ts"
import { siteNames } from "./siteNames.ts"
import { specNames } from "./specNames.ts"

/** Items of a list of links. */
export const OrganizationLinks = () => {
  const t = useStrings(administrationNames)
  const sites = useStrings(siteNames)
  const specs = useStrings(specNames)
  const { data: organization } = useOrganization()
  return (
    <>
      <li>
        <Link to="/sites">
          <Globe size={16} aria-hidden />
          {sites("sites")}
        </Link>
      </li>
      <li>
        <Link to="/specs">
          <Braces size={16} aria-hidden />
          {specs("specs")}
        </Link>
      </li>
      {organization?.permissions.listMembers === true ? (
        <li>
          <Link to="/organization/members">
            <Building2 size={16} aria-hidden />
            {t("organization")}
          </Link>
        </li>
      ) : null}
    </>
  )
}
