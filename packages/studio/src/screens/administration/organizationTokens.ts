/** The API tokens that open an organization: their list, and how they are revoked. */
import type { Organization, OrganizationToken } from "@lectern/client/fetch"
import { openConfirm } from "../../components/openConfirm.tsx"
import { runChange } from "../../data/change.ts"
import { useList } from "../../data/lists.ts"
import { client } from "../../session.ts"
import { translate } from "../../strings/strings.ts"
import { keyIn } from "./data.ts"
import { programStrings } from "./programStrings.ts"

/** Returns the key of the API tokens that open an organization. */
export const organizationTokensKey = ({ id }: Organization): string => keyIn(id, "tokens")

/** The API tokens that open an organization. */
export const useOrganizationTokens = (organization: Organization) =>
  useList(organizationTokensKey(organization), (query, signal) =>
    client.organizationTokens.listOrganizationTokens(
      { params: { organizationId: organization.id }, query },
      { signal }
    )
  )

/** Opens the dialog to confirm to revoke a token for the organization. `label` is its displayed name. */
export const openRevoke = (
  organization: Organization,
  { id: tokenId, unlimited }: OrganizationToken,
  label: string
): void =>
  openConfirm({
    title: translate(programStrings, "revokeTitle", { label }),
    body: translate(programStrings, unlimited ? "revokeUnlimitedBody" : "revokeBody"),
    confirm: translate(programStrings, "revoke"),
    run: () =>
      void runChange({
        send: () =>
          client.organizationTokens.revokeOrganizationToken({
            params: { organizationId: organization.id, tokenId }
          }),
        message: translate(programStrings, "revokedMessage", { label }),
        failure: translate(programStrings, "notRevoked"),
        invalidates: [organizationTokensKey(organization)]
      })
  })
