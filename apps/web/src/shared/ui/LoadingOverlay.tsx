import { useEffect, useRef } from 'react'
import { useText } from '../i18n/index.ts'
import { useLoading } from '../notify/index.ts'
import styles from './LoadingOverlay.module.css'

/** Mounted once. A modal dialog of the browser, so the page below can be neither scrolled nor focused. */
export function LoadingOverlay() {
  const text = useLoading((loading) => loading.text)
  return text === null ? null : <Overlay text={text} />
}

function Overlay({ text }: { text: string }) {
  const t = useText()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  const words = text || t('common.loading')
  return (
    <dialog ref={dialog} className={styles.overlay} aria-label={words} onCancel={(event) => event.preventDefault()}>
      <div className={styles.box} role="status">
        <span className={styles.spinner} aria-hidden="true" />
        <span>{words}</span>
      </div>
    </dialog>
  )
}
