import { Check, Copy } from 'lucide-react'
import { useCopy } from '../../shared/clipboard/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Button, Card, LanguageSelect, TopBar, View } from '../../shared/ui/index.ts'
import { Brand } from './Brand.tsx'
import styles from './sign-in.module.css'

/** Shown once, right after registration, and never again. */
export function SetupCode({ code, onDone }: { code: string; onDone: () => void }) {
  const t = useText()
  const { copied, copy } = useCopy()
  const groups = code.match(/.{1,4}/g) ?? [code]
  return (
    <View top={<TopBar end={<LanguageSelect />} />} foot={<Button onClick={onDone}>{t('signIn.setup.done')}</Button>}>
      <Brand title={t('signIn.setup.title')} text={t('signIn.setup.text')} />
      <Card title={t('signIn.setup.code')}>
        <p className={styles.code}>
          {groups.map((group, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the groups of a code never change places
            <span key={place}>{group}</span>
          ))}
        </p>
        <Button
          tone="quiet"
          icon={copied ? <Check size={18} color="var(--jade)" /> : <Copy size={18} />}
          onClick={() => copy(groups.join('-'))}
        >
          {t('signIn.setup.copy')}
        </Button>
        <p className={styles.small}>{t('signIn.setup.whatFor')}</p>
      </Card>
    </View>
  )
}
