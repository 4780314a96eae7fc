/** The limits of a token, and the time of its last use. */
import { commonStrings } from "../../strings/common.ts"
import { useFormats } from "../../strings/formats.ts"
import { useStrings } from "../../strings/strings.ts"
import { programStrings } from "./programStrings.ts"

/** A token, of the person or of the organization. */
export interface TokenLike {
  readonly readOnly: boolean
  readonly permissions?: ReadonlyArray<string>
  readonly expiresAt?: string
  readonly lastUsedAt?: string
}

/** The limits of a token, and the time of its last use. */
export const TokenDetails = ({ token }: { readonly token: TokenLike }) => {
  const t = useStrings(programStrings)
  const common = useStrings(commonStrings)
  const { ago } = useFormats()
  return (
    <>
      <span>
        {token.expiresAt === undefined
          ? common("noExpiry")
          : common("expires", { time: ago(token.expiresAt) })}
      </span>
      <span>
        {token.lastUsedAt === undefined
          ? common("neverUsed")
          : common("lastUsed", { time: ago(token.lastUsedAt) })}
      </span>
      {token.permissions === undefined ? null : (
        <span>{t("permissionCount", { count: token.permissions.length })}</span>
      )}
      {token.readOnly ? <span>{t("readOnly")}</span> : null}
    </>
  )
}
