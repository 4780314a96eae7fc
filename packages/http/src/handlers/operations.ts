/** Every operation of the API with what answers it. */
import { Effect } from "effect"
import { collections } from "./collections/collections.ts"
import { organizations } from "./organizations/organizations.ts"
import { spaces } from "./spaces/spaces.ts"
import { users } from "./users/users.ts"

/** The operations of all groups, once the services are there. */
export const operations = Effect.map(Effect.all([users, organizations, collections, spaces]), (groups) =>
  groups.flat()
)
