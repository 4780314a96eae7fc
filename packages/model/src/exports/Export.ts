/** Exports of content as the files of a repository. */

import * as Schema from "effect/Schema"
import { resource } from "../schema/resource.ts"

/** The URL of an export. */
export class ExportUrl extends resource<ExportUrl>()(
  Schema.Struct({
    /** A signed URL that serves a ZIP archive without a token. It expires after an hour. */
    url: Schema.String
  }).annotate({ identifier: "Export" })
) {}
