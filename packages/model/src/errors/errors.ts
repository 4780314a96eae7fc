/**
 * The errors of operations. Each has a `reason` from a closed list, for programs, and a `message`: one sentence that a
 * person can act on, safe to show to the caller. Each class declares its HTTP status.
 */
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"

/** One invalid field of an input. */
export const InvalidField = Schema.Struct({
  /** The path of the field: names and indexes joined by dots, as in `position.before`. Empty for the whole input. */
  path: Schema.String,
  /** The problem, as a predicate about the field: `must be at most 100 characters`. */
  message: Schema.String
}).annotate({ identifier: "InvalidField" })
export type InvalidField = typeof InvalidField.Type

/**
 * The input is malformed or out of bounds. `details` has every invalid field.
 *
 * - `InvalidFields`: fields are missing, malformed or out of bounds.
 * - `DocumentBodyMissing`: the new body of a page or a reusable content has neither Markdown nor a document.
 */
export class InvalidInput extends Schema.TaggedError<InvalidInput>()(
  "InvalidInput",
  {
    reason: Schema.Literals(["InvalidFields", "DocumentBodyMissing"]),
    message: Schema.String,
    details: Schema.Array(InvalidField)
  },
  { httpApiStatus: 400 }
) {
  /**
   * Creates the error for these invalid fields, of which `details` has the first 100. The message names the first and
   * counts the others.
   */
  static readonly of = (problems: ReadonlyArray<InvalidField>): InvalidInput => {
    const details = problems.slice(0, 100)
    const first = details[0]
    const rest = details.length - 1
    const atLeast = details.length === 100 ? "at least " : ""
    const more = rest <= 0 ? "" : ` (and ${atLeast}${rest} more ${rest === 1 ? "problem" : "problems"})`
    return new InvalidInput({
      reason: "InvalidFields",
      message:
        first === undefined
          ? "The input is malformed."
          : `${first.path || "The input"} ${first.message}${more}.`,
      details
    })
  }

  /** Creates the error for one invalid field. */
  static readonly at = (path: string, message: string): InvalidInput => InvalidInput.of([{ path, message }])
}

/**
 * The caller is not authenticated.
 *
 * - `TokenMissing`: the request has no API token.
 * - `TokenInvalid`: the token is malformed, unknown, expired or revoked.
 * - `LoginExpired`: a single sign-on login took too long, or did not start here.
 * - `LoginMismatch`: the SAML response belongs to another request.
 * - `LoginReplayed`: a SAML response was used before.
 * - `LoginRefused`: the SAML response is invalid.
 * - `LinkInvalid`: a sign-in link is unknown, expired or used.
 * - `PasskeyInvalid`: the response of a passkey is invalid, or its passkey was removed.
 * - `RecoveryCodeInvalid`: a recovery code is unknown or used, or too many wrong ones were entered.
 */
export class Unauthenticated extends Schema.TaggedError<Unauthenticated>()(
  "Unauthenticated",
  {
    reason: Schema.Literals([
      "TokenMissing",
      "TokenInvalid",
      "LoginExpired",
      "LoginMismatch",
      "LoginReplayed",
      "LoginRefused",
      "LinkInvalid",
      "PasskeyInvalid",
      "RecoveryCodeInvalid"
    ]),
    message: Schema.String
  },
  { httpApiStatus: 401 }
) {}

/**
 * The caller can see the resource but is not permitted to do this.
 *
 * - `RoleTooLow`: the caller's role is below the one that the message names.
 * - `CrossOriginRequest`: a browser sent the request from a page of another origin, which must send an API token.
 * - `FreshSignInRequired`: the operation requires a sign-in in the last 10 minutes, or in the last hour for the administration of an organization.
 * - `SsoRequired`: the organization requires single sign-on.
 * - `SecondFactorRequired`: the organization, or the operation, requires that the session has verified a second factor.
 * - `ScopeTooNarrow`: the API token is limited to other operations or resources.
 * - `SsoTokenNotAllowed`: the operation requires a token that does not come from single sign-on.
 * - `MembershipDisabled`: the caller's membership of the organization is disabled.
 * - `GuestNotAllowed`: guests of an organization cannot list its members.
 * - `NotOwnAccount`: users can update only their own account.
 * - `NotAuthor`: only its author can edit a comment.
 * - `IntegrationNameTaken`: another organization has published an integration of this name.
 * - `QuotaExceeded`: the organization has the maximum number of spaces or members that the operator configured.
 * - `RejectedByHook`: a hook of the host application rejects the command.
 */
export class Forbidden extends Schema.TaggedError<Forbidden>()(
  "Forbidden",
  {
    reason: Schema.Literals([
      "RoleTooLow",
      "CrossOriginRequest",
      "FreshSignInRequired",
      "SsoRequired",
      "SecondFactorRequired",
      "ScopeTooNarrow",
      "SsoTokenNotAllowed",
      "MembershipDisabled",
      "GuestNotAllowed",
      "NotOwnAccount",
      "NotAuthor",
      "IntegrationNameTaken",
      "QuotaExceeded",
      "RejectedByHook"
    ]),
    message: Schema.String
  },
  { httpApiStatus: 403 }
) {}

