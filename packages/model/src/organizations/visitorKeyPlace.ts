/** The place of the visitor key of an organization, which its encryption authenticates. */
export const visitorKeyPlace = (organization: string): string => `organization ${organization} visitorKey`
