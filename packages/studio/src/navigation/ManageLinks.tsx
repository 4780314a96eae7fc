/** The links of a space to its imports, its Git synchronization, its exports and the people with access. */
import type { Space } from "@lectern/client/fetch"
import { Download, FileInput, GitBranch, Users } from "lucide-react"
import { Link } from "../router/Link.tsx"
import { useStrings } from "../strings/strings.ts"
import { administrationNames } from "./administrationNames.ts"

/** Links to the screens that the person can use, as items of a list. */
export const ManageLinks = ({ space }: { readonly space: Space | undefined }) => {
  const t = useStrings(administrationNames)
  if (space === undefined) return null
  const { permissions, id } = space
  const links = [
    { to: "import", icon: FileInput, text: t("import"), isPermitted: permissions.edit },
    { to: "sync", icon: GitBranch, text: t("sync"), isPermitted: permissions.triggerGitSync },
    { to: "export", icon: Download, text: t("export"), isPermitted: permissions.access },
    { to: "permissions", icon: Users, text: t("people"), isPermitted: permissions.admin }
  ].filter(({ isPermitted }) => isPermitted)
  return links.map(({ to, icon: Icon, text }) => (
    <li key={to}>
      <Link to={`/spaces/${id}/${to}`}>
        <Icon size={16} aria-hidden />
        {text}
      </Link>
    </li>
  ))
}
