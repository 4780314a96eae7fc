/** The search in all pages of the organization. The address names the words, so that results can be linked. */
import type { SearchPageResult } from "@lectern/client/fetch"
import { useEffect, useState } from "react"
import { Input, SearchField } from "react-aria-components"
import { Highlighted } from "../../components/Highlighted.tsx"
import { ScreenFrame } from "../../components/Screen.tsx"
import { EmptyState, Loaded } from "../../components/states.tsx"
import { useOrganization } from "../../data/organization.ts"
import { useResource } from "../../data/useResource.ts"
import { SearchX } from "../../icons/icons.gen.ts"
import { Link } from "../../router/Link.tsx"
import { navigate, useAddress } from "../../router/location.ts"
import { pagePath } from "../../router/pagePaths.ts"
import { client } from "../../session.ts"
import { useStrings } from "../../strings/strings.ts"
import { homeStrings } from "./strings.ts"

const typingDelayMs = 250
const maximumSections = 2

interface ResultProps {
  readonly page: SearchPageResult
  readonly space: string
  /** The path of the page in the application. */
  readonly to: string
}

const Result = ({ page, space, to }: ResultProps) => (
  <li className="result">
    <p className="breadcrumbs small muted">
      {[space, ...page.breadcrumbs.map(({ title }) => title)].join(" / ")}
    </p>
    <Link className="result-title" to={to}>
      <Highlighted text={page.title} ranges={page.titleHighlights} />
    </Link>
    {page.sections.slice(0, maximumSections).map(({ id, title, body, titleHighlights, bodyHighlights }) => (
      <p key={id} className="result-section">
        {title === "" ? null : (
          <strong>
            <Highlighted text={title} ranges={titleHighlights} />{" "}
          </strong>
        )}
        <Highlighted text={body} ranges={bodyHighlights} />
      </p>
    ))}
  </li>
)

/** The search. */
const SearchScreen = () => {
  const t = useStrings(homeStrings)
  const { query: parameters } = useAddress()
  const query = parameters.get("q") ?? ""
  const [text, setText] = useState(query)
  const { data: organization } = useOrganization()
  const id = organization?.id
  useEffect(() => setText(query), [query])
  useEffect(() => {
    if (text.trim() === query) return
    const timer = setTimeout(
      () => navigate(`/search?${new URLSearchParams({ q: text.trim() })}`, { replace: true }),
      typingDelayMs
    )
    return () => clearTimeout(timer)
  }, [text, query])
  const results = useResource(
    id === undefined || query === "" ? undefined : `organizations/${id}/search/${query}/all`,
    (signal) =>
      client.search.searchOrganizationContent(
        { params: { organizationId: id! }, query: { query, limit: 50 } },
        { signal }
      )
  )
  return (
    <ScreenFrame
      title={query === "" ? t("searchTitle") : query}
      heading={<h1>{t("searchTitle")}</h1>}
      width="text"
    >
      <SearchField
        aria-label={t("searchLabel")}
        value={text}
        onChange={setText}
        autoFocus
        className="search-field"
      >
        <Input className="input" placeholder={t("searchLabel")} />
      </SearchField>
      {query === "" ? (
        <p className="muted small">{t("searchHint")}</p>
      ) : (
        <Loaded resource={results}>
          {({ items }) =>
            items.length === 0 ? (
              <EmptyState icon={<SearchX />} title={t("searchEmpty", { query })}>
                {t("searchEmptyBody")}
              </EmptyState>
            ) : (
              <ul className="results">
                {items.flatMap((space) =>
                  space.pages.map((page) => (
                    <Result
                      key={`${space.id} ${page.id}`}
                      space={space.title}
                      page={page}
                      to={pagePath({ spaceId: space.id }, page)}
                    />
                  ))
                )}
              </ul>
            )
          }
        </Loaded>
      )}
    </ScreenFrame>
  )
}

export default SearchScreen
