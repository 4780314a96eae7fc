/** Declares the settings of the sources that the server reads: the URLs of OpenAPI specs, imports and uploads. */
import { Schema } from "effect"
import { defineSetting } from "./Setting.ts"
import { wholeNumber } from "./wholeNumber.ts"

const PollHours = Schema.FiniteFromString.check(
  Schema.isBetween({ minimum: 0, maximum: 8_760 }, { message: "must be a number of hours, 0 to 8760" })
)

/** How often the URLs of OpenAPI specs are polled. */
export const openApiPollHours = defineSetting({
  flag: "openapi-poll-hours",
  description:
    "How often the URLs of OpenAPI specs are polled for changes, in hours, at most 8760. 0 polls none: specs are read when their source is set.",
  schema: PollHours,
  fallback: "6"
})

/** The maximum number of pages of an archive. */
export const importMaxPages = defineSetting({
  flag: "import-max-pages",
  description:
    "The maximum number of pages of an archive or a Git repository that is imported, at most 50000.",
  schema: wholeNumber(50_000, "pages"),
  fallback: "10000"
})

/** The maximum transfer size of an archive. */
export const importMaxArchiveSize = defineSetting({
  flag: "import-max-archive-size",
  description:
    "The maximum size of an archive or of the files of a Git commit that is imported, compressed, in MiB, at most 512. Unpacked, they may have twice this size, and 128 MiB.",
  schema: wholeNumber(512, "MiB"),
  fallback: "64"
})

/** The maximum number of pages of a website. */
export const importMaxWebsitePages = defineSetting({
  flag: "import-max-website-pages",
  description:
    "The maximum number of pages of a website that are imported, at most 10000. Further pages are omitted, and the report of the import run lists them.",
  schema: wholeNumber(10_000, "pages"),
  fallback: "500"
})

/** The maximum sum of the sizes of the uploads of a user in an organization. */
export const uploadMaxUserSize = defineSetting({
  flag: "upload-max-user-size",
  description:
    "The maximum sum of the sizes of the files that a user uploads to signed URLs of an organization within 24 hours, in MiB.",
  schema: wholeNumber(1_048_576, "MiB"),
  fallback: "2048"
})

/** The maximum sum of the sizes of the uploads of an organization. */
export const uploadMaxOrganizationSize = defineSetting({
  flag: "upload-max-organization-size",
  description:
    "The maximum sum of the sizes of the files that all users upload to signed URLs of an organization within 24 hours, in MiB.",
  schema: wholeNumber(1_048_576, "MiB"),
  fallback: "10240"
})
