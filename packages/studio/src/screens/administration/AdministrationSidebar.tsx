/** The left column of the administration. */

import { useOrganization } from "../../data/organization.ts"
import {
  ArrowLeft,
  Bell,
  Blocks,
  Building2,
  CircleUser,
  Fingerprint,
  Key,
  KeyRound,
  Link2,
  type LucideIcon,
  MonitorSmartphone,
  Plug,
  ScrollText,
  ShieldCheck,
  Trash2,
  UserCog,
  Users,
  UsersRound,
  Webhook
} from "../../icons/icons.gen.ts"
import { personNames } from "../../navigation/personNames.ts"
import { Link } from "../../router/Link.tsx"
import { notificationStrings } from "../../strings/notifications.ts"
import { shellStrings } from "../../strings/shell.ts"
import { useStrings } from "../../strings/strings.ts"
import { peopleStrings } from "./peopleStrings.ts"
import { programStrings } from "./programStrings.ts"
import { provisioningStrings } from "./provisioningStrings.ts"

interface Place {
  readonly to: string
  readonly icon: LucideIcon
  readonly text: string
  readonly isPermitted: boolean
}

const Places = ({ title, places }: { readonly title: string; readonly places: ReadonlyArray<Place> }) => {
  const permitted = places.filter(({ isPermitted }) => isPermitted)
  if (permitted.length === 0) return null
  return (
    <div className="sidebar-section">
      <div className="sidebar-heading">
        <span>{title}</span>
      </div>
      <ul className="nav-list">
        {permitted.map(({ to, icon: Icon, text }) => (
          <li key={to}>
            <Link to={to}>
              <Icon size={16} aria-hidden />
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The left column of the administration: the places that the person may open. */
const AdministrationSidebar = () => {
  const t = useStrings(peopleStrings)
  const programs = useStrings(programStrings)
  const provisioning = useStrings(provisioningStrings)
  const shell = useStrings(shellStrings)
  const person = useStrings(personNames)
  const notifications = useStrings(notificationStrings)
  const { data: organization } = useOrganization()
  const permissions = organization?.permissions
  const isAdmin = permissions?.admin === true
  const base = "/organization"
  return (
    <>
      <div className="sidebar-back">
        <Link to="/">
          <ArrowLeft size={14} aria-hidden />
          {shell("home")}
        </Link>
      </div>
      <div className="sidebar-header">
        {organization === undefined ? null : <h2>{organization.title}</h2>}
      </div>
      <Places
        title={t("people")}
        places={[
          {
            to: `${base}/members`,
            icon: Users,
            text: t("members"),
            isPermitted: permissions?.listMembers === true
          },
          {
            to: `${base}/teams`,
            icon: UsersRound,
            text: t("teams"),
            isPermitted: permissions?.listTeams === true
          },
          { to: `${base}/invites`, icon: Link2, text: t("inviteLinks"), isPermitted: isAdmin },
          { to: `${base}/sign-on`, icon: ShieldCheck, text: programs("signOn"), isPermitted: isAdmin },
          { to: `${base}/provisioning`, icon: UserCog, text: provisioning("title"), isPermitted: isAdmin }
        ]}
      />
      <Places
        title={person("you")}
        places={[
          { to: "/me", icon: CircleUser, text: person("profile"), isPermitted: true },
          {
            to: "/me/notifications",
            icon: Bell,
            text: notifications("title"),
            isPermitted: true
          },
          { to: "/me/sessions", icon: MonitorSmartphone, text: person("sessions"), isPermitted: true },
          { to: "/me/passkeys", icon: Fingerprint, text: person("passkeys"), isPermitted: true },
          { to: "/me/programs", icon: Blocks, text: person("programs"), isPermitted: true },
          { to: "/me/tokens", icon: Key, text: programs("myTokens"), isPermitted: true }
        ]}
      />
      <Places
        title={programs("programs")}
        places={[
          { to: `${base}/tokens`, icon: KeyRound, text: programs("allTokens"), isPermitted: isAdmin },
          { to: `${base}/webhooks`, icon: Webhook, text: programs("webhooks"), isPermitted: isAdmin },
          {
            to: `${base}/integrations`,
            icon: Plug,
            text: programs("integrations"),
            isPermitted: permissions?.listInstallations === true
          }
        ]}
      />
      <Places
        title={t("organization")}
        places={[
          { to: base, icon: Building2, text: t("settings"), isPermitted: isAdmin },
          { to: `${base}/audit`, icon: ScrollText, text: programs("audit"), isPermitted: isAdmin },
          { to: "/trash", icon: Trash2, text: t("trash"), isPermitted: true }
        ]}
      />
    </>
  )
}

export default AdministrationSidebar
