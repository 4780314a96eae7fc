/** The configuration that the server writes into the page. */

const readMeta = (name: string): string =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? ""

/** Where the application and the API are. */
export const config = {
  /** The path that the application is mounted at, without a trailing slash, such as `/app`. */
  basePath: readMeta("lectern-base"),
  /** The base URL of the API, without `/v1`. */
  api: readMeta("lectern-api"),
  /** The base URL of the documentation, such as `/help`. Empty for none. */
  help: readMeta("lectern-help"),
  /** The name of the product. */
  name: readMeta("lectern-name"),
  /** Whether the rail and the sidebar are displayed. */
  hasNavigation: readMeta("lectern-navigation") !== "hidden"
} as const
