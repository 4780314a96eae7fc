/** The links of a space to its imports, its Git synchronization, its exports and the people with access. */
import type { Space } from "@lectern/client/fetch"
import { useLinkActions } from "../actions/useLinkActions.ts"
import { Download, FileInput, GitBranch, Users } from "../icons/icons.gen.ts"
import { Link } from "../router/Link.tsx"
import { type Translate, useStrings } from "../strings/strings.ts"
import { administrationNames } from "./administrationNames.ts"

const linksOf = ({ permissions, id }: Space, t: Translate<(typeof administrationNames)["en"]>) =>
  [
    { path: `/spaces/${id}/import`, icon: FileInput, text: t("import"), isPermitted: permissions.edit },
    { path: `/spaces/${id}/sync`, icon: GitBranch, text: t("sync"), isPermitted: permissions.triggerGitSync },
    { path: `/spaces/${id}/export`, icon: Download, text: t("export"), isPermitted: permissions.access },
    { path: `/spaces/${id}/permissions`, icon: Users, text: t("people"), isPermitted: permissions.admin }
  ].filter(({ isPermitted }) => isPermitted)

/** Links to the screens that the person can use, as items of a list. */
export const ManageLinks = ({ space }: { readonly space: Space | undefined }) => {
  const t = useStrings(administrationNames)
  const links = space === undefined ? [] : linksOf(space, t)
  useLinkActions(links.map(({ path, text }) => ({ to: path, label: text })))
  return links.map(({ path, icon: Icon, text }) => (
    <li key={path}>
      <Link to={path}>
        <Icon size={16} aria-hidden />
        {text}
      </Link>
    </li>
  ))
}
