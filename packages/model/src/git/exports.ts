/** The public names of Git synchronization in `@lectern/model`. */
export { ExportToGitRepository, GitInfo, ImportGitRepository } from "./GitSync.ts"
