import { ProgramsApi } from "./ProgramsApi.ts"

export const groups: readonly [typeof ProgramsApi] = [ProgramsApi]
