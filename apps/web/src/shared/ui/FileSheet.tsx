import { Check, Copy, Share2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useCopy } from '../clipboard/index.ts'
import { canShare, openShareSheet } from '../handover/index.ts'
import { useText } from '../i18n/index.ts'
import { toast } from '../notify/index.ts'
import { Button } from './Button.tsx'
import styles from './FileSheet.module.css'
import { Sheet } from './Sheet.tsx'
import { LoadingStatus } from './Skeleton.tsx'
import { TextToCopy } from './TextToCopy.tsx'

/** Shows a file on the page: a picture to press and hold, or a text to copy. */
export function FileSheet({ file, onClose }: { file: File; onClose: () => void }) {
  const t = useText()
  const isPicture = file.type.startsWith('image/')
  const content = useContent(file, isPicture)
  const field = useRef<HTMLTextAreaElement>(null)
  const { copied, byHand, copy } = useCopy()

  async function copyOrSelect(text: string): Promise<void> {
    if (await copy(text)) return
    field.current?.focus()
    field.current?.select()
  }

  async function share(): Promise<void> {
    if ((await openShareSheet(navigator, { files: [file] })) === 'failed') toast.error(t('files.shareFailed'))
  }

  return (
    <Sheet
      open
      onClose={onClose}
      title={file.name}
      text={t(isPicture ? 'files.pictureText' : 'files.textText')}
      foot={
        <>
          {!isPicture && (
            <Button
              disabled={content === null}
              icon={copied ? <Check size={20} aria-hidden="true" /> : <Copy size={20} aria-hidden="true" />}
              onClick={() => content !== null && copyOrSelect(content)}
            >
              {t(copied ? 'common.copied' : 'files.copy')}
            </Button>
          )}
          {canShare(navigator, { files: [file] }) && (
            <Button tone="quiet" icon={<Share2 size={20} aria-hidden="true" />} onClick={share}>
              {t('files.share')}
            </Button>
          )}
        </>
      }
    >
      {content === null ? (
        <LoadingStatus />
      ) : isPicture ? (
        <img className={styles.picture} src={content} alt={t('files.picture')} />
      ) : (
        <>
          <div role="status">{byHand !== null && <p className={styles.said}>{t('common.byHand.text')}</p>}</div>
          <TextToCopy ref={field} label={file.name} value={content} />
        </>
      )}
    </Sheet>
  )
}

/**
 * The picture as a `data:` URL, or the text. Not a `blob:` URL: on a long press a web view passes the URL to its app,
 * which can read a `data:` URL only.
 */
function useContent(file: File, isPicture: boolean): string | null {
  const [content, setContent] = useState<string | null>(null)
  useEffect(() => {
    const reader = new FileReader()
    reader.onload = () => setContent(String(reader.result))
    if (isPicture) reader.readAsDataURL(file)
    else reader.readAsText(file)
    return () => {
      reader.onload = null
      reader.abort()
    }
  }, [file, isPicture])
  return content
}
