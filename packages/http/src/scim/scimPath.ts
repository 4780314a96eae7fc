/** The path that the endpoints of SCIM are below. */
export const scimPath = "/scim/v2"

/** Whether a path is one of SCIM. */
export const isScimPath = (path: string): boolean => path === scimPath || path.startsWith(`${scimPath}/`)
