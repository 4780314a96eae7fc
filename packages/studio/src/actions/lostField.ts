/** Whether the field that had the focus was removed: a person who types on must not run actions by single keys. */

let isLost = false

/** Notes that the focus has moved. */
export const noteFocus = (): void => {
  isLost = false
}

/** Notes that the form or the field with the focus was removed, after the focus was moved to another element. */
export const noteLostField = (): void => {
  isLost = true
}

const deliberateKeys = /^(Tab|Escape|Arrow|Home|End|Page)/

/** Whether a key is typed for a field that was removed. A key that moves ends the wait, as does a pointer. */
export const isTypedForLostField = ({ key }: Pick<KeyboardEvent, "key">): boolean => {
  if (deliberateKeys.test(key)) isLost = false
  return isLost
}

window.addEventListener("pointerdown", noteFocus, true)
