/** The insights of a site: how often its pages are opened, per day and per page, and other events. */
import type { SiteInsights } from "@lectern/client/fetch"
import { BarChart } from "../../components/BarChart.tsx"
import { Button } from "../../components/Button.tsx"
import { EmptyState, Loaded } from "../../components/states.tsx"
import { useResource } from "../../data/useResource.ts"
import { ChartColumn } from "../../icons/icons.gen.ts"
import { Link } from "../../router/Link.tsx"
import { useAddress, withQuery } from "../../router/location.ts"
import { client } from "../../session.ts"
import { useFormats } from "../../strings/formats.ts"
import { useStrings } from "../../strings/strings.ts"
import { type KnownSite, siteKey } from "./data.ts"
import { insightStrings } from "./insightStrings.ts"
import { insightsCsv } from "./insightsCsv.ts"
import { SiteFrame } from "./SiteFrame.tsx"

/** The periods that can be chosen, in days. The first one is that of an address without a period. */
const periods = [30, 7, 90, 365] as const

type Period = (typeof periods)[number]

const periodOf = (text: string | null): Period =>
  periods.find((period) => String(period) === text) ?? periods[0]

const sumOf = (values: ReadonlyArray<{ readonly views: number }>): number =>
  values.reduce((sum, { views }) => sum + views, 0)

const Periods = ({ current }: { readonly current: Period }) => {
  const t = useStrings(insightStrings)
  const address = useAddress()
  return (
    <nav className="tabs" aria-label={t("period")}>
      {periods
        .toSorted((one, other) => one - other)
        .map((days) => (
          <Link
            key={days}
            to={withQuery(address, "days", days === periods[0] ? undefined : String(days))}
            data-current={days === current}
          >
            {t("lastDays", { days })}
          </Link>
        ))}
    </nav>
  )
}

const Views = ({ days }: { readonly days: SiteInsights["days"] }) => {
  const t = useStrings(insightStrings)
  const { number, date } = useFormats()
  const total = sumOf(days)
  const highest = days.reduce((one, other) => (other.views > one.views ? other : one))
  const viewsOf = (views: number) => t("views", { count: views })
  const busiest = t("busiestDay", { day: date(highest.day), views: viewsOf(highest.views) })
  return (
    <section className="section">
      <div className="section-header">
        <h2>{t("viewsTitle")}</h2>
      </div>
      <p className="chart-total">{viewsOf(total)}</p>
      <BarChart
        label={`${viewsOf(total)}. ${busiest}`}
        from={date(days[0]!.day)}
        to={date(days.at(-1)!.day)}
        format={number}
        bars={days.map(({ day, views }) => ({
          key: day,
          value: views,
          label: t("viewsOfDay", { day: date(day), views: viewsOf(views) })
        }))}
      />
      <details className="chart-table">
        <summary>{t("dayTable")}</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">{t("day")}</th>
              <th scope="col">{t("viewCount")}</th>
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map(({ day, views }) => (
              <tr key={day}>
                <th scope="row">{date(day)}</th>
                <td>{number(views)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  )
}

/** Lets the user save the insights as a file. */
const Download = ({ insights }: { readonly insights: SiteInsights }) => {
  const t = useStrings(insightStrings)
  const download = () => {
    const url = URL.createObjectURL(new Blob([insightsCsv(insights)], { type: "text/csv" }))
    const link = document.createElement("a")
    link.href = url
    link.download = "insights.csv"
    link.click()
    URL.revokeObjectURL(url)
  }
  return <Button onPress={download}>{t("download")}</Button>
}

interface CountedItem {
  readonly key: string
  readonly title: string
  readonly href?: string | undefined
  readonly count: number
}

/** A list with a bar for each count, relative to the first one. */
const Counts = ({ title, items }: { readonly title: string; readonly items: ReadonlyArray<CountedItem> }) => {
  const { number } = useFormats()
  const highest = Math.max(1, ...items.map(({ count }) => count))
  return (
    <section className="section">
      <div className="section-header">
        <h2>{title}</h2>
      </div>
      <ul className="list">
        {items.map(({ key, title: name, href, count }) => (
          <li key={key} className="counted">
            <div className="list-text">
              {href === undefined ? (
                <strong className="list-title">{name}</strong>
              ) : (
                <a className="list-link" href={href} target="_blank" rel="noreferrer">
                  {name}
                </a>
              )}
              <svg className="count-bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden>
                <rect width={(count / highest) * 100} height={1} />
              </svg>
            </div>
            <span className="count-value">{number(count)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const Insights = ({ known, insights }: { readonly known: KnownSite; readonly insights: SiteInsights }) => {
  const t = useStrings(insightStrings)
  const { days, pages, events, ratings, searchesWithoutResults, pathsNotFound } = insights
  const others = events.filter(({ type }) => type !== "page_view")
  if (events.length + searchesWithoutResults.length + pathsNotFound.length === 0) {
    return (
      <EmptyState icon={<ChartColumn />} title={t("noViews")}>
        {known.site.published ? t("noViewsBody") : t("notPublishedBody")}
      </EmptyState>
    )
  }
  const root = known.site.published ? known.site.urls.published : undefined
  return (
    <>
      <Views days={days} />
      <Download insights={insights} />
      {pages.length === 0 ? null : (
        <Counts
          title={t("pagesTitle")}
          items={pages.map(({ page, path, views }) => ({
            key: page,
            title: path === "" ? t("rootPage") : `/${path}`,
            href:
              root === undefined ? undefined : `${root}${path.split("/").map(encodeURIComponent).join("/")}`,
            count: views
          }))}
        />
      )}
      {ratings.length === 0 ? null : (
        <Counts
          title={t("ratingsTitle")}
          items={ratings.map(({ page, path, good, bad }) => ({
            key: page,
            title: `${path === "" ? t("rootPage") : `/${path}`}: ${t("ratingOf", { good, bad })}`,
            count: good + bad
          }))}
        />
      )}
      {searchesWithoutResults.length === 0 ? null : (
        <Counts
          title={t("searchesTitle")}
          items={searchesWithoutResults.map(({ query, count }) => ({ key: query, title: query, count }))}
        />
      )}
      {pathsNotFound.length === 0 ? null : (
        <Counts
          title={t("pathsTitle")}
          items={pathsNotFound.map(({ path, count }) => ({ key: path, title: `/${path}`, count }))}
        />
      )}
      {others.length === 0 ? null : (
        <Counts
          title={t("eventsTitle")}
          items={others.map(({ type, count }) => ({ key: type, title: t(`event-${type}`), count }))}
        />
      )}
    </>
  )
}

const LoadedInsights = ({ known }: { readonly known: KnownSite }) => {
  const { query } = useAddress()
  const days = periodOf(query.get("days"))
  const insights = useResource(`${siteKey(known.site.id)}/insights/${days}`, (signal) =>
    client.sites.getSiteInsights({ params: known.params, query: { days } }, { signal })
  )
  return (
    <>
      <Periods current={days} />
      <Loaded resource={insights}>{(data) => <Insights known={known} insights={data} />}</Loaded>
    </>
  )
}

/** The insights of a site. */
const InsightsScreen = ({ params }: { readonly params: { readonly site: string } }) => {
  const t = useStrings(insightStrings)
  return (
    <SiteFrame siteId={params.site} title={t("insights")}>
      {(known) => <LoadedInsights known={known} />}
    </SiteFrame>
  )
}

export default InsightsScreen
