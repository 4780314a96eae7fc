/** The names of the operations in the audit log. */
import { useStore } from "../../store/store.ts"
import { localeStore } from "../../strings/strings.ts"
import { auditContentStrings } from "./auditContentStrings.ts"
import { auditPeopleStrings } from "./auditPeopleStrings.ts"

/**
 * Returns a function that describes operations. Operations of a host, and denied requests that only read, have no description.
 */
export const useOperationNames = (): ((operation: string) => string | undefined) => {
  const locale = useStore(localeStore)
  const texts: Readonly<Record<string, string>> = {
    ...auditContentStrings[locale],
    ...auditPeopleStrings[locale]
  }
  return (operation) => texts[`operation-${operation}`]
}
