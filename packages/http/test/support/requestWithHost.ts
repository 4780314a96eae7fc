/** Sends a request with another `Host` header than the host of the URL, which `fetch` does not permit. */
import { request } from "node:http"

/** Sends a GET request, and resolves with its status. */
export const requestWithHost = (
  url: string,
  host: string,
  path: string,
  headers: Readonly<Record<string, string>>
): Promise<number> =>
  new Promise((resolve, reject) => {
    request(new URL(path, url), { headers: { ...headers, host } }, (response) => {
      response.resume()
      resolve(response.statusCode!)
    })
      .on("error", reject)
      .end()
  })
