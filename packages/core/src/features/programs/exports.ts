export { ProgramGrants, type ProgramGrantsService } from "./ProgramGrants.ts"
export { Programs } from "./Programs.ts"