/** The nouns of resources that can be missing, and the reason for each. */
const missing = {
  "adaptive schema": "AdaptiveSchemaNotFound",
  "change request": "ChangeRequestNotFound",
  collection: "CollectionNotFound",
  comment: "CommentNotFound",
  content: "ContentNotFound",
  "dead job": "JobNotFound",
  delivery: "DeliveryNotFound",
  document: "DocumentNotFound",
  event: "EventNotFound",
  file: "FileNotFound",
  font: "FontNotFound",
  "Git synchronization": "GitSyncNotFound",
  "external link": "ExternalLinkNotFound",
  "glossary entry": "GlossaryEntryNotFound",
  "import run": "ImportRunNotFound",
  installation: "InstallationNotFound",
  integration: "IntegrationNotFound",
  invite: "InviteNotFound",
  "MCP server": "McpServerNotFound",
  member: "MemberNotFound",
  "OpenAPI spec": "OpenApiSpecNotFound",
  "OpenID Connect provider": "OidcProviderNotFound",
  organization: "OrganizationNotFound",
  page: "PageNotFound",
  permission: "PermissionNotFound",
  redirect: "RedirectNotFound",
  reply: "ReplyNotFound",
  "requested reviewer": "RequestedReviewerNotFound",
  "reusable content": "ReusableContentNotFound",
  review: "ReviewNotFound",
  revision: "RevisionNotFound",
  "SAML provider": "SamlProviderNotFound",
  script: "ScriptNotFound",
  section: "SectionNotFound",
  "section group": "SectionGroupNotFound",
  passkey: "PasskeyNotFound",
  program: "ProgramNotFound",
  session: "SessionNotFound",
  "share link": "ShareLinkNotFound",
  site: "SiteNotFound",
  "site space": "SiteSpaceNotFound",
  space: "SpaceNotFound",
  team: "TeamNotFound",
  "team member": "TeamMemberNotFound",
  token: "TokenNotFound",
  "translation run": "TranslationRunNotFound",
  "translation settings": "TranslationNotFound",
  user: "UserNotFound",
  version: "VersionNotFound",
  webhook: "WebhookNotFound"
} as const

/** The noun of a resource that can be missing. */
export type Noun = keyof typeof missing

/** No such resource exists, or the caller cannot see it: the two are indistinguishable. */
export class NotFound extends Schema.TaggedError<NotFound>()(
  "NotFound",
  {
    reason: Schema.Literals(Object.values(missing) as ReadonlyArray<(typeof missing)[Noun]>),
    message: Schema.String
  },
  { httpApiStatus: 404 }
) {
  /** `of("space")`: no space has this id, or the caller cannot see it. */
  static readonly of = (noun: Noun): NotFound =>
    new NotFound({ reason: missing[noun], message: `There is no such ${noun}.` })
}

/** A merge rule that does not pass. */
export const FailingMergeRule = Schema.Struct({
  /** The kind of the rule, as in `require_at_least_one_review`. */
  rule: Schema.String,
  /** The unmet requirement of the rule. */
  message: Schema.String,
  /** The expression of a rule of the kind `custom`. Absent for other rules. */
  expression: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "FailingMergeRule" })
export type FailingMergeRule = typeof FailingMergeRule.Type

/**
 * The state of the resource does not allow the operation.
 *
 * - `SpaceDeleted`, `SpaceNotDeleted`: the space is in the trash, or is not.
 * - `SpaceLocked`: the content of the space changes only through change requests.
 * - `ChangeRequestClosed`: the change request is merged or archived. `ChangeRequestMerged`: it is merged, which is
 *   final. `ChangeRequestNotMerged`: it is not merged, so that its changes cannot be proposed again.
 * - `MergeRulesFailing`: the merge rules of the change request do not pass. `failingRules` lists the failing rules.
 * - `StatusNotSettable`: change requests are merged by the merge operation.
 * - `SameOrganization`: the content is in the target organization already.
 * - `SlugTaken`, `PathTaken`, `BasenameTaken`, `HostnameTaken`, `EmailTaken`, `SecretTaken`: another resource has this
 *   value.
 * - `SpaceAlreadyOnSite`, `AlreadyInstalled`: the relation exists already.
 * - `LimitReached`: the message names the limit.
 * - `LastAdministrator`, `AdministratorNotSsoMember`: the organization would lose its last administrator.
 * - `SecondFactorMissing`: the operation requires a user, or an administrator of the organization, who has a passkey.
 * - `PasskeysUnavailable`: passkeys require a host name, and https unless it is a name of this machine.
 * - `AlreadySignedIn`: the member has signed in before, so that their invitation has ended.
 * - `InvitesDisabled`: the organization accepts no invite links.
 * - `ConverterMissing`: the workspace was started without the converter that this needs.
 * - `LibraryMissing`: the server was installed without the optional package that this needs.
 * - `ModelMissing`: the server was started without the language model that this needs.
 * - `PdfNotRendered`: the content cannot be rendered as a PDF.
 * - `IdempotencyKeyReused`: the idempotency key was used for another request.
 * - `AlreadyDone`: a request with this idempotency key has succeeded, and its response cannot be repeated.
 */
