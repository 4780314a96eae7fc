/** The API tokens of the person. */
import type { ApiToken } from "@lectern/client/fetch"
import { Button } from "../../components/Button.tsx"
import { ItemList, ItemRow } from "../../components/ItemList.tsx"
import { openConfirm } from "../../components/openConfirm.tsx"
import { ScreenFrame } from "../../components/Screen.tsx"
import { EmptyState } from "../../components/states.tsx"
import { runChange } from "../../data/change.ts"
import { useList } from "../../data/lists.ts"
import { useOrganization } from "../../data/organization.ts"
import { Key, Plus } from "../../icons/icons.gen.ts"
import { client } from "../../session.ts"
import { translate, useStrings } from "../../strings/strings.ts"
import { programStrings } from "./programStrings.ts"
import { TokenDetails } from "./TokenDetails.tsx"
import { openNewToken, openTokenSecret, tokensKey } from "./TokenDialog.tsx"

const openRevoke = ({ id: tokenId, label }: ApiToken): void =>
  openConfirm({
    title: translate(programStrings, "revokeTitle", { label }),
    body: translate(programStrings, "revokeBody"),
    confirm: translate(programStrings, "revoke"),
    run: () =>
      void runChange({
        send: () => client.tokens.revokeApiToken({ params: { tokenId } }),
        message: translate(programStrings, "revokedMessage", { label }),
        failure: translate(programStrings, "notRevoked"),
        invalidates: [tokensKey]
      })
  })

const openRotate = ({ id: tokenId, label }: ApiToken): void =>
  openConfirm({
    title: translate(programStrings, "rotateTitle", { label }),
    body: translate(programStrings, "rotateBody"),
    confirm: translate(programStrings, "rotate"),
    isDangerous: false,
    run: () =>
      void runChange({
        send: async () => {
          const { secret } = await client.tokens.rotateApiToken({
            params: { tokenId },
            payload: { formerSecretHours: 24 }
          })
          openTokenSecret(secret)
        },
        failure: translate(programStrings, "notRotated"),
        invalidates: [tokensKey]
      })
  })

/** The API tokens of the person. */
const TokensScreen = () => {
  const t = useStrings(programStrings)
  const { data: organization } = useOrganization()
  const tokens = useList(tokensKey, (query, signal) => client.tokens.listApiTokens({ query }, { signal }))
  const create = () => openNewToken(organization)
  const button = (
    <Button variant="primary" icon={<Plus size={16} />} onPress={create}>
      {t("newToken")}
    </Button>
  )
  return (
    <ScreenFrame title={t("myTokens")} actions={tokens.data?.length === 0 ? undefined : button}>
      <ItemList
        resource={tokens}
        keyOf={({ id }) => id}
        empty={
          <EmptyState icon={<Key />} title={t("noTokens")} actions={button}>
            {t("noTokensBody")}
          </EmptyState>
        }
      >
        {(token) => (
          <ItemRow
            icon={<Key size={18} aria-hidden />}
            title={token.label}
            details={<TokenDetails token={token} />}
            tags={
              token.revokedAt === undefined ? undefined : (
                <span className="tag tag-warning">{t("revoked")}</span>
              )
            }
            actions={
              token.revokedAt === undefined
                ? [
                    { id: "rotate", label: t("rotate"), run: () => openRotate(token) },
                    { id: "revoke", label: t("revoke"), isDangerous: true, run: () => openRevoke(token) }
                  ]
                : []
            }
          />
        )}
      </ItemList>
    </ScreenFrame>
  )
}

export default TokensScreen
