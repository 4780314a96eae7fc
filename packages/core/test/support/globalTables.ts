/** The tables whose rows do not belong to one organization, each with the reason. */
export const globalTables: Readonly<Record<string, string>> = {
  apiTokens:
    "A directory: a token is found by its digest before its organization is known, and tokens of accounts have none.",
  auditRecords: "Records of accounts and of operators have no organization.",
  blobs: "Organizations share content with the same hash.",
  chunkedBlobs: "Organizations share content with the same hash.",
  events: "One log for the whole workspace; events of accounts have no organization.",
  idempotencyKeys: "The key of a request is looked up before its organization is known.",
  jobs: "One queue for all organizations. The payload names what a job works on.",
  mails: "A mail is addressed to an account.",
  oauthRecords: "Programs are authorized by accounts.",
  oidcSubjects:
    "A directory: a sign-in finds its account, also by the providers of the workspace, which have no organization.",
  organizations: "The organizations themselves.",
  outboxEvents: "The events that are not numbered yet; events of accounts have no organization.",
  outlines: "Derived from blobs, and shared as they are.",
  passkeys: "Belong to accounts.",
  pdfs: "Temporary files, by the hash of what they contain.",
  rateLimits: "Counts per address and per caller.",
  recoveryCodes: "Belong to accounts.",
  recoveryFailures: "Belong to accounts.",
  secrets: "Secrets of the workspace.",
  sessions: "A directory: a session is found by its digest, and belongs to an account.",
  signInLinks: "A directory: a link is found by its digest, and belongs to an account.",
  signedInUsers: "Belong to accounts.",
  usedChallenges: "Challenges of sign-ins, before the account is known.",
  users: "Accounts, which are members of several organizations."
}
