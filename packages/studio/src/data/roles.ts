/** The roles of members. */
import type { Role } from "@lectern/client/fetch"

/** The roles, from the lowest to the highest one. */
export const roles = [
  "read",
  "comment",
  "edit",
  "review",
  "create",
  "admin"
] as const satisfies ReadonlyArray<Role>
