/** Quotas: how many spaces and members an organization can have, and how many bytes of content. */

import { type ReadableRecords, type StorageUnavailable, type Table, Where } from "@lectern/kernel"
import {
  type ChangeRequestRow,
  type CustomFontFileRow,
  changeRequests,
  customFontFiles,
  type MemberRow,
  members,
  type SpaceRow,
  type StagedUploadRow,
  spaces,
  stagedUploads
} from "@lectern/kernel/tables"
import { Forbidden } from "@lectern/model/errors"
import type { OrganizationId } from "@lectern/model/organizations"
import type { SpaceId } from "@lectern/model/spaces"
import { Context, Effect } from "effect"

/** The maximum numbers of one organization; undefined for no maximum. */
export interface Quota {
  /** The maximum number of spaces, including the spaces in the trash. */
  readonly spaces?: number | undefined
  /** The maximum number of members, including guests and disabled members. */
  readonly members?: number | undefined
  /**
   * The maximum number of bytes of content: of every version of the Markdown and the files of all spaces and change requests,
   * uncompressed, and of the files that were uploaded in the last 24 hours.
   */
  readonly bytes?: number | undefined
}

/** The quotas of organizations. */
export interface Quotas {
  /** The quota of organizations without a quota of their own. */
  readonly default: Quota
  /** Quotas by the id of the organization, which replace the default. */
  readonly organizations: ReadonlyMap<string, Quota>
}

/** The quotas of organizations, without limits by default. It is read when the workspace is built. */
export const OrganizationQuotas = Context.Reference<Quotas>("@lectern/core/OrganizationQuotas", {
  defaultValue: () => ({ default: {}, organizations: new Map() })
})

/** The resources that a quota limits. */
export type QuotaResource = keyof Quota

/** The number of spaces, members and bytes of content of an organization. */
export type UsageCounts = Readonly<Record<QuotaResource, number>>

/** Returns the quota of an organization. */
export const quotaOf = (quotas: Quotas, organization: OrganizationId): Quota =>
  quotas.organizations.get(organization) ?? quotas.default

/** Returns the bytes of content of spaces, with their change requests. */
const countBytes = (
  records: ReadableRecords<Table.AnyTable>,
  where: Where.Where<SpaceRow>
): Effect.Effect<number, StorageUnavailable> =>
  Effect.map(
    records.zipConcurrent(
      records.find(spaces, { select: ["contentBytes"], where }),
      records.find(changeRequests, {
        select: ["contentBytes"],
        where: Where.and<ChangeRequestRow>(
          records.inSelect("space", spaces, "id", where),
          Where.gt("contentBytes", 0)
        )
      })
    ),
    ([own, proposed]) => [...own, ...proposed].reduce((sum, { contentBytes }) => sum + contentBytes, 0)
  )

/** Returns the bytes of the files that are uploaded, and not deleted yet. Their number is limited. */
const countUploads = (
  records: ReadableRecords<Table.AnyTable>,
  organization: OrganizationId
): Effect.Effect<number, StorageUnavailable> =>
  Effect.map(
    records.find(stagedUploads, {
      select: ["size"],
      where: Where.and<StagedUploadRow>(
        Where.eq("organization", organization),
        Where.not(Where.isNull("hash"))
      )
    }),
    (rows) => rows.reduce((sum, { size }) => sum + size, 0)
  )

/** Returns the bytes of the files of fonts. Their number is limited. */
const countFonts = (
  records: ReadableRecords<Table.AnyTable>,
  organization: OrganizationId
): Effect.Effect<number, StorageUnavailable> =>
  Effect.map(
    records.find(customFontFiles, {
      select: ["size"],
      where: Where.eq<CustomFontFileRow, "organization">("organization", organization)
    }),
    (rows) => rows.reduce((sum, { size }) => sum + size, 0)
  )

const counted = {
  spaces: (records: ReadableRecords<Table.AnyTable>, organization: OrganizationId) =>
    records.count(spaces, Where.eq<SpaceRow, "organization">("organization", organization)),
  members: (records: ReadableRecords<Table.AnyTable>, organization: OrganizationId) =>
    records.count(members, Where.eq<MemberRow, "organization">("organization", organization)),
  bytes: (records: ReadableRecords<Table.AnyTable>, organization: OrganizationId) =>
    Effect.map(
      records.zipConcurrent(
        countBytes(records, Where.eq<SpaceRow, "organization">("organization", organization)),
        records.zipConcurrent(countUploads(records, organization), countFonts(records, organization))
      ),
      ([content, [uploads, fonts]]) => content + uploads + fonts
    )
}

/** Returns how many spaces, members and bytes of content an organization has. */
export const readUsage = (
  records: ReadableRecords<Table.AnyTable>,
  organization: OrganizationId
): Effect.Effect<UsageCounts, StorageUnavailable> =>
  Effect.all({
    spaces: counted.spaces(records, organization),
    members: counted.members(records, organization),
    bytes: counted.bytes(records, organization)
  })

const remedies = {
  spaces: "Delete spaces and wait until the trash is emptied",
  members: "Remove members",
  bytes: "Delete spaces and wait until the trash is emptied"
} as const

const nouns = { spaces: "spaces", members: "members", bytes: "bytes of content" } as const

/**
 * Fails with `Forbidden` and the reason `QuotaExceeded` if the organization would have more than its quota after `added` were
 * added. Call it in the transaction that adds them. It is exact if the transaction locks the organization exclusively. Without
 * a quota, it issues no query.
 */
export const requireQuota = Effect.fnUntraced(function* (
  quotas: Quotas,
  records: ReadableRecords<Table.AnyTable>,
  organization: OrganizationId,
  resource: QuotaResource,
  added: number
): Effect.fn.Return<void, Forbidden | StorageUnavailable> {
  const maximum = quotaOf(quotas, organization)[resource]
  if (maximum === undefined || added === 0) return
  const used = yield* counted[resource](records, organization)
  if (used + added <= maximum) return
  return yield* new Forbidden({
    reason: "QuotaExceeded",
    message: `The organization has ${used} of at most ${maximum} ${nouns[resource]}${added === 1 ? "" : `, and ${added} more were requested`}. ${remedies[resource]}, or ask the operator of the server for a higher quota.`
  })
})

/**
 * As {@link requireQuota}, for spaces that move to the organization: their number, and the bytes of their content. Call it
 * before they move.
 */
export const requireQuotaForSpaces = Effect.fnUntraced(function* (
  quotas: Quotas,
  records: ReadableRecords<Table.AnyTable>,
  organization: OrganizationId,
  moved: ReadonlyArray<SpaceId>
): Effect.fn.Return<void, Forbidden | StorageUnavailable> {
  yield* requireQuota(quotas, records, organization, "spaces", moved.length)
  if (quotaOf(quotas, organization).bytes === undefined || moved.length === 0) return
  const added = yield* countBytes(records, Where.isIn<SpaceRow, "id">("id", moved))
  yield* requireQuota(quotas, records, organization, "bytes", added)
})
