/** Links of a sidebar or of a screen as actions, so that the command palette contains them. */
import { navigate } from "../router/location.ts"
import { useActions } from "./actions.ts"

/** A link that is displayed. */
export interface LinkAction {
  readonly to: string
  readonly label: string
  readonly shortcut?: string
}

/** Offers links in the command palette and by their shortcuts, for as long as the component is displayed. */
export const useLinkActions = (links: ReadonlyArray<LinkAction>): void =>
  useActions(
    links.map(({ to, label, shortcut }) => ({
      id: `link ${label} ${to}`,
      label,
      shortcut,
      run: () => navigate(to)
    }))
  )
