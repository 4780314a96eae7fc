/** The left column of a site: its screens. */
import {
  ArrowLeft,
  ChartColumn,
  Code,
  CornerUpRight,
  LayoutList,
  Palette,
  Settings,
  UserPlus,
  Users
} from "../../icons/icons.gen.ts"
import { administrationNames } from "../../navigation/administrationNames.ts"
import { siteNames } from "../../navigation/siteNames.ts"
import { Link } from "../../router/Link.tsx"
import { useStrings } from "../../strings/strings.ts"
import { useSite } from "./data.ts"
import { insightStrings } from "./insightStrings.ts"
import { scriptStrings } from "./scriptStrings.ts"
import { siteStrings } from "./strings.ts"

/** The left column of a site. */
const SiteSidebar = ({ params }: { readonly params: Readonly<Record<string, string>> }) => {
  const t = useStrings(siteStrings)
  const insight = useStrings(insightStrings)
  const script = useStrings(scriptStrings)
  const administration = useStrings(administrationNames)
  const names = useStrings(siteNames)
  const siteId = params.site ?? ""
  const site = useSite(siteId)
  const base = `/sites/${siteId}`
  const places = [
    { to: base, icon: LayoutList, text: t("structure") },
    { to: `${base}/audience`, icon: Users, text: t("audience") },
    { to: `${base}/look`, icon: Palette, text: t("look") },
    { to: `${base}/redirects`, icon: CornerUpRight, text: t("redirects") },
    { to: `${base}/scripts`, icon: Code, text: script("scripts") },
    { to: `${base}/insights`, icon: ChartColumn, text: insight("insights") },
    ...(site.data?.site.permissions.admin === true
      ? [{ to: `${base}/permissions`, icon: UserPlus, text: administration("people") }]
      : []),
    { to: `${base}/settings`, icon: Settings, text: t("settings") }
  ]
  return (
    <>
      <div className="sidebar-back">
        <Link to="/sites">
          <ArrowLeft size={14} aria-hidden />
          {names("sites")}
        </Link>
      </div>
      <div className="sidebar-header">{site.data === undefined ? null : <h2>{site.data.site.title}</h2>}</div>
      <div className="sidebar-section">
        <ul className="nav-list">
          {places.map(({ to, icon: Icon, text }) => (
            <li key={to}>
              <Link to={to}>
                <Icon size={16} aria-hidden />
                {text}
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </>
  )
}

export default SiteSidebar
