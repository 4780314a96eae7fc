/** The spaces, collections and sites that the token of the current user admits, besides the policy. */

import { type StorageUnavailable, Where } from "@lectern/kernel"
import {
  type ContentInstallationRow,
  contentInstallations,
  installations,
  type SiteSpaceRow,
  siteSpaces
} from "@lectern/kernel/tables"
import type { InstallationId } from "@lectern/model/integrations"
import type { SiteId } from "@lectern/model/sites"
import type { SpaceId } from "@lectern/model/spaces"
import { Effect } from "effect"
import type { Placed } from "../Caller.ts"
import { CurrentUser } from "../CurrentUser.ts"
import type { GrantedReader } from "../grants/Grant.ts"
import { whereNotTrashed } from "../structures/loadStructure.ts"

/** Creates the checks of the limits of tokens. */
export const tokenLimits = (records: GrantedReader) => {
  const isOnSite = (site: SiteId, content: Placed): Effect.Effect<boolean, StorageUnavailable> =>
    Effect.map(
      records.first(siteSpaces, {
        select: ["id"],
        where: Where.and<SiteSpaceRow>(
          Where.eq("site", site),
          Where.eq("space", content.id as SpaceId),
          whereNotTrashed(records)
        )
      }),
      (row) => row !== undefined
    )

  /** Whether an installation includes a space or a site: all of the organization, or the selected ones. */
  const isIn = (
    installation: InstallationId,
    content: string,
    selection: "spaceSelection" | "siteSelection"
  ): Effect.Effect<boolean, StorageUnavailable> =>
    Effect.map(
      records.zipConcurrent(
        records.get(installations, { id: installation }, [selection]),
        records.get(contentInstallations, { installation, content }, ["installation"])
      ),
      ([row, selected]) => row !== undefined && (row[selection] === "all" || selected !== undefined)
    )

  return {
    /** Whether the token admits a space or a collection: it is not limited, or its site or its installation includes it. */
    admitsContent: (content: Placed): Effect.Effect<boolean, StorageUnavailable, CurrentUser> =>
      Effect.flatMap(CurrentUser, ({ token }) => {
        if (token?.site !== undefined) return isOnSite(token.site, content)
        return token?.installation === undefined
          ? Effect.succeed(true)
          : isIn(token.installation, content.id, "spaceSelection")
      }),

    /** Whether the token admits a site. */
    admitsSite: (site: SiteId): Effect.Effect<boolean, StorageUnavailable, CurrentUser> =>
      Effect.flatMap(CurrentUser, ({ token }) =>
        token?.installation === undefined
          ? Effect.succeed(true)
          : isIn(token.installation, site, "siteSelection")
      ),

    /** The condition that spaces and collections match if the token admits them. */
    whereAdmitted: Effect.flatMap(
      CurrentUser,
      ({ token }): Effect.Effect<Where.Where<Placed>, StorageUnavailable> => {
        if (token?.site !== undefined) {
          const onSite = Where.and<SiteSpaceRow>(Where.eq("site", token.site), whereNotTrashed(records))
          return Effect.succeed(records.inSelect("id", siteSpaces, "space", onSite))
        }
        const installation = token?.installation
        if (installation === undefined) return Effect.succeed(Where.all)
        const selected = Where.eq<ContentInstallationRow, "installation">("installation", installation)
        return Effect.map(records.get(installations, { id: installation }, ["spaceSelection"]), (row) =>
          row?.spaceSelection === "all"
            ? Where.all
            : records.inSelect("id", contentInstallations, "content", selected)
        )
      }
    )
  }
}
