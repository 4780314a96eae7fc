/** The field of a comment, with suggestions of people after `@`. What is typed remains on this device until it is sent. */
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react"
import { Button } from "../../components/Button.tsx"
import { showFailure } from "../../data/change.ts"
import { usePeople } from "../../data/people.ts"
import { readStored, writeStored } from "../../store/store.ts"
import { useStrings } from "../../strings/strings.ts"
import { type MentionedUser, markdownOfMentions, typedName } from "./mentions.ts"
import { commentsStrings } from "./strings.ts"

/** Properties of {@link CommentField}. */
export interface CommentFieldProps {
  readonly label: string
  /** The verb of the button. */
  readonly submit: string
  readonly organization: string
  /** The name under which the text is stored on this device until it is sent. */
  readonly draftKey: string
  readonly initial?: string
  readonly autoFocus?: boolean
  readonly isPrimary?: boolean
  /** Sends the Markdown. */
  readonly onSubmit: (markdown: string) => Promise<unknown>
  readonly onCancel?: () => void
}

const mostSuggestions = 6

const useSuggestions = (organization: string, name: string | undefined) => {
  const people = usePeople(organization, name === undefined ? undefined : "")
  const search = name?.toLowerCase() ?? ""
  return name === undefined
    ? []
    : (people.data ?? [])
        .filter(({ displayName, email }) => email !== undefined && displayName.toLowerCase().includes(search))
        .slice(0, mostSuggestions)
}

/** The field of a comment. */
export const CommentField = ({
  label,
  submit,
  organization,
  draftKey,
  initial = "",
  autoFocus = false,
  isPrimary = false,
  onSubmit,
  onCancel
}: CommentFieldProps) => {
  const t = useStrings(commentsStrings)
  const id = useId()
  const storageKey = `comment.${draftKey}`
  const area = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState(() => {
    const stored = readStored(storageKey)
    return typeof stored === "string" && stored !== "" ? stored : initial
  })
  const [position, setPosition] = useState(0)
  const [active, setActive] = useState(0)
  const [isClosed, setIsClosed] = useState(false)
  const [isSending, setIsSending] = useState(false)
  const people = usePeople(organization, text.includes("@") ? "" : undefined)
  const name = isClosed ? undefined : typedName(text, position)
  const suggestions = useSuggestions(organization, name)
  const isOpen = suggestions.length > 0

  useEffect(() => {
    if (autoFocus) area.current?.focus()
  }, [autoFocus])

  const change = (value: string) => {
    setText(value)
    writeStored(storageKey, value)
  }
  const choose = ({ displayName }: MentionedUser) => {
    const start = position - (name?.length ?? 0)
    const changed = `${text.slice(0, start)}${displayName} ${text.slice(position)}`
    change(changed)
    setActive(0)
    const end = start + displayName.length + 1
    setPosition(end)
    requestAnimationFrame(() => {
      area.current?.focus()
      area.current?.setSelectionRange(end, end)
    })
  }
  const send = async () => {
    if (isSending || text.trim() === "") return
    setIsSending(true)
    try {
      await onSubmit(markdownOfMentions(text.trim(), people.data ?? []))
      setText("")
      writeStored(storageKey, "")
    } catch (error) {
      showFailure(t("postFailed"), error)
    } finally {
      setIsSending(false)
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      void send()
      return
    }
    if (event.key === "Escape") {
      if (!isOpen && onCancel === undefined) return
      event.stopPropagation()
      if (isOpen) setIsClosed(true)
      else onCancel?.()
      return
    }
    if (!isOpen) return
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault()
      const step = event.key === "ArrowDown" ? 1 : -1
      setActive((active + step + suggestions.length) % suggestions.length)
    } else if (event.key === "Enter" || event.key === "Tab") {
      event.preventDefault()
      choose(suggestions[Math.min(active, suggestions.length - 1)]!)
    }
  }
  return (
    <form
      className="comment-field"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <textarea
        ref={area}
        className="input"
        aria-label={label}
        aria-controls={`${id}-people`}
        aria-autocomplete="list"
        {...(isOpen ? { "aria-activedescendant": `${id}-${active}` } : {})}
        placeholder={t("placeholder")}
        rows={3}
        maxLength={10_000}
        dir="auto"
        value={text}
        onChange={(event) => {
          change(event.target.value)
          setPosition(event.target.selectionStart)
          setIsClosed(false)
          setActive(0)
        }}
        onSelect={(event) => setPosition(event.currentTarget.selectionStart)}
        onKeyDown={onKeyDown}
      />
      <div
        id={`${id}-people`}
        className="comment-people menu"
        role="listbox"
        aria-label={t("people")}
        hidden={!isOpen}
      >
        {suggestions.map((user, index) => (
          <div
            key={user.id}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            className="menu-item"
            onPointerDown={(event) => {
              event.preventDefault()
              choose(user)
            }}
          >
            <span className="menu-label">{user.displayName}</span>
            <span className="muted small">{user.email}</span>
          </div>
        ))}
      </div>
      <div className="comment-buttons">
        {onCancel === undefined ? null : (
          <Button size="small" variant="quiet" onPress={onCancel}>
            {t("cancel")}
          </Button>
        )}
        <Button
          size="small"
          type="submit"
          variant={isPrimary ? "primary" : "normal"}
          isDisabled={text.trim() === ""}
          isPending={isSending}
        >
          {submit}
        </Button>
      </div>
    </form>
  )
}
