/** The state of an import run. */
import type { ImportRun } from "@lectern/client/fetch"
import { useStrings } from "../../strings/strings.ts"
import { importStrings } from "./strings.ts"

const statuses = {
  pending: ["tag", "statusPending"],
  "in-progress": ["tag tag-primary", "statusRunning"],
  completed: ["tag tag-success", "statusCompleted"],
  failed: ["tag tag-danger", "statusFailed"],
  cancelled: ["tag tag-warning", "statusCancelled"]
} as const satisfies Readonly<Record<ImportRun["status"], readonly [string, keyof typeof importStrings.en]>>

/** The state of an import run. */
export const RunStatus = ({ status }: { readonly status: ImportRun["status"] }) => {
  const t = useStrings(importStrings)
  const [className, key] = statuses[status]
  return <span className={className}>{t(key)}</span>
}
