import { Check, ChevronRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { queryClient, useChain } from '../../shared/api/index.ts'
import { formatAmount } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { LazySheet, lazyComponent } from '../../shared/parts/index.ts'
import { PoolLink } from '../../shared/pool/index.ts'
import { Card } from '../../shared/ui/index.ts'
import { openDeposit } from '../deposit/index.ts'
import { CoinsLink } from '../explain/index.ts'
import { useProfile } from '../profile/index.ts'
import styles from './FirstSteps.module.css'
import type { Home } from './use-home.ts'

/** Loaded when it is opened. Few visits to the page need it. */
const ChoosePasswordSheet = lazyComponent(async () => (await import('../protection/index.ts')).ChoosePasswordSheet)

/** What to do until the first pledge. Each step says what it costs and what it risks, and links to its page. */
export function FirstSteps({ steps }: { steps: NonNullable<Home['steps']> }) {
  const t = useText()
  const { data: profile } = useProfile()
  const { data: chain } = useChain()
  /** During a reset no other password can be chosen. The settings show when the reset ends. */
  const isResetting = Boolean(profile?.protection.fundPassword.reset)
  const [isChoosingPassword, setChoosing] = useState(false)
  const plain = (amount: string): string => formatAmount(amount, { least: 0, most: 6 })
  return (
    <Card title={t('home.steps.title')}>
      <p className={styles.text}>{t('home.steps.text')}</p>
      <ol className={styles.steps}>
        <StepRow done title={t('home.steps.registered')} />
        <StepRow
          done={steps.fundPassword}
          {...(isResetting ? { to: '/setting' } : { onPress: () => setChoosing(true) })}
          title={t('home.steps.password')}
          text={t('home.steps.passwordText')}
        />
        <StepRow
          done={steps.money}
          onPress={() => openDeposit('USDT')}
          title={t('home.steps.money')}
          text={t('home.steps.moneyText')}
          note={chain && t('home.steps.network', { network: chain.name, currency: chain.currency.symbol })}
        />
        <StepRow
          done={steps.level}
          to="/promotion"
          title={
            steps.price === null ? t('home.steps.levelUnpriced') : t('home.steps.level', { price: plain(steps.price) })
          }
          text={t('home.steps.levelText')}
        />
        <StepRow
          done={false}
          to="/pledge"
          title={t('home.steps.pledge')}
          text={
            steps.pledgeAbove === null
              ? t('home.steps.pledgeText')
              : t('home.steps.pledgeAbove', { above: plain(steps.pledgeAbove), text: t('home.steps.pledgeText') })
          }
        />
      </ol>
      {!steps.money && (
        <>
          <CoinsLink />
          <PoolLink to="btnSource" />
        </>
      )}
      {isChoosingPassword && (
        <LazySheet onFailed={() => setChoosing(false)}>
          <ChoosePasswordSheet
            open
            onClose={() => setChoosing(false)}
            onChosen={() => void queryClient.invalidateQueries({ queryKey: ['account/home'] })}
          />
        </LazySheet>
      )}
    </Card>
  )
}

type StepRowProps = {
  done: boolean
  title: string
  text?: string
  note?: string | undefined
  /** The page on which the step is done, or the action that begins it. A finished step needs neither. */
  to?: string
  onPress?: () => void
}

function StepRow({ done, title, text, note, to, onPress }: StepRowProps) {
  const t = useText()
  const content: ReactNode = (
    <>
      <span className={styles.dot} aria-hidden="true">
        {done && <Check size={14} strokeWidth={3} />}
      </span>
      <span className={styles.words}>
        <span className={styles.title}>
          {title}
          <span className="visually-hidden">{` (${t(done ? 'common.stepDone' : 'common.stepWaiting')})`}</span>
        </span>
        {!done && text && <span className={styles.text}>{text}</span>}
        {!done && note && <span className={styles.text}>{note}</span>}
      </span>
      {!done && <ChevronRight className={styles.arrow} size={18} aria-hidden="true" />}
    </>
  )
  return (
    <li data-done={done ? '' : undefined} className={styles.step}>
      {done ? (
        <div className={styles.row}>{content}</div>
      ) : to ? (
        <Link to={to} className={styles.row}>
          {content}
        </Link>
      ) : (
        <button type="button" className={styles.row} onClick={onPress}>
          {content}
        </button>
      )}
    </li>
  )
}