export class Conflict extends Schema.TaggedError<Conflict>()(
  "Conflict",
  {
    reason: Schema.Literals([
      "SpaceDeleted",
      "SpaceNotDeleted",
      "SpaceLocked",
      "ChangeRequestClosed",
      "ChangeRequestMerged",
      "ChangeRequestNotMerged",
      "MergeRulesFailing",
      "StatusNotSettable",
      "SameOrganization",
      "SlugTaken",
      "PathTaken",
      "BasenameTaken",
      "HostnameTaken",
      "EmailTaken",
      "SecretTaken",
      "SpaceAlreadyOnSite",
      "AlreadyInstalled",
      "TargetNotSupported",
      "InstallationIncomplete",
      "LimitReached",
      "LastAdministrator",
      "SecondFactorMissing",
      "PasskeysUnavailable",
      "AlreadySignedIn",
      "AdministratorNotSsoMember",
      "InvitesDisabled",
      "ConverterMissing",
      "LibraryMissing",
      "ModelMissing",
      "PdfNotRendered",
      "IdempotencyKeyReused",
      "AlreadyDone"
    ]),
    message: Schema.String,
    failingRules: Schema.optionalKey(Schema.Array(FailingMergeRule))
  },
  { httpApiStatus: 409 }
) {}

/**
 * The resource existed and is no longer available.
 *
 * - `RetentionExpired`: the retention period, during which it can be restored, has ended.
 * - `AddressExpired`: the signed address is no longer valid.
 * - `InviteExpired`: the invite link has expired, was used as often as it can be, or its inviter cannot grant its role.
 */
export class Gone extends Schema.TaggedError<Gone>()(
  "Gone",
  {
    reason: Schema.Literals(["RetentionExpired", "AddressExpired", "InviteExpired"]),
    message: Schema.String
  },
  { httpApiStatus: 410 }
) {}

/**
 * A condition of the operation does not hold.
 *
 * - `TargetNotWritable`: the caller cannot create content in the target organization.
 * - `StaleVersion`: the resource has changed since the version that `If-Match` names.
 * - `AlreadyExists`: the resource exists, or has the version, that `If-None-Match` excludes.
 */
export class PreconditionFailed extends Schema.TaggedError<PreconditionFailed>()(
  "PreconditionFailed",
  { reason: Schema.Literals(["TargetNotWritable", "StaleVersion", "AlreadyExists"]), message: Schema.String },
  { httpApiStatus: 412 }
) {}

/**
 * A request to another server failed.
 *
 * - `FetchFailed`: the connection failed, or the response is invalid.
 * - `ResponseTooLarge`: the response is larger than the limit.
 * - `FetcherMissing`: the workspace was started without a fetcher.
 */
export class UpstreamFailed extends Schema.TaggedError<UpstreamFailed>()(
  "UpstreamFailed",
  { reason: Schema.Literals(["FetchFailed", "ResponseTooLarge", "FetcherMissing"]), message: Schema.String },
  { httpApiStatus: 502 }
) {}

/**
 * Another server did not respond in time.
 *
 * - `Timeout`: it did not respond within the timeout of the request.
 * - `ImportStillRunning`: an import takes longer than a request can wait. It continues as the run `run`; repeating the
 *   request waits for it.
 */
export class UpstreamTimeout extends Schema.TaggedError<UpstreamTimeout>()(
  "UpstreamTimeout",
  {
    reason: Schema.Literals(["Timeout", "ImportStillRunning"]),
    message: Schema.String,
    run: Schema.optionalKey(
      Schema.Struct({
        /** The id of the import run. */
        id: Schema.String,
        /** The URL of the import run in the API. Clients of the API read it from the header `Location`. */
        location: Schema.optionalKey(Schema.String)
      })
    )
  },
  { httpApiStatus: 504 }
) {}

/** The error classes of operations. All other lists of them are derived from this one. */
export const operationErrors = [
  InvalidInput,
  Unauthenticated,
  Forbidden,
  NotFound,
  Conflict,
  Gone,
  PreconditionFailed,
  UpstreamFailed,
  UpstreamTimeout
] as const

/** Every error of an operation. */
export type OperationError = InstanceType<(typeof operationErrors)[number]>

/** The HTTP status that the class of an error declares. */
export const statusOf = (error: { readonly constructor: unknown }): number => {
  const { ast } = error.constructor as { readonly ast?: Schema.Top["ast"] }
  const status = ast === undefined ? undefined : SchemaAST.resolve(ast)?.httpApiStatus
  if (typeof status !== "number") throw new Error("The class of the error declares no HTTP status.")
  return status
}
