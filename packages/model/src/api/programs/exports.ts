export { ProgramsApi } from "./ProgramsApi.ts"
