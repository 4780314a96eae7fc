/** Scenarios of API tokens. */
import type {
  ApiToken,
  ApiTokenWithSecret,
  Organization,
  OrganizationToken,
  Page,
  Site
} from "@lectern/model"
import { expect } from "vitest"
import type { ContractScenario } from "../Scenario.ts"
import { idsOf } from "./helpers.ts"

export const tokens: ContractScenario = {
  title: "API tokens are created with scopes, used, renamed, rotated and revoked",
  requires: ["tokens", "organizationTokens"],
  run: async ({ ada, acme, client, tag }) => {
    const at = { organizationId: acme.id }
    const site = await ada.call<Site>("createSite", at, { body: { title: `Tokens ${tag}` } })
    const expiresAt = "2999-01-01T00:00:00.000Z"
    const forever = await ada.call<ApiTokenWithSecret>(
      "createApiToken",
      {},
      {
        body: { label: `All ${tag}`, readOnly: false, expiresAt: null }
      }
    )
    const { secret, ...created } = await ada.call<ApiTokenWithSecret>(
      "createApiToken",
      {},
      {
        body: {
          label: `Build ${tag}`,
          organization: acme.id,
          site: site.id,
          readOnly: true,
          permissions: ["site.view", "content.read"],
          expiresAt,
          renewable: true
        }
      }
    )
    expect(created).toMatchObject({
      user: ada.id,
      organization: acme.id,
      site: site.id,
      readOnly: true,
      permissions: ["site.view", "content.read"],
      expiresAt
    })
    const use = async (operation: "getSiteById" | "deleteSiteById" | "getOrganizationById", token = secret) =>
      (await client.send({ operation, params: { ...at, siteId: site.id }, token })).status
    expect([await use("getSiteById"), await use("deleteSiteById"), await use("getOrganizationById")]).toEqual(
      [200, 403, 403]
    )
    const token = { tokenId: created.id }
    const used = await ada.call<ApiToken>("getApiToken", token)
    expect(used).toEqual({ ...created, lastUsedAt: used.lastUsedAt })
    expect(used.lastUsedAt).toBeDefined()
    const renamed = await ada.call<ApiToken>("updateApiToken", token, { body: { label: `Deploy ${tag}` } })
    expect(renamed).toEqual({ ...used, label: `Deploy ${tag}` })
    expect(forever.expiresAt).toBeUndefined()
    expect(idsOf(await ada.call<Page<ApiToken>>("listApiTokens"))).toEqual(
      expect.arrayContaining([created.id, forever.id])
    )

    const rotated = await ada.call<ApiTokenWithSecret>("rotateApiToken", token, {
      body: { formerSecretHours: 2 }
    })
    expect(rotated).toMatchObject({ id: created.id, label: renamed.label, site: site.id })
    expect(rotated.formerSecretExpiresAt).toBeDefined()
    expect(await use("getSiteById", rotated.secret)).toBe(200)
    const again = await ada.call<ApiTokenWithSecret>("rotateApiToken", token, { body: {} })
    expect([await use("getSiteById", rotated.secret), await use("getSiteById", again.secret)]).toEqual([
      401, 200
    ])

    const listed = await ada.call<Page<OrganizationToken>>("listOrganizationTokens", at, {
      query: { user: ada.id }
    })
    expect(listed.items.find(({ id }) => id === again.id)).toMatchObject({ unlimited: false })
    const unlimited = listed.items.find(({ id }) => id === forever.id)
    expect([unlimited?.unlimited, unlimited?.label]).toEqual([true, undefined])
    await ada.call("revokeOrganizationToken", { ...at, tokenId: again.id })
    expect(await use("getSiteById", again.secret)).toBe(401)
    await ada.call("revokeOrganizationToken", { ...at, tokenId: forever.id })
    expect(await use("getOrganizationById", forever.secret)).toBe(404)
    const others = await client.send({
      operation: "listOrganizationsForAuthenticatedUser",
      params: {},
      token: forever.secret
    })
    expect((others.value as unknown as Page<Organization>).items.length).toBeGreaterThan(0)

    await ada.call("revokeApiToken", { tokenId: forever.id })
    await ada.expectError(404, "getApiToken", { tokenId: forever.id })
  }
}
