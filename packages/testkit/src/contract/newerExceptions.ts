/** The differences of responses from the newer version of the public contract, each with its reason. */
import type { OperationId } from "./endpoints.ts"
import { publicExceptions } from "./exceptions.ts"

interface NewerException {
  /** Matches the messages of the validator that are expected. */
  readonly difference: RegExp
  readonly why: string
}

const importSources: NewerException = {
  difference: /source|no status 201/,
  why: "runs have the kind of their source"
}

const synchronization: NewerException = {
  difference: /gitSync must have required property 'installationId'/,
  why: "a synchronization has no installation of a provider"
}

/** Operations whose responses may differ from the newer version, in addition to the operations that differ from the supported one. */
const newerExceptions: { readonly [operation in OperationId]?: NewerException } = {
  startImportRun: importSources,
  getImportRun: importSources,
  listImportRuns: importSources,
  cancelImportRun: importSources,
  getSpaceById: synchronization,
  listSpacesInOrganizationById: synchronization,
  listSpacesInCollectionById: synchronization,
  updateSpaceById: synchronization,
  getSpaceGitInfo: {
    difference: /'installation(?:Id|Status)'/,
    why: "a synchronization has no installation of a provider"
  }
}

/** Whether an expected difference explains why a response is not valid in the newer version. */
export const isExpectedDifference = (operation: OperationId, problem: string): boolean =>
  publicExceptions[operation]?.difference.test(problem) === true ||
  newerExceptions[operation]?.difference.test(problem) === true
