import { AlertDialog } from '@base-ui/react/alert-dialog'
import { useText } from '../i18n/index.ts'
import { Button } from './Button.tsx'
import styles from './ConfirmDialog.module.css'
import { useCloseOnBack } from './use-close-on-back.ts'

type ConfirmDialogProps = {
  open: boolean
  title: string
  text: string
  confirm: string
  /** The text of the safe answer, where “Cancel” would be misunderstood. */
  keep?: string
  onConfirm: () => void
  onClose: () => void
}

/** Asks before an action that one tap cannot undo. The safe answer comes first, also for the focus. */
export function ConfirmDialog({ open, title, text, confirm, keep, onConfirm, onClose }: ConfirmDialogProps) {
  const t = useText()
  useCloseOnBack(open, onClose)
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => next || onClose()}>
      <AlertDialog.Portal>
        {/* Also drawn over a sheet, so that the sheet's content is not mistaken for a part of the question. */}
        <AlertDialog.Backdrop className={styles.backdrop} forceRender />
        <AlertDialog.Popup className={styles.popup}>
          <AlertDialog.Title className={styles.title}>{title}</AlertDialog.Title>
          <AlertDialog.Description className={styles.text}>{text}</AlertDialog.Description>
          <div className={styles.actions}>
            <AlertDialog.Close render={<Button tone="quiet">{keep ?? t('common.cancel')}</Button>} />
            <Button tone="danger" onClick={onConfirm}>
              {confirm}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
