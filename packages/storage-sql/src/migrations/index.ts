/** Collects the migrations of the workspace. */
import type { Migration } from "../Migration.ts"
import { foundation } from "./0001-foundation.ts"
import { content } from "./0002-content.ts"
import { comments } from "./0003-comments.ts"
import { people } from "./0004-people.ts"
import { sites } from "./0005-sites.ts"
import { integrations } from "./0006-integrations.ts"
import { openApi } from "./0007-openapi.ts"
import { search } from "./0008-search.ts"
import { idempotencyKeysMigration } from "./0009-idempotency-keys.ts"
import { rateLimits } from "./0010-rate-limits.ts"
import { chunkedBlobsMigration } from "./0011-chunked-blobs.ts"
import { searchVocabularyMigration } from "./0012-search-vocabulary.ts"
import { siteRedirectsMigration } from "./0013-site-redirects.ts"
import { importRunsMigration } from "./0014-import-runs.ts"
import { eventsMigration } from "./0015-events.ts"
import { pdfsMigration } from "./0016-pdfs.ts"
import { tokensMigration } from "./0017-tokens.ts"
import { reviewsMigration } from "./0018-reviews.ts"
import { gitSyncsMigration } from "./0019-git-syncs.ts"
import { openApiProblemsMigration } from "./0020-openapi-problems.ts"
import { blobEncodingMigration } from "./0021-blob-encoding.ts"
import { auditMigration } from "./0022-audit.ts"
import { integrationEventsMigration } from "./0023-integration-events.ts"
import { uploadsMigration } from "./0024-uploads.ts"
import { contentBytesMigration } from "./0025-content-bytes.ts"
import { searchTitlesMigration } from "./0026-search-titles.ts"
import { searchBySpaceMigration } from "./0027-search-by-space.ts"
import { gitQueuesMigration } from "./0028-git-queues.ts"
import { signInAndHostNamesMigration } from "./0029-sign-in-and-host-names.ts"
import { peopleAtWorkMigration } from "./0030-people-at-work.ts"
import { cachesInsightsNotificationsMigration } from "./0031-caches-insights-notifications.ts"
import { passkeysContractMigration } from "./0032-passkeys-contract.ts"
import { provisioningProgramsMigration } from "./0033-provisioning-programs.ts"
import { contractModelsMigration } from "./0034-contract-answers.ts"
import { contractTranslationsMigration } from "./0035-contract-translations.ts"
import { organizationColumnsMigration } from "./0036-organization-columns.ts"

/** Every migration of the workspace, in the order of their numbers. */
export const migrations: ReadonlyArray<Migration> = [
  foundation,
  content,
  comments,
  people,
  sites,
  integrations,
  openApi,
  search,
  idempotencyKeysMigration,
  rateLimits,
  chunkedBlobsMigration,
  searchVocabularyMigration,
  siteRedirectsMigration,
  importRunsMigration,
  eventsMigration,
  pdfsMigration,
  tokensMigration,
  reviewsMigration,
  gitSyncsMigration,
  openApiProblemsMigration,
  blobEncodingMigration,
  auditMigration,
  integrationEventsMigration,
  uploadsMigration,
  contentBytesMigration,
  searchTitlesMigration,
  searchBySpaceMigration,
  gitQueuesMigration,
  signInAndHostNamesMigration,
  peopleAtWorkMigration,
  cachesInsightsNotificationsMigration,
  passkeysContractMigration,
  provisioningProgramsMigration,
  contractModelsMigration,
  contractTranslationsMigration,
  organizationColumnsMigration
]
