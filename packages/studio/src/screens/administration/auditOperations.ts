/** The names of the operations in the audit log. */
import { useMemo } from "react"
import { useStore } from "../../store/store.ts"
import { localeStore } from "../../strings/strings.ts"
import { auditContentStrings } from "./auditContentStrings.ts"
import { auditPeopleStrings } from "./auditPeopleStrings.ts"

const useTexts = (): Readonly<Record<string, string>> => {
  const locale = useStore(localeStore)
  return useMemo(() => ({ ...auditContentStrings[locale], ...auditPeopleStrings[locale] }), [locale])
}

/**
 * Returns a function that describes operations. Operations of a host, and denied requests that only read, have no description.
 */
export const useOperationNames = (): ((operation: string) => string | undefined) => {
  const texts = useTexts()
  return (operation) => texts[`operation-${operation}`]
}

const prefix = "operation-"

/** The operations with a name, in the order of their names. */
export const useNamedOperations = (): ReadonlyArray<{ readonly value: string; readonly label: string }> => {
  const locale = useStore(localeStore)
  const texts = useTexts()
  return useMemo(
    () =>
      Object.entries(texts)
        .filter(([key]) => key.startsWith(prefix))
        .map(([key, label]) => ({ value: key.slice(prefix.length), label }))
        .sort((one, other) => one.label.localeCompare(other.label, locale)),
    [texts, locale]
  )
}
