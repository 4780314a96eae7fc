/** The public names of uploads in `@lectern/core`, besides the model. */
export { UploadLimits, type UploadLimitsSettings } from "./UploadLimits.ts"
export { type FoundUpload, type ReceivedUpload, Uploads } from "./Uploads.ts"
export { UploadAddress, uploadsPath } from "./UploadUrls.ts"
