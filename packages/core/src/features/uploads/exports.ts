export { UploadLimits, type UploadLimitsSettings } from "./UploadLimits.ts"
export { type FoundUpload, type ReceivedUpload, Uploads } from "./Uploads.ts"
export { UploadAddress, uploadsPath } from "./UploadUrls.ts"
