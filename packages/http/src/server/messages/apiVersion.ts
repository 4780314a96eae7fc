/** The version of the API, with which every path of an operation begins. */
export const version = "/v1"
