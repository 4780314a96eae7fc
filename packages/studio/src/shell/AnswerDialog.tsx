/** The answer of a question, while it is generated. Its document is displayed like any other. */
import { useEffect, useId, useRef, useState } from "react"
import { Button } from "../components/Button.tsx"
import { Dialog } from "../components/Dialog.tsx"
import { type Answer, streamAnswer } from "../data/answers.ts"
import { DocumentView } from "../document/DocumentView.tsx"
import { useAddress } from "../router/location.ts"
import { shellStrings } from "../strings/shell.ts"
import { useStrings } from "../strings/strings.ts"

interface AnswerState {
  readonly answer: Answer | undefined
  readonly error: string | undefined
  readonly isComplete: boolean
}

const initial: AnswerState = { answer: undefined, error: undefined, isComplete: false }

/** Asks a question, and cancels it with the component and before the next one. */
const useAnswer = (organization: string, question: string): AnswerState => {
  const [state, setState] = useState(initial)
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    setState(initial)
    streamAnswer(organization, question, signal, (answer) => setState({ ...initial, answer })).then(
      () => setState((current) => ({ ...current, isComplete: true })),
      (cause: unknown) => {
        if (signal.aborted) return
        const error = cause instanceof Error ? cause.message : String(cause)
        setState((current) => ({ ...current, error, isComplete: true }))
      }
    )
    return () => controller.abort()
  }, [organization, question])
  return state
}

/** Closes the dialog when a link of the answer opens another address. */
const useCloseOnNavigation = (onClose: () => void): void => {
  const { path } = useAddress()
  const opened = useRef(path)
  useEffect(() => {
    if (path !== opened.current) onClose()
  }, [path, onClose])
}

/** Properties of {@link AnswerDialog}. */
export interface AnswerDialogProps {
  readonly organization: string
  readonly question: string
  readonly onClose: () => void
}

/** A dialog with the answer of a question, and further questions. */
export const AnswerDialog = ({ organization, question, onClose }: AnswerDialogProps) => {
  const t = useStrings(shellStrings)
  const [asked, setAsked] = useState(question)
  const { answer, error, isComplete } = useAnswer(organization, asked)
  useCloseOnNavigation(onClose)
  const furtherId = useId()
  return (
    <Dialog title={asked} onClose={onClose} size="wide">
      <div className="dialog-body" aria-busy={!isComplete}>
        <p role="status" className="muted">
          {error ?? (isComplete ? t("answerNotice") : t("answering"))}
        </p>
        {answer === undefined ? null : <DocumentView document={answer.document} />}
        {answer === undefined || answer.followUpQuestions.length === 0 ? null : (
          <section aria-labelledby={furtherId}>
            <p id={furtherId} className="field-label">
              {t("furtherQuestions")}
            </p>
            <ul className="answer-questions">
              {answer.followUpQuestions.map((further) => (
                <li key={further}>
                  <Button size="small" onPress={() => setAsked(further)}>
                    {further}
                  </Button>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </Dialog>
  )
}
