/** Who has access to a site in the application. */
import { NotPermitted } from "../../components/states.tsx"
import { administrationNames } from "../../navigation/administrationNames.ts"
import { useStrings } from "../../strings/strings.ts"
import { accessStrings } from "../administration/accessStrings.ts"
import { Grants } from "../administration/Grants.tsx"
import { WhySiteAccess } from "../administration/WhySiteAccess.tsx"
import { SiteFrame } from "./SiteFrame.tsx"

/** Who has access to a site in the application, and why. */
const SiteAccessScreen = ({ params }: { readonly params: { readonly site: string } }) => {
  const t = useStrings(accessStrings)
  const names = useStrings(administrationNames)
  return (
    <SiteFrame siteId={params.site} title={names("people")} width="text">
      {({ site, params: { organizationId: organization } }) =>
        site.permissions.admin ? (
          <>
            <Grants
              shareable={{ kind: "site", value: site, organization }}
              explanation={t("siteNotGrantedBody")}
              hint={t("siteRoleHint")}
            />
            <WhySiteAccess site={site} organization={organization} />
          </>
        ) : (
          <NotPermitted />
        )
      }
    </SiteFrame>
  )
}

export default SiteAccessScreen
