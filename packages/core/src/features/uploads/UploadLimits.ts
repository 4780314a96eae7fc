/** Limits the uploads that have not expired: of a user, and of an organization. */

import { type GrantedReader, OrganizationQuotas, requireQuota } from "@lectern/access"
import { type StorageUnavailable, Where } from "@lectern/kernel"
import { type StagedUploadRow, stagedUploads } from "@lectern/kernel/tables"
import { Conflict, type Forbidden } from "@lectern/model/errors"
import type { OrganizationId } from "@lectern/model/organizations"
import type { UserId } from "@lectern/model/users"
import { Context, Effect } from "effect"

/** The maximum sums of the declared sizes of uploads that have not expired, in bytes. */
export interface UploadLimitsSettings {
  /** Of a user in an organization. */
  readonly userBytes: number
  /** Of all users in an organization. */
  readonly organizationBytes: number
}

/** The limits of uploads: by default 2 GiB of a user, and 10 GiB of an organization. */
export const UploadLimits = Context.Reference<UploadLimitsSettings>("@lectern/core/UploadLimits", {
  defaultValue: () => ({ userBytes: 2 * 1024 ** 3, organizationBytes: 10 * 1024 ** 3 })
})

/** The maximum numbers of uploads that have not expired, of a user in an organization and of an organization. */
const maximumUploads = { user: 100, organization: 2_000 }

const limitReached = (message: string) =>
  new Conflict({ reason: "LimitReached", message: `${message} Each expires after 24 hours.` })

/** An upload that is requested. */
export interface RequestedUpload {
  readonly organization: OrganizationId
  readonly user: UserId
  /** The declared size, in bytes. */
  readonly size: number
  /** The time of the request. Earlier uploads that have expired by then do not count. */
  readonly createdAt: string
}

/** Creates the function that checks the limits before an upload is added. */
export const makeRequireUploadRoom = Effect.gen(function* () {
  const { userBytes, organizationBytes } = yield* UploadLimits
  const quotas = yield* OrganizationQuotas

  /**
   * Fails with `Conflict` if the user or the organization would have more uploads or bytes of uploads than the limits, and
   * with `Forbidden` if the organization would exceed its quota. Concurrent requests can exceed the limits slightly.
   */
  return Effect.fnUntraced(function* (
    records: GrantedReader,
    { organization, user, size, createdAt }: RequestedUpload
  ): Effect.fn.Return<void, Conflict | Forbidden | StorageUnavailable> {
    const rows = yield* records.find(stagedUploads, {
      select: ["user", "size", "hash"],
      where: Where.and<StagedUploadRow>(
        Where.eq("organization", organization),
        Where.gt("expiresAt", createdAt)
      ),
      limit: maximumUploads.organization
    })
    const own = rows.filter((row) => row.user === user)
    const sumOf = (some: ReadonlyArray<Pick<StagedUploadRow, "size">>) =>
      some.reduce((sum, row) => sum + row.size, size)
    if (own.length >= maximumUploads.user) {
      return yield* limitReached(`You have ${maximumUploads.user} uploads in this organization, the maximum.`)
    }
    if (sumOf(own) > userBytes) {
      return yield* limitReached(
        `Your uploads in this organization would have ${sumOf(own)} of at most ${userBytes} bytes.`
      )
    }
    if (rows.length >= maximumUploads.organization || sumOf(rows) > organizationBytes) {
      return yield* limitReached(
        `The uploads in this organization would be more than ${maximumUploads.organization}, or have more than ${organizationBytes} bytes.`
      )
    }
    // Complete uploads count as bytes of the organization already.
    yield* requireQuota(
      quotas,
      records,
      organization,
      "bytes",
      sumOf(rows.filter(({ hash }) => hash === null))
    )
  })
})
