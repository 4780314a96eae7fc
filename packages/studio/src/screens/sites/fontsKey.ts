/** The key of the fonts of an organization. */
export const fontsKey = (organizationId: string): string => `organizations/${organizationId}/fonts`
