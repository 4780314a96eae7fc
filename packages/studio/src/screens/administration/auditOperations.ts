/** The names of the operations in the audit log. */
import { useMemo } from "react"
import { useStore } from "../../store/store.ts"
import { localeStore } from "../../strings/strings.ts"
import { auditContentStrings } from "./auditContentStrings.ts"
import { auditPeopleStrings } from "./auditPeopleStrings.ts"

const prefix = "operation-"

const useNames = (): ReadonlyMap<string, string> => {
  const locale = useStore(localeStore)
  return useMemo(
    () =>
      new Map(
        Object.entries({ ...auditContentStrings[locale], ...auditPeopleStrings[locale] }).flatMap(
          ([key, text]) => (key.startsWith(prefix) ? [[key.slice(prefix.length), String(text)]] : [])
        )
      ),
    [locale]
  )
}

/**
 * Returns a function that describes operations. Operations of a host, and denied requests that only read, have no description.
 */
export const useOperationNames = (): ((operation: string) => string | undefined) => {
  const names = useNames()
  return (operation) => names.get(operation)
}

/** The operations with a name, in the order of their names. */
export const useNamedOperations = (): ReadonlyArray<{ readonly value: string; readonly label: string }> => {
  const locale = useStore(localeStore)
  const names = useNames()
  return useMemo(
    () =>
      Array.from(names, ([value, label]) => ({ value, label })).sort((one, other) =>
        one.label.localeCompare(other.label, locale)
      ),
    [names, locale]
  )
}
