/** Whether an import failed because the package `name` is not installed. A missing module inside of the package is another error. */
export const isPackageMissing = (error: unknown, name: string): boolean =>
  error instanceof Error &&
  "code" in error &&
  error.code === "ERR_MODULE_NOT_FOUND" &&
  error.message.includes(`'${name}'`)
