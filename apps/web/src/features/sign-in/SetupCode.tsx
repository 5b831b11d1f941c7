import { Check, Copy } from 'lucide-react'
import { type ComponentProps, type ComponentType, lazy, Suspense, useState } from 'react'
import { useCopy } from '../../shared/clipboard/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Button, Card, CopyByHand, LanguageSelect, TopBar, View } from '../../shared/ui/index.ts'
import type { ChoosePasswordSheet } from '../protection/index.ts'
import { Brand } from './Brand.tsx'
import styles from './sign-in.module.css'

/** Loaded on demand, because only a new member needs it. If loading fails, the page still shows the code. */
const ChoosePassword = lazy<ComponentType<ComponentProps<typeof ChoosePasswordSheet>>>(() =>
  import('../protection/index.ts').then(
    ({ ChoosePasswordSheet }) => ({ default: ChoosePasswordSheet }),
    () => ({ default: () => null }),
  ),
)

/** Shown once, right after registration. The sheet for the fund password then has the code filled in. */
export function SetupCode({ code, onDone }: { code: string; onDone: () => void }) {
  const t = useText()
  const copying = useCopy()
  const [isChoosingPassword, setChoosing] = useState(false)
  const groups = code.match(/.{1,4}/g) ?? [code]
  return (
    <View
      top={<TopBar end={<LanguageSelect />} />}
      foot={
        <>
          <Button onClick={() => setChoosing(true)}>{t('protection.password.choose')}</Button>
          <Button tone="plain" onClick={onDone}>
            {t('signIn.setup.later')}
          </Button>
        </>
      }
    >
      <Brand title={t('signIn.setup.title')} text={t('signIn.setup.text')} />
      <Card title={t('signIn.setup.code')}>
        <p className={styles.code}>
          {groups.map((group, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the groups of a code never change places
            <span key={index}>{group}</span>
          ))}
        </p>
        <Button
          tone="quiet"
          icon={copying.copied ? <Check size={18} color="var(--jade)" /> : <Copy size={18} />}
          onClick={() => copying.copy(groups.join('-'))}
        >
          {t('signIn.setup.copy')}
        </Button>
        <CopyByHand copying={copying} />
        <p className={styles.small}>{t('signIn.setup.whatFor')}</p>
      </Card>
      <Suspense>
        <ChoosePassword open={isChoosingPassword} onClose={() => setChoosing(false)} code={code} onChosen={onDone} />
      </Suspense>
    </View>
  )
}
