/** The right panel: one at a time, named by the address, such as `?panel=comments`. */

import type { ReactNode } from "react"
import { useActions } from "../actions/actions.ts"
import { X } from "../icons/icons.gen.ts"
import { navigate, useAddress, withQuery } from "../router/location.ts"
import { shellStrings } from "../strings/shell.ts"
import { useStrings } from "../strings/strings.ts"
import { IconButton } from "./Button.tsx"

/** Returns the name of the open panel, and a function that opens another one or closes it. */
export const usePanel = (): readonly [string | undefined, (name: string | undefined) => void] => {
  const address = useAddress()
  return [
    address.query.get("panel") ?? undefined,
    (name) => navigate(withQuery(address, "panel", name), { replace: true })
  ]
}

/** Properties of {@link Panel}. */
export interface PanelProps {
  readonly title: string
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A panel at the right of the screen, with a title and a button that closes it. */
export const Panel = ({ title, actions, children }: PanelProps) => {
  const t = useStrings(shellStrings)
  const [, setPanel] = usePanel()
  const close = () => setPanel(undefined)
  useActions([{ id: "panel.close", label: t("closePanel"), shortcut: "Escape", run: close }])
  return (
    <aside className="panel" aria-label={title}>
      <header className="panel-header">
        <h2>{title}</h2>
        {actions}
        <IconButton label={t("closePanel")} icon={<X size={18} />} onPress={close} />
      </header>
      <div className="panel-body">{children}</div>
    </aside>
  )
}
