/** Exports of a space: an archive with Markdown, a PDF, or a Git repository. */
import { ButtonLink } from "../../components/Button.tsx"
import { DownloadButton } from "../../components/DownloadButton.tsx"
import { SpaceFrame } from "../../components/SpaceFrame.tsx"
import { client } from "../../session.ts"
import { useStrings } from "../../strings/strings.ts"
import { importStrings } from "./strings.ts"

/** Exports of a space. */
const ExportScreen = ({ params }: { readonly params: { readonly space: string } }) => {
  const t = useStrings(importStrings)
  const request = { params: { spaceId: params.space } }
  return (
    <SpaceFrame
      spaceId={params.space}
      title={t("exportTitle")}
      isPermitted={({ permissions }) => permissions.access}
    >
      {(space) => (
        <>
          <section className="section settings-form">
            <h2>{t("zip")}</h2>
            <p className="muted">{t("zipBody")}</p>
            <DownloadButton
              isPrimary
              label={t("downloadZip")}
              fileName={`${space.title}.zip`}
              load={(options) => client.exports.getSpaceExport(request, options)}
            />
          </section>
          <section className="section settings-form">
            <h2>{t("pdf")}</h2>
            <p className="muted">{t("pdfBody")}</p>
            <DownloadButton
              label={t("downloadPdf")}
              fileName={`${space.title}.pdf`}
              load={(options) => client.pdf.getSpacePDF(request, options)}
            />
          </section>
          {space.permissions.triggerGitSync ? (
            <section className="section settings-form">
              <h2>{t("git")}</h2>
              <p className="muted">{t("gitBody")}</p>
              <div>
                <ButtonLink to={`/spaces/${space.id}/sync`}>{t("openSync")}</ButtonLink>
              </div>
            </section>
          ) : null}
        </>
      )}
    </SpaceFrame>
  )
}

export default ExportScreen
