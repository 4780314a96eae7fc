/** The links that a change request breaks, in words. */
import type { ChangeRequest } from "@lectern/client/fetch"
import { useBrokenLinks } from "../../data/files.ts"
import { Link } from "../../router/Link.tsx"
import { useStrings } from "../../strings/strings.ts"
import { reviewStrings } from "./reviewStrings.ts"

/** The number of links that a change request breaks, with their list. Nothing if it breaks none. */
export const BrokenLinks = ({ request: { space, number } }: { readonly request: ChangeRequest }) => {
  const t = useStrings(reviewStrings)
  const { data: count = 0 } = useBrokenLinks({ spaceId: space, change: String(number) })
  if (count === 0) return null
  return (
    <p>
      {t("brokenLinks", { count })}{" "}
      <Link to={`/spaces/${space}/changes/${number}/links`}>{t("seeBrokenLinks")}</Link>
    </p>
  )
}
