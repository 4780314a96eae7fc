/** The operations on programs of others. */
import type { ProgramsApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const programs = {
  listAuthorizedPrograms: { serves: "Programs.list", rule: "anybody" },
  revokeAuthorizedProgram: { serves: "Programs.revoke", rule: "token.own", repeated: "404" }
} satisfies RowsOf<typeof ProgramsApi>
