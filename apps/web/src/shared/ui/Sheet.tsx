import { Drawer } from '@base-ui/react/drawer'
import { X } from 'lucide-react'
import type { ReactNode, RefObject } from 'react'
import { useText } from '../i18n/index.ts'
import { IconButton } from './IconButton.tsx'
import styles from './Sheet.module.css'
import { useCloseOnBack } from './use-close-on-back.ts'

type SheetProps = {
  open: boolean
  onClose: () => void
  title: string
  /** Explains the sheet, in about one sentence. */
  text?: ReactNode
  children: ReactNode
  /** The main action. It stays at the bottom while the content scrolls. */
  foot?: ReactNode
  /**
   * False while a toast with its own overlay is open. The sheet then adds no backdrop and stays lower, so that the
   * toast above it stays visible.
   */
  dim?: boolean
  /** The element that gets the focus first, if not the first control. */
  initialFocus?: RefObject<HTMLElement | null>
}

/** A sheet from the bottom. It is closed by its button, a swipe down, a tap outside, Escape or going back. */
export function Sheet({ open, onClose, title, text, children, foot, dim = true, initialFocus }: SheetProps) {
  const t = useText()
  useCloseOnBack(open, onClose)
  return (
    <Drawer.Root open={open} onOpenChange={(next) => next || onClose()}>
      <Drawer.Portal>
        <Drawer.Backdrop className={styles.backdrop} data-clear={dim ? undefined : ''} />
        <Drawer.Viewport className={styles.viewport}>
          <Drawer.Popup className={styles.popup} data-low={dim ? undefined : ''} initialFocus={initialFocus}>
            <div className={styles.grab} aria-hidden="true" />
            <header className={styles.head}>
              <Drawer.Title className={styles.title}>{title}</Drawer.Title>
              <Drawer.Close render={<IconButton label={t('common.close')} icon={<X size={20} />} />} />
            </header>
            {/* The scroll area must be reachable by keyboard, even if it contains no control. */}
            <Drawer.Content className={styles.content} tabIndex={0}>
              {text && <Drawer.Description className={styles.text}>{text}</Drawer.Description>}
              {children}
            </Drawer.Content>
            {foot && <div className={styles.foot}>{foot}</div>}
          </Drawer.Popup>
        </Drawer.Viewport>
      </Drawer.Portal>
    </Drawer.Root>
  )
}
