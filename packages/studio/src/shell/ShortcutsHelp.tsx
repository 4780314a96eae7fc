/** The list of all shortcuts that work here. */

import { type Action, currentContextActions } from "../actions/actions.ts"
import { formatShortcut } from "../actions/shortcuts.ts"
import { Dialog } from "../components/Dialog.tsx"
import { shellStrings } from "../strings/shell.ts"
import { useStrings } from "../strings/strings.ts"
import { globalActions } from "./Shell.tsx"

const hasShortcut = (action: Action): action is Action & { readonly shortcut: string } =>
  action.shortcut !== undefined

/** The dialog with the shortcuts of the screen and of the application. */
const ShortcutsHelp = ({ onClose }: { readonly onClose: () => void }) => {
  const t = useStrings(shellStrings)
  const palette = { id: "palette", label: t("searchEverything"), shortcut: "mod+k", run: () => undefined }
  const actions = [...currentContextActions(), palette, ...globalActions()].filter(hasShortcut)
  return (
    <Dialog title={t("shortcuts")} onClose={onClose}>
      <div className="dialog-body">
        <p className="muted">{t("shortcutsHint")}</p>
        <dl className="shortcuts">
          {actions.map(({ id, label, shortcut }) => (
            <div key={id}>
              <dt>{label}</dt>
              <dd>
                {formatShortcut(shortcut)
                  .split(" ")
                  .map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </Dialog>
  )
}

export default ShortcutsHelp
