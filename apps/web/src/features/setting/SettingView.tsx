import { languages } from '@lode/wire'
import { LogOut } from 'lucide-react'
import { useState } from 'react'
import { logOut } from '../../shared/api/index.ts'
import { languageFacts, useLanguage, useText } from '../../shared/i18n/index.ts'
import { useBack } from '../../shared/routing/index.ts'
import { session } from '../../shared/session/index.ts'
import { chooseTheme, themes, useTheme } from '../../shared/theme/index.ts'
import { Button, Card, ConfirmDialog, Segmented, TopBar, View } from '../../shared/ui/index.ts'
import { ProtectionCards } from '../protection/index.ts'
import { ProfileCard } from './ProfileCard.tsx'
import styles from './SettingView.module.css'

export function SettingView() {
  const t = useText()
  const back = useBack('/home')
  const language = useLanguage()
  const theme = useTheme()
  const [asking, setAsking] = useState(false)
  const themeTexts = {
    system: t('setting.themeSystem'),
    paper: t('setting.themePaper'),
    shaft: t('setting.themeShaft'),
  }

  return (
    <View top={<TopBar title={t('shell.titles.setting')} onBack={back} />}>
      <ProfileCard />
      <ProtectionCards />
      <Card title={t('setting.appearance')}>
        <Segmented
          label={t('common.language')}
          value={language}
          options={languages.map((one) => ({
            value: one,
            text: languageFacts[one].name,
            lang: languageFacts[one].htmlLang,
          }))}
          onValue={session.chooseLanguage}
        />
        <Segmented
          label={t('setting.theme')}
          value={theme}
          options={themes.map((one) => ({ value: one, text: themeTexts[one] }))}
          onValue={chooseTheme}
        />
      </Card>
      <div className={styles.logout}>
        <Button tone="quiet" icon={<LogOut size={20} aria-hidden="true" />} onClick={() => setAsking(true)}>
          {t('setting.logout')}
        </Button>
      </div>
      <ConfirmDialog
        open={asking}
        title={t('setting.logoutTitle')}
        text={t('setting.logoutText')}
        confirm={t('setting.logout')}
        onConfirm={() => {
          setAsking(false)
          logOut()
        }}
        onClose={() => setAsking(false)}
      />
    </View>
  )
}
