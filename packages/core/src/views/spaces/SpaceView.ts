/** Converts rows of spaces to resources. */

import { type Caller, roleOn } from "@lectern/access"
import { type SpaceRow, visibilityOf } from "@lectern/kernel/tables"
import type { RoleOrGuest } from "@lectern/model/roles"
import { spacePermissions } from "@lectern/model/roles"
import type { Space } from "@lectern/model/spaces"
import { defaultEmoji } from "@lectern/model/spaces"

/** The published URL of the space, which is also its public URL if anyone with the URL can read the content. */
const publishedUrls = (base: string, { published }: SpaceRow) => {
  if (published === null) return {}
  // URLs below the workspace are stored as paths, because the public URL of the workspace can change.
  const url = published.url.startsWith("/") ? `${base}${published.url}` : published.url
  const isOpen = published.visibility === "public" || published.visibility === "unlisted"
  return { published: url, ...(isOpen ? { public: url } : {}) }
}

/** Converts a row to a resource for a caller with this role on it, and with this role in its organization. */
export const presentSpace = (
  base: string,
  row: SpaceRow,
  role: RoleOrGuest,
  inOrganization: RoleOrGuest
): Space => ({
  object: "space",
  id: row.id,
  title: row.title,
  emoji: row.emoji ?? defaultEmoji,
  visibility: visibilityOf(row),
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  ...(row.deletedAt === null ? {} : { deletedAt: row.deletedAt }),
  editMode: row.editMode,
  mergeRules: row.mergeRules ?? { type: "inherit" },
  urls: {
    location: `${base}/v1/spaces/${row.id}`,
    app: `${base}/s/${row.id}/`,
    ...publishedUrls(base, row),
    ...(row.icon === null ? {} : { icon: row.icon })
  },
  organization: row.organization,
  ...(row.parent === null ? {} : { parent: row.parent }),
  sortKey: row.position,
  ...(row.gitSync === null ? {} : { gitSync: row.gitSync }),
  revision: row.revision,
  defaultLevel: row.defaultLevel,
  comments: row.comments,
  changeRequests: row.changeRequests,
  changeRequestsOpen: row.changeRequestsOpen,
  changeRequestsDraft: row.changeRequestsDraft,
  permissions: spacePermissions(role, inOrganization)
})

/** Converts a row to a resource for a caller. */
export const presentSpaceFor = (base: string, caller: Caller, row: SpaceRow): Space =>
  presentSpace(base, row, roleOn(caller, row), caller.role)
