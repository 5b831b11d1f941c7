import { defaultLanguage } from '@lode/wire'
import { Check, Copy, ImageDown, Share2 } from 'lucide-react'
import { useState } from 'react'
import { useCopy } from '../../shared/clipboard/index.ts'
import { formatInvite } from '../../shared/format/index.ts'
import { canShare, openShareSheet, useHandOver } from '../../shared/handover/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { toast } from '../../shared/notify/index.ts'
import { QrCode } from '../../shared/qr/index.ts'
import { AddressTail, Button, Card, CopyButton, CopyByHand, HandedFileNote, Skeleton } from '../../shared/ui/index.ts'
import styles from './InviteCard.module.css'
import { drawInvitationPicture } from './invitation-picture.ts'
import type { ShareCard } from './use-share-card.ts'

/** A placeholder with the length of a real code. */
const PLACEHOLDER_CODE = '00000000'

export function InviteCard({ card }: { card: ShareCard | undefined }) {
  const t = useText()
  const copying = useCopy()
  const { handed, hand } = useHandOver()
  const [drawing, setDrawing] = useState(false)
  const formattedCode = formatInvite(card?.code ?? PLACEHOLDER_CODE)
  const language = useLanguage()
  const ownLink = card?.link ?? `${window.location.origin}/regist?invite=${PLACEHOLDER_CODE}`
  // The person who is invited sees the app in the inviter's language first. English needs no word in the link.
  const link = language === defaultLanguage ? ownLink : `${ownLink}&lang=${language}`
  const shared = { title: t('common.appName'), text: t('share.message', { code: formattedCode }), url: link }

  async function share(): Promise<void> {
    if ((await openShareSheet(navigator, shared)) === 'failed') toast.error(t('share.shareFailed'))
  }

  async function savePicture({ tail }: ShareCard): Promise<void> {
    setDrawing(true)
    const texts = {
      app: t('common.appName'),
      invitation: t('common.tagline'),
      inviter: t('share.inviter', { tail: `…${tail}` }),
      codeLabel: t('share.code'),
      code: formattedCode,
      link,
      risk: t('share.risk'),
    }
    const picture = await drawInvitationPicture(texts, getComputedStyle(document.body).fontFamily)
    setDrawing(false)
    if (!picture) return toast.error(t('share.pictureFailed'))
    await hand(new File([picture], `lode-${tail}.png`, { type: picture.type }))
  }

  return (
    <Card>
      <p className={styles.text}>{t('share.text')}</p>
      <QrCode text={card?.link} label={t('share.qr')} />
      <div className={styles.fact}>
        <div>
          <p className={styles.label}>{t('share.code')}</p>
          <p className={styles.code}>{card ? formattedCode : <Skeleton>{formattedCode}</Skeleton>}</p>
        </div>
        {card && <CopyButton text={formattedCode} label={t('share.copyCode')} />}
      </div>
      <div>
        <p className={styles.label}>{t('share.link')}</p>
        <p className={styles.link}>{card ? link : <Skeleton>{link}</Skeleton>}</p>
      </div>
      <div>
        <p className={styles.label}>{t('share.tail')}</p>
        <p className={styles.tail}>
          {card ? <AddressTail value={card.tail} /> : <Skeleton>{`…${'0'.repeat(6)}`}</Skeleton>}
        </p>
      </div>
      <div className={styles.actions}>
        <Button
          disabled={!card}
          icon={copying.copied ? <Check size={20} aria-hidden="true" /> : <Copy size={20} aria-hidden="true" />}
          onClick={() => copying.copy(link)}
        >
          {copying.copied ? t('common.copied') : t('share.copyLink')}
        </Button>
        {canShare(navigator, shared) && (
          <Button
            tone="quiet"
            disabled={!card}
            icon={<Share2 size={20} aria-hidden="true" />}
            onClick={() => void share()}
          >
            {t('share.share')}
          </Button>
        )}
        <Button
          tone="quiet"
          disabled={!card}
          busy={drawing}
          icon={<ImageDown size={20} aria-hidden="true" />}
          onClick={() => card && void savePicture(card)}
        >
          {t('share.savePicture')}
        </Button>
        <HandedFileNote handed={handed} />
      </div>
      <CopyByHand copying={copying} />
    </Card>
  )
}
