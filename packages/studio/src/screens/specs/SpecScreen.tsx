/** An API specification: its source, its problems and its versions. */
import type { OpenAPISpec, Organization } from "@lectern/client/fetch"
import { ActionMenu } from "../../components/ActionMenu.tsx"
import { Button } from "../../components/Button.tsx"
import { openConfirm } from "../../components/openConfirm.tsx"
import { ScreenFrame } from "../../components/Screen.tsx"
import { Loaded } from "../../components/states.tsx"
import { Time } from "../../components/Time.tsx"
import { runChange } from "../../data/change.ts"
import { useList, usePolling } from "../../data/lists.ts"
import { useOrganization } from "../../data/organization.ts"
import { Braces } from "../../icons/icons.gen.ts"
import { Link } from "../../router/Link.tsx"
import { navigate } from "../../router/location.ts"
import { client } from "../../session.ts"
import { commonStrings } from "../../strings/common.ts"
import { useFormats } from "../../strings/formats.ts"
import { shellStrings } from "../../strings/shell.ts"
import { translate, useStrings } from "../../strings/strings.ts"
import { isProcessing, specsKey, useSpec } from "./data.ts"
import { openReplaceSource } from "./SourceDialog.tsx"
import { SpecStatus } from "./SpecStatus.tsx"
import { specStrings } from "./strings.ts"

const refresh = (organization: Organization, { slug, sourceURL }: OpenAPISpec) =>
  runChange({
    send: () =>
      client.openApiSpecs.createOrUpdateOpenAPISpecBySlug({
        params: { organizationId: organization.id, specSlug: slug },
        payload: { source: { url: sourceURL! } }
      }),
    message: translate(specStrings, "refreshed"),
    failure: translate(specStrings, "refreshFailed"),
    invalidates: [specsKey(organization.id)]
  })

const openDelete = (organization: Organization, { slug }: OpenAPISpec): void =>
  openConfirm({
    title: translate(specStrings, "deleteTitle", { slug }),
    body: translate(specStrings, "deleteBody"),
    confirm: translate(commonStrings, "delete"),
    run: () =>
      void runChange({
        send: async () => {
          await client.openApiSpecs.deleteOpenAPISpecBySlug({
            params: { organizationId: organization.id, specSlug: slug }
          })
          navigate("/specs")
        },
        message: translate(specStrings, "deleted", { slug }),
        failure: translate(specStrings, "deleteFailed"),
        invalidates: [specsKey(organization.id)]
      })
  })

const Problems = ({ spec }: { readonly spec: OpenAPISpec }) => {
  const t = useStrings(specStrings)
  const problems = spec.lastProcessedErrors ?? []
  return (
    <section className="section">
      <div className="section-header">
        <h2>{t("problems")}</h2>
      </div>
      {spec.lastProcessErrorCode === undefined ? null : (
        <p role="alert" className="notice notice-danger">
          {t("failedBody")}
        </p>
      )}
      {problems.length === 0 ? (
        spec.lastProcessErrorCode === undefined ? (
          <p className="muted">{t(isProcessing(spec) ? "reading" : "noProblems")}</p>
        ) : null
      ) : (
        <ul className="list">
          {problems.map((problem) => (
            <li key={`${problem.code} ${problem.file} ${problem.line} ${problem.column} ${problem.pointer}`}>
              <div className="list-text">
                <strong className="list-title">{problem.message}</strong>
                <p className="list-detail">
                  {problem.file === undefined ? null : <span>{problem.file}</span>}
                  {problem.line === undefined ? null : (
                    <span>{t("position", { line: problem.line, column: problem.column ?? 1 })}</span>
                  )}
                  {problem.pointer === undefined ? null : <code>{problem.pointer}</code>}
                </p>
              </div>
              <span className={problem.severity === "error" ? "tag tag-danger" : "tag tag-warning"}>
                {t(problem.severity === "error" ? "severityError" : "severityWarning")}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const Versions = ({
  organization,
  spec
}: {
  readonly organization: Organization
  readonly spec: OpenAPISpec
}) => {
  const t = useStrings(specStrings)
  const { dateTime } = useFormats()
  const versions = useList(`${specsKey(organization.id)}/${spec.slug}/versions`, (query, signal) =>
    client.openApiSpecs.listOpenAPISpecVersions(
      { params: { organizationId: organization.id, specSlug: spec.slug }, query },
      { signal }
    )
  )
  return (
    <section className="section">
      <div className="section-header">
        <h2>{t("versions")}</h2>
      </div>
      <Loaded resource={versions}>
        {(items) =>
          items.length === 0 ? (
            <p className="muted">{t("noVersions")}</p>
          ) : (
            <ul className="list">
              {items.map(({ id, createdAt, url }) => (
                <li key={id}>
                  <div className="list-text">
                    <strong className="list-title">{t("version", { time: dateTime(createdAt) })}</strong>
                    <p className="list-detail">
                      <a href={url} target="_blank" rel="noreferrer">
                        {t("openDocument")}
                      </a>
                    </p>
                  </div>
                  {id === spec.lastVersion ? <span className="tag tag-primary">{t("latest")}</span> : null}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  )
}

/** An API specification. */
const SpecScreen = ({ params }: { readonly params: { readonly spec: string } }) => {
  const t = useStrings(specStrings)
  const shell = useStrings(shellStrings)
  const common = useStrings(commonStrings)
  const { data: organization } = useOrganization()
  const resource = useSpec(params.spec)
  const spec = resource.data
  usePolling(resource, spec !== undefined && isProcessing(spec))
  const canEdit = spec?.permissions.edit === true && organization !== undefined
  return (
    <ScreenFrame
      title={params.spec}
      icon={<Braces aria-hidden />}
      above={<Link to="/specs">{t("specs")}</Link>}
      actions={
        canEdit ? (
          <>
            <ActionMenu
              label={shell("moreActions")}
              actions={[
                ...(spec.sourceURL === undefined
                  ? []
                  : [{ id: "refresh", label: t("refresh"), run: () => void refresh(organization, spec) }]),
                {
                  id: "delete",
                  label: common("delete"),
                  isDangerous: true,
                  run: () => openDelete(organization, spec)
                }
              ]}
            />
            <Button variant="primary" onPress={() => openReplaceSource(organization, spec)}>
              {t("replace")}
            </Button>
          </>
        ) : undefined
      }
      meta={
        spec === undefined ? undefined : (
          <>
            <SpecStatus spec={spec} />
            <span>{spec.sourceURL ?? t("uploaded")}</span>
            {spec.lastProcessedAt === undefined ? null : <Time value={spec.lastProcessedAt} />}
          </>
        )
      }
    >
      <Loaded resource={resource}>
        {(known) =>
          organization === undefined ? null : (
            <>
              <Problems spec={known} />
              <Versions organization={organization} spec={known} />
            </>
          )
        }
      </Loaded>
    </ScreenFrame>
  )
}

export default SpecScreen
