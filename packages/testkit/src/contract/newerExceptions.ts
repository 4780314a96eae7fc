/** The differences of responses from the newer version of the public contract, each with its reason. */
import type { OperationId } from "./endpoints.ts"
import { publicExceptions } from "./exceptions.ts"

interface NewerException {
  /** Matches the messages of the validator that are expected. */
  readonly difference: RegExp
  readonly why: string
}

const repliers: NewerException = {
  difference: /'repliers'/,
  why: "comments have the number of their replies, and not the people who replied"
}

const sitesOfMember: NewerException = {
  difference: /'sites'/,
  why: "members have the number of their spaces; everyone with the role `read` sees all sites"
}

const importSources: NewerException = {
  difference: /source|pages|no status 201/,
  why: "runs have the kind of their source, and no state of single pages"
}

const synchronization: NewerException = {
  difference: /gitSync must have required property 'installationId'/,
  why: "a synchronization has no installation of a provider"
}

const searchResults: NewerException = {
  difference: /./,
  why: "results have excerpts with highlights instead of scores, and no records of other kinds"
}

/** Operations whose responses may differ from the newer version, in addition to the operations that differ from the supported one. */
const newerExceptions: { readonly [operation in OperationId]?: NewerException } = {
  listCommentsInSpace: repliers,
  getCommentInSpace: repliers,
  postCommentInSpace: repliers,
  updateCommentInSpace: repliers,
  listCommentsInChangeRequest: repliers,
  getCommentInChangeRequest: repliers,
  postCommentInChangeRequest: repliers,
  updateCommentInChangeRequest: repliers,
  getReviewsByChangeRequestId: repliers,
  getChangeRequestReviewById: repliers,
  submitChangeRequestReview: repliers,
  listMembersInOrganizationById: sitesOfMember,
  getMemberInOrganizationById: sitesOfMember,
  updateMemberInOrganizationById: sitesOfMember,
  setUserAsSSOMemberForOrganization: sitesOfMember,
  listTeamMembersInOrganizationById: sitesOfMember,
  listCommentersInSpace: sitesOfMember,
  listCommentersInChangeRequest: sitesOfMember,
  startImportRun: importSources,
  getImportRun: importSources,
  listImportRuns: importSources,
  cancelImportRun: importSources,
  searchOrganizationContent: searchResults,
  searchSiteContent: searchResults,
  searchSpaceContent: searchResults,
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
