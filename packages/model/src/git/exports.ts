export { ExportToGitRepository, GitInfo, ImportGitRepository } from "./GitSync.ts"
