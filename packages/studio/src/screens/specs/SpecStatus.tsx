/** The state of an API specification. */
import type { OpenAPISpec } from "@lectern/client/fetch"
import { useStrings } from "../../strings/strings.ts"
import { isProcessing } from "./data.ts"
import { specStrings } from "./strings.ts"

/** Whether a specification is being read, is readable, and has problems. */
export const SpecStatus = ({ spec }: { readonly spec: OpenAPISpec }) => {
  const t = useStrings(specStrings)
  if (isProcessing(spec)) return <span className="tag tag-primary">{t("processing")}</span>
  if (spec.lastProcessErrorCode !== undefined) return <span className="tag tag-danger">{t("failed")}</span>
  return (spec.lastProcessedErrors?.length ?? 0) > 0 ? (
    <span className="tag tag-warning">{t("warnings")}</span>
  ) : (
    <span className="tag tag-success">{t("ready")}</span>
  )
}
