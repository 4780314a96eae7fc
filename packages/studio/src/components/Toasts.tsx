/** The messages on changes. They stay for as long as the pointer or the focus is in them. */

import { useEffect, useState } from "react"
import { dismissToast, type Toast, toastStore } from "../data/toasts.ts"
import { X } from "../icons/icons.gen.ts"
import { useStore } from "../store/store.ts"
import { shellStrings } from "../strings/shell.ts"
import { useStrings } from "../strings/strings.ts"
import { Button, IconButton } from "./Button.tsx"

const displayMs = 8_000

const ToastItem = ({ toast }: { readonly toast: Toast }) => {
  const t = useStrings(shellStrings)
  const [isHeld, setIsHeld] = useState(false)
  const isFailure = toast.kind === "failed"
  const isLasting = toast.isLasting === true
  useEffect(() => {
    if (isHeld || isFailure || isLasting) return
    const timer = setTimeout(() => dismissToast(toast.id), displayMs)
    return () => clearTimeout(timer)
  }, [isHeld, isFailure, isLasting, toast.id])
  return (
    <li
      className={`toast toast-${toast.kind}`}
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
    >
      <div className="toast-text" role={isFailure ? "alert" : "status"}>
        <strong>{toast.message}</strong>
        {toast.detail === undefined ? null : <p>{toast.detail}</p>}
        {toast.requestId === undefined ? null : (
          <code className="request-id">{t("requestId", { id: toast.requestId })}</code>
        )}
      </div>
      {toast.next === undefined ? null : (
        <Button
          size="small"
          onPress={() => {
            dismissToast(toast.id)
            toast.next?.run()
          }}
        >
          {toast.next.label}
        </Button>
      )}
      {toast.undo === undefined ? null : (
        <Button
          size="small"
          onPress={() => {
            dismissToast(toast.id)
            toast.undo?.()
          }}
        >
          {t("undo")}
        </Button>
      )}
      <IconButton label={t("dismiss")} icon={<X size={16} />} onPress={() => dismissToast(toast.id)} />
    </li>
  )
}

/** The messages on changes, in the corner of the window. */
export const Toasts = () => {
  const t = useStrings(shellStrings)
  const toasts = useStore(toastStore)
  return (
    <section aria-label={t("notifications")} className="toasts">
      <ol>
        {toasts.map((toast) => (
          <ToastItem key={toast.id} toast={toast} />
        ))}
      </ol>
    </section>
  )
}
