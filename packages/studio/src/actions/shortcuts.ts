/** Keyboard shortcuts: single keys such as `e`, sequences such as `g h`, and combinations such as `mod+k`. */
import { useEffect } from "react"
import { type Action, currentContextActions } from "./actions.ts"
import { isTypedForLostField } from "./lostField.ts"

const isMac = /Mac|iPhone|iPad/.test(navigator.platform)

/** How long the second key of a sequence may take, in milliseconds. */
const sequenceMs = 1_200

/** Returns the keys of a shortcut as they are displayed, such as `⌘K` or `Ctrl+K`. */
export const formatShortcut = (shortcut: string): string =>
  shortcut
    .split(" ")
    .map((part) =>
      part
        .split("+")
        .map((key) => {
          if (key === "mod") return isMac ? "⌘" : "Ctrl"
          if (key === "alt") return isMac ? "⌥" : "Alt"
          if (key === "shift") return isMac ? "⇧" : "Shift"
          return key.length === 1 ? key.toUpperCase() : key
        })
        .join(isMac ? "" : "+")
    )
    .join(" ")

/** Returns the combination of an event. Ctrl with Alt is AltGr on many keyboards, which types characters. */
const combinationOf = (event: KeyboardEvent): string | undefined => {
  if (event.ctrlKey && event.altKey) return undefined
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
  const isModified = isMac ? event.metaKey : event.ctrlKey
  // Shift is part of the character itself, such as "?", unless there is another modifier.
  const shift = event.shiftKey && (isModified || event.altKey || key.length > 1) ? "shift+" : ""
  return `${isModified ? "mod+" : ""}${event.altKey ? "alt+" : ""}${shift}${key}`
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

const isInDialog = (): boolean => document.querySelector("[role=dialog], [role=alertdialog]") !== null

/** Listens to shortcuts. `always` returns the actions that are possible in dialogs and while typing, too. */
export const useShortcuts = (
  always: () => ReadonlyArray<Action>,
  everywhere: () => ReadonlyArray<Action>
): void => {
  useEffect(() => {
    let first: string | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return
      const combination = combinationOf(event)
      if (combination === undefined) return
      const run = (actions: ReadonlyArray<Action>, shortcut: string): boolean => {
        const action = actions.find((candidate) => candidate.shortcut === shortcut)
        if (action === undefined) return false
        event.preventDefault()
        action.run()
        return true
      }
      if (run(always(), combination)) return
      if (isInDialog()) return
      const actions = [...currentContextActions(), ...everywhere()]
      const isModified = combination.startsWith("mod+") || combination.startsWith("alt+")
      if (!isModified && (isTypedForLostField(event) || isTyping(event.target))) return
      const sequence = first === undefined ? undefined : `${first} ${combination}`
      clearTimeout(timer)
      first = undefined
      if (sequence !== undefined && run(actions, sequence)) return
      if (run(actions, combination)) return
      if (actions.some(({ shortcut }) => shortcut?.startsWith(`${combination} `) === true)) {
        first = combination
        timer = setTimeout(() => {
          first = undefined
        }, sequenceMs)
      }
    }
    window.addEventListener("keydown", onKeyDown)
    return () => {
      clearTimeout(timer)
      window.removeEventListener("keydown", onKeyDown)
    }
  }, [always, everywhere])
}
