/** The field of the command palette while its code is loaded: the keys that are typed in the meantime are its query. */
import { useLayoutEffect, useState } from "react"
import { shellStrings } from "../strings/shell.ts"
import { useStrings } from "../strings/strings.ts"
import { focusBeforePalette, isPaletteOpen, typedQuery } from "./shellState.ts"

/** The field of the command palette while its code is loaded. */
export const PendingPalette = () => {
  const t = useStrings(shellStrings)
  const [before] = useState(() => document.activeElement)
  useLayoutEffect(
    () => () => {
      if (before instanceof HTMLElement) focusBeforePalette.set(before)
    },
    [before]
  )
  return (
    <div className="overlay overlay-top">
      <div className="palette" role="dialog" aria-label={t("searchEverything")} aria-busy>
        <section>
          <input
            className="palette-input"
            // biome-ignore lint/a11y/noAutofocus: the shortcut opens the field to type into it.
            autoFocus
            aria-label={t("searchEverything")}
            autoComplete="off"
            spellCheck={false}
            placeholder={t("palettePlaceholder")}
            onChange={(event) => typedQuery.set(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === "Escape") isPaletteOpen.set(false)
            }}
          />
        </section>
      </div>
    </div>
  )
}
