/** Asks before a form with changes is left. */
import { useEffect } from "react"
import { guardNavigation } from "../router/location.ts"
import { commonStrings } from "../strings/common.ts"
import { translate } from "../strings/strings.ts"
import { openConfirm } from "./openConfirm.tsx"

/** Asks whether changes are discarded before the person opens another screen or closes the window. */
export const useUnsavedChanges = (hasChanges: boolean): void => {
  useEffect(() => {
    if (!hasChanges) return
    const onClose = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener("beforeunload", onClose)
    const stop = guardNavigation((leave) =>
      openConfirm({
        title: translate(commonStrings, "discardTitle"),
        body: translate(commonStrings, "discardBody"),
        confirm: translate(commonStrings, "discard"),
        run: leave
      })
    )
    return () => {
      stop()
      window.removeEventListener("beforeunload", onClose)
    }
  }, [hasChanges])
}
