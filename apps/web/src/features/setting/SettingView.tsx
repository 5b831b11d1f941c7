import { languages } from '@lode/wire'
import {
  ArrowUpRight,
  Bell,
  ChevronRight,
  CircleHelp,
  CreditCard,
  Landmark,
  LogOut,
  ReceiptText,
  UserPlus,
} from 'lucide-react'
import { Suspense, useState } from 'react'
import { Link } from 'react-router'
import { logOut } from '../../shared/api/index.ts'
import { languageFacts, useLanguage, useText } from '../../shared/i18n/index.ts'
import { useBack } from '../../shared/routing/index.ts'
import { session, useSession } from '../../shared/session/index.ts'
import { chooseTheme, themes, useTheme } from '../../shared/theme/index.ts'
import { Button, Card, Columns, ConfirmDialog, Segmented, TopBar, View } from '../../shared/ui/index.ts'
import { NoticeBell } from '../notice/index.ts'
import { DisabledNote } from '../profile/index.ts'
import { ProtectionCards } from '../protection/index.ts'
import { ProfileCard } from './ProfileCard.tsx'
import styles from './SettingView.module.css'

export function SettingView() {
  const t = useText()
  const back = useBack('/home')
  const language = useLanguage()
  const theme = useTheme()
  const isExitSession = useSession(({ exit }) => exit)
  const [isConfirmOpen, setConfirmOpen] = useState(false)
  const themeTexts = {
    system: t('setting.themeSystem'),
    paper: t('setting.themePaper'),
    shaft: t('setting.themeShaft'),
  }

  return (
    <View wide top={<TopBar title={t('shell.titles.setting')} onBack={back} end={<NoticeBell />} />}>
      <Suspense>{isExitSession && <DisabledNote />}</Suspense>
      <Columns
        main={
          <>
            <ProfileCard />
            <SettingLinks />
          </>
        }
        side={
          <>
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
              <Button tone="quiet" icon={<LogOut size={20} aria-hidden="true" />} onClick={() => setConfirmOpen(true)}>
                {t('setting.logout')}
              </Button>
            </div>
          </>
        }
      />
      <ConfirmDialog
        open={isConfirmOpen}
        title={t('setting.logoutTitle')}
        text={t('setting.logoutText')}
        confirm={t('setting.logout')}
        onConfirm={() => {
          setConfirmOpen(false)
          logOut()
        }}
        onClose={() => setConfirmOpen(false)}
      />
    </View>
  )
}

/** The links of the settings, named by their text keys. `exit`: also shown in an exit session. */
const settingLinks = [
  { name: 'transfer', to: '/setting/transfer', Icon: ArrowUpRight, exit: true },
  { name: 'orders', to: '/setting/subscribe', Icon: ReceiptText, exit: true },
  { name: 'payments', to: '/setting/subscribe?show=payments', Icon: CreditCard, exit: true },
  { name: 'dao', to: '/setting/dao', Icon: Landmark, exit: true },
  { name: 'notice', to: '/setting/notice', Icon: Bell, exit: true },
  { name: 'help', to: '/setting/help', Icon: CircleHelp, exit: true },
  { name: 'share', to: '/share', Icon: UserPlus, exit: false },
] as const

function SettingLinks() {
  const t = useText()
  const isExitSession = useSession(({ exit }) => exit)
  return (
    <nav className={styles.pages} aria-label={t('setting.pages')}>
      {settingLinks
        .filter(({ exit }) => exit || !isExitSession)
        .map(({ name, to, Icon }) => (
          <Link key={name} to={to} className={styles.link}>
            <Icon size={20} aria-hidden="true" />
            <span className={styles.words}>
              <span className={styles.name}>{t(`setting.${name}`)}</span>
              <span className={styles.text}>{t(`setting.${name}Text`)}</span>
            </span>
            <ChevronRight size={18} aria-hidden="true" />
          </Link>
        ))}
    </nav>
  )
}
