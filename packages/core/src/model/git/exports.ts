/** The public names of Git synchronization in `@lectern/core/model`. */
export { ExportToGitRepository, GitInfo, ImportGitRepository } from "./GitSync.ts"
