import { ProgramsApi } from "@lectern/client"
import { Programs } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

export const programs = Effect.map(Programs, (programs) =>
  implement(ProgramsApi, {
    listAuthorizedPrograms: programs.list,
    revokeAuthorizedProgram: programs.revoke
  })
)
