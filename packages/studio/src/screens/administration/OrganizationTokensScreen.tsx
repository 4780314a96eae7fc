/** The API tokens that open the organization, of all members and integrations. */
import type { Member, Organization, OrganizationToken } from "@lectern/client/fetch"
import { ItemList, ItemRow } from "../../components/ItemList.tsx"
import { EmptyState } from "../../components/states.tsx"
import { KeyRound } from "../../icons/icons.gen.ts"
import { useStrings } from "../../strings/strings.ts"
import { useMembers } from "./data.ts"
import { OrganizationFrame } from "./OrganizationFrame.tsx"
import { openRevoke, useOrganizationTokens } from "./organizationTokens.ts"
import { programStrings } from "./programStrings.ts"
import { TokenDetails } from "./TokenDetails.tsx"

const ownerOf = (members: ReadonlyArray<Member> | undefined, { user }: OrganizationToken): string =>
  members?.find(({ id }) => id === user)?.user.displayName ?? user

const Tokens = ({ organization }: { readonly organization: Organization }) => {
  const t = useStrings(programStrings)
  const members = useMembers()
  const tokens = useOrganizationTokens(organization)
  return (
    <>
      <p className="muted section">{t("allTokensBody")}</p>
      <ItemList
        resource={tokens}
        keyOf={({ id }) => id}
        empty={<EmptyState icon={<KeyRound />} title={t("noTokens")} />}
      >
        {(token) => {
          const label = token.label ?? t("unnamedToken")
          return (
            <ItemRow
              icon={<KeyRound size={18} aria-hidden />}
              title={label}
              details={
                <>
                  <span>{ownerOf(members.data, token)}</span>
                  <TokenDetails token={token} />
                </>
              }
              tags={token.unlimited ? <span className="tag tag-warning">{t("unlimited")}</span> : undefined}
              actions={[
                {
                  id: "revoke",
                  label: t("revoke"),
                  isDangerous: true,
                  run: () => openRevoke(organization, token, label)
                }
              ]}
            />
          )
        }}
      </ItemList>
    </>
  )
}

/** The API tokens that open the organization. */
const OrganizationTokensScreen = () => {
  const t = useStrings(programStrings)
  return (
    <OrganizationFrame title={t("allTokens")}>
      {(organization) => <Tokens organization={organization} />}
    </OrganizationFrame>
  )
}

export default OrganizationTokensScreen
