import { Check, Copy } from 'lucide-react'
import { useCopy } from '../../shared/clipboard/index.ts'
import { spelledInvite } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Button, Card, CopyButton, Skeleton } from '../../shared/ui/index.ts'
import styles from './InviteCard.module.css'
import { invitationLink } from './invitation-link.ts'

/** As long as every other, until the member's own has come. */
const ANY_CODE = '00000000'

export function InviteCard({ code }: { code: string | undefined }) {
  const t = useText()
  const { copied, copy } = useCopy()
  const spelled = spelledInvite(code ?? ANY_CODE)
  const link = invitationLink(window.location.origin, code ?? ANY_CODE)
  return (
    <Card title={t('home.invite')}>
      <p className={styles.text}>{t('home.inviteText')}</p>
      <div className={styles.fact}>
        <div>
          <p className={styles.label}>{t('home.inviteCode')}</p>
          <p className={styles.code}>{code ? spelled : <Skeleton>{spelled}</Skeleton>}</p>
        </div>
        {code && <CopyButton text={spelled} label={t('home.copyCode')} />}
      </div>
      <div>
        <p className={styles.label}>{t('home.inviteLink')}</p>
        <p className={styles.link}>{code ? link : <Skeleton>{link}</Skeleton>}</p>
      </div>
      <Button
        disabled={!code}
        icon={copied ? <Check size={20} aria-hidden="true" /> : <Copy size={20} aria-hidden="true" />}
        onClick={() => copy(link)}
      >
        {copied ? t('common.copied') : t('home.copyLink')}
      </Button>
    </Card>
  )
}
