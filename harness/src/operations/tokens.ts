/** The operations on API tokens. */
import type { OrganizationTokensApi, TokensApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const tokens = {
  listApiTokens: { serves: "Tokens.list", rule: "anybody" },
  createApiToken: {
    serves: "Tokens.create",
    rule: "anybody",
    repeated: "another",
    body: () => ({ label: "New", readOnly: true, permissions: ["space.read"] }),
    full: ({ ids }) => ({
      body: { label: "New", organization: ids.organizationId, site: ids.siteId, expiresAt: null }
    })
  },
  getApiToken: { serves: "Tokens.get", rule: "token.own" },
  updateApiToken: {
    serves: "Tokens.update",
    rule: "token.own",
    body: () => ({ label: "Renamed" })
  },
  revokeApiToken: { serves: "Tokens.revoke", rule: "token.own", repeated: "404" },
  rotateApiToken: {
    serves: "Tokens.rotate",
    rule: "token.own",
    repeated: "another",
    body: () => ({ formerSecretHours: 1 })
  }
} satisfies RowsOf<typeof TokensApi>

export const organizationTokens = {
  listOrganizationTokens: {
    serves: "Tokens.listInOrganization",
    rule: "organization.administrate"
  },
  revokeOrganizationToken: {
    serves: "Tokens.revokeInOrganization",
    rule: "organization.administrate",
    repeated: "404"
  }
} satisfies RowsOf<typeof OrganizationTokensApi>
