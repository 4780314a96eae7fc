/** Where an operation is not as others are, and why: everything that the suite does not ask of all alike. */
import type { OperationId } from "./endpoints.ts"

type Exceptions = { readonly [operation in OperationId]?: string }

interface PublicException {
  /** The differences that are allowed, as the messages of the comparison say them. */
  readonly difference: RegExp
  readonly why: string
}

const otherTranslations: PublicException = {
  difference: /./,
  why: "translation settings are another resource in the public contract"
}

const otherCommits: PublicException = {
  difference: /must have required property 'createdByGitBook'/,
  why: "the field is named without a trademark"
}

const laterSettings: PublicException = {
  difference: /must have required property '(ssoURL|entityID|certificate)'$/,
  why: "all of a provider but its label may be said later"
}

/** What may differ from the public contract, for api.md settles it otherwise. */
export const publicExceptions: { readonly [operation in OperationId]?: PublicException } = {
  listTranslations: otherTranslations,
  createTranslation: otherTranslations,
  getTranslation: otherTranslations,
  updateTranslation: otherTranslations,
  getCurrentRevision: otherCommits,
  getRevisionOfChangeRequestById: otherCommits,
  listSAMLProvidersInOrganizationById: laterSettings,
  createOrganizationSAMLProvider: laterSettings
}

const unsupportedChanges = {
  why: "a page is reverted as a whole, and files are not fetched",
  fields: ["body.changes[].block", "body.changes[].files[].url"]
}

/** Operations that somebody who is in no organization of others may call too. */
export const openToAll: Exceptions = {
  getAuthenticatedUser: "every user has an account",
  listOrganizationsForAuthenticatedUser: "it lists the caller's own",
  getOrganizationsForEmailDomain: "it lists none to those whose address is elsewhere",
  listIntegrations: "those that are public are for all",
  getIntegrationByName: "those that are public are for all",
  listIntegrationInstallations: "it lists none of organizations that are not the caller's",
  getOrganizationInviteLink: "any user with the link may read it",
  joinOrganizationWithInvite: "any user with the link may join"
}

/** Operations that change something, and that a member who may only read can call. */
export const openToReaders: Exceptions = {
  updateOrganizationMemberLastSeenAt: "it records the time of the caller's last visit",
  joinOrganizationWithInvite: "any user with the link may join, and members keep their role"
}

/** Fields that are declared so that they can be rejected with any value: no call with one of them succeeds. */
export const alwaysRejected: {
  readonly [operation in OperationId]?: { readonly why: string; readonly fields: ReadonlyArray<string> }
} = {
  updateSpaceContent: unsupportedChanges,
  updateChangeRequestContent: unsupportedChanges
}

/** Parameters of paths that name what need not be there before. */
export const mayBeNew: { readonly [operation in OperationId]?: ReadonlyArray<string> } = {
  getOrganizationsForEmailDomain: ["emailDomain"],
  publishIntegration: ["integrationName"],
  createOrUpdateOpenAPISpecBySlug: ["specSlug"]
}

/** Operations that make what is not there yet: the tag of another state does not help them to find it. */
export const makesWhatIsMissing: Exceptions = {
  updateSiteAdaptiveSchema: "a site has none before",
  createOrUpdateOpenAPISpecBySlug: "it is made where there is none"
}

/** Where good inputs are tried elsewhere: all of an operation, or those that change some of its fields. */
interface Elsewhere {
  readonly why: string
  readonly fields?: ReadonlyArray<string>
}

const fetches: Elsewhere = { why: "it would fetch what is at each address" }
const writes: Elsewhere = { why: "it would write pages" }
const names: Elsewhere = { why: "a node has to be one of the page", fields: ["body.node"] }
const reacts: Elsewhere = {
  why: "reactions would stay",
  fields: ["body.addedReactions", "body.removedReactions"]
}

/**
 * Operations whose good inputs are tried on something that is not there: taken apart they are the same way, and answered
 * by 404. Otherwise they would do harm, leave behind what a scenario would stumble on, or name what is nowhere.
 */
const skipsPositiveCases: { readonly [operation in OperationId]?: Elsewhere } = {
  addSectionToGroup: { why: "it answers the group, which is not to be taken away again" },
  createOrganizationTeam: { why: "those who are in it have to be there", fields: ["body.members"] },
  updateMembersInOrganizationTeam: { why: "those who are added have to be there" },
  inviteUsersToOrganization: { why: "it would make accounts" },
  createChangeRequest: { why: "change requests cannot be deleted" },
  postCommentInSpace: names,
  postCommentInChangeRequest: names,
  updateCommentInSpace: reacts,
  updateCommentInChangeRequest: reacts,
  updateCommentReplyInSpace: reacts,
  getPublishedContentSite: { why: "another key opens nothing", fields: ["query.shareKey"] },
  publishIntegration: { why: "another name is no organization's", fields: ["body.organization"] },
  importContent: fetches,
  importContentInChangeRequest: fetches,
  createOpenAPISpec: { ...fetches, fields: ["body.source"] },
  createOrUpdateOpenAPISpecBySlug: { ...fetches, fields: ["body.source"] },
  updateIntegrationInstallation: {
    why: "values are merged, so those of a trial would stay",
    fields: ["body.configuration"]
  },
  updateSpaceContent: writes,
  updateChangeRequestContent: writes
}

/** Whether a good input, made by a change of a bound, is to be tried elsewhere. */
export const isTriedElsewhere = (operation: OperationId, bound: string): boolean => {
  const found = skipsPositiveCases[operation]
  return found !== undefined && (found.fields ?? [bound]).some((field) => bound.startsWith(field))
}

/** Fields that answers show in another form than they are sent in. */
export const encodedDifferently: { readonly [field: string]: string } = {
  body: "words are shown as markdown or as a document, whichever they came as",
  changes: "a batch is answered by what became of each change",
  previewImages: "images are sent as bytes, and shown as addresses"
}

/** Operations that answer something new by 200, as their statuses are in the table; it is taken away again after a trial. */
export const makesAnother: Exceptions = {
  postCommentInSpace: "comments are answered by 200",
  postCommentReplyInSpace: "comments are answered by 200",
  postCommentInChangeRequest: "comments are answered by 200",
  postCommentReplyInChangeRequest: "comments are answered by 200"
}
