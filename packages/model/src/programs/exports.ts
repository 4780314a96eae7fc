export { AuthorizedProgram, AuthorizedProgramId, AuthorizeProgram } from "./AuthorizedProgram.ts"
