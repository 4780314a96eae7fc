/** Every table of the workspace, each behind those that it refers to. */
import { apiTokens } from "./access/ApiToken.ts"
import { grants } from "./access/Grant.ts"
import { collections } from "./collections/Collection.ts"
import { members } from "./organizations/Member.ts"
import { organizations } from "./organizations/Organization.ts"
import { teamMembers, teams } from "./organizations/Team.ts"
import { users } from "./organizations/User.ts"
import { spaces } from "./spaces/Space.ts"
import type { Table } from "./storage/index.ts"

export const tables: ReadonlyArray<Table.AnyTable> = [
  users,
  organizations,
  members,
  teams,
  teamMembers,
  apiTokens,
  collections,
  spaces,
  grants
]
