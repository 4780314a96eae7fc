/** Sites. */
import { fact, fresh, type Kind, type Made, organizationOf, pick, renamed } from "./Write.ts"

/** What is written to them. */
export const sites: ReadonlyArray<Kind> = [
  (writer) => {
    const title = fresh(writer)
    return {
      method: "POST",
      path: `${organizationOf(writer)}/sites`,
      body: { title, spaces: writer.spaces.slice(0, writer.draw(2)) },
      done: ({ id }: Made) => {
        writer.sites.push(`${organizationOf(writer)}/sites/${id}`)
        return [fact(`${organizationOf(writer)}/sites/${id}`, "title", title)]
      }
    }
  },
  (writer) => renamed(writer, pick(writer, writer.sites)),
  (writer) => {
    const [site, space] = [pick(writer, writer.sites), pick(writer, writer.spaces)]
    if (site === undefined || space === undefined) return undefined
    return {
      method: "POST",
      path: `${site}/site-spaces`,
      body: { spaceId: space },
      done: () => []
    }
  },
  (writer) => {
    const [site, space] = [pick(writer, writer.sites), pick(writer, writer.spaces)]
    if (site === undefined || space === undefined) return undefined
    return { method: "POST", path: `${site}/sections`, body: { spaceId: space } }
  },
  (writer) => {
    const site = pick(writer, writer.sites)
    if (site === undefined) return undefined
    return { method: "POST", path: `${site}/section-groups`, body: { title: fresh(writer) } }
  },
  (writer) => {
    const site = pick(writer, writer.sites)
    if (site === undefined) return undefined
    const published = writer.draw(2) === 0
    return {
      method: "POST",
      path: `${site}/${published ? "publish" : "unpublish"}`,
      facts: [fact(site, "published", published)]
    }
  },
  (writer) => {
    const site = pick(writer, writer.sites)
    if (site === undefined) return undefined
    return { method: "POST", path: `${site}/share-links`, body: { name: fresh(writer) } }
  }
]
