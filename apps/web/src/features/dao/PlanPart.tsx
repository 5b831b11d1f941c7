import { assets } from '@lode/kernel'
import { refusalReason } from '../../shared/api/index.ts'
import { formatAmount, formatMoment } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { Card, Loaded, Note, Pill, Row, Rows, Skeleton, StaleNote, StateNote } from '../../shared/ui/index.ts'
import { PlanChanges, type Unit, valueText } from '../plan/index.ts'
import { Allocation } from './Allocation.tsx'
import styles from './dao.module.css'
import { PlanTable } from './PlanTable.tsx'
import type { CurrentPlan, Plan, usePlan } from './use-dao.ts'

/** The plan in force with all its values, and announced changes. */
export function PlanPart({ query }: { query: ReturnType<typeof usePlan> }) {
  const t = useText()
  const { data, error, isRefetchError, dataUpdatedAt } = query
  if (!data && refusalReason(error) === 'plan-none')
    return <StateNote title={t('dao.noPlan')} text={t('dao.noPlanText')} />
  return (
    <Loaded query={query} failed={t('dao.planFailed')} offline={t('dao.planOffline')}>
      {(data) => (
        <>
          <StaleNote since={isRefetchError ? dataUpdatedAt : null} />
          <CurrentVersion current={data} />
          {data ? (
            <>
              {data.coming.map((version) => (
                <ComingVersion key={version.version} version={version} />
              ))}
              <Allocation plan={data.plan} />
              <Levels plan={data.plan} />
              <Transfers plan={data.plan} />
              <Pledges plan={data.plan} />
              <Supply plan={data.plan} />
            </>
          ) : (
            <CardSkeletons />
          )}
        </>
      )}
    </Loaded>
  )
}

function CurrentVersion({ current }: { current: CurrentPlan | undefined }) {
  const t = useText()
  const language = useLanguage()
  return (
    <Card
      title={current ? t('dao.version', { version: current.version }) : t('dao.tabs.plan')}
      aside={<Pill tone="jade">{t('dao.standings.current')}</Pill>}
    >
      <p>
        {current ? (
          t('dao.since', { moment: formatMoment(current.startsAt, language) })
        ) : (
          <Skeleton>{t('dao.since', { moment: '00 Aaa 0000, 00:00' })}</Skeleton>
        )}
      </p>
      <Note tone="sky">
        <p>{t('dao.noPromise')}</p>
      </Note>
    </Card>
  )
}

function ComingVersion({ version }: { version: CurrentPlan['coming'][number] }) {
  const t = useText()
  const language = useLanguage()
  return (
    <Card
      title={t('dao.version', { version: version.version })}
      aside={<Pill tone="lode">{t('dao.standings.coming')}</Pill>}
    >
      <p>{t('dao.from', { moment: formatMoment(version.startsAt, language) })}</p>
      <PlanChanges changes={version.changes} />
    </Card>
  )
}

/** In a table the column head shows the unit, so the cells do not. */
const formatWithoutUnit = (value: string | number): string => formatAmount(String(value), { least: 0, most: 36 })

function Levels({ plan: { levels, quoteMinutes } }: { plan: Plan }) {
  const t = useText()
  return (
    <Card title={t('dao.levels.title')}>
      <p className={styles.small}>{t('dao.levels.text', { minutes: quoteMinutes })}</p>
      <PlanTable
        label={t('dao.levels.title')}
        head={[
          t('dao.levels.level'),
          `${t('dao.levels.price')} (USDT)`,
          `${t('dao.levels.power')} (TH/s)`,
          `${t('dao.levels.airdrop')} (BTN)`,
          t('dao.levels.rewardsAtMost'),
        ]}
        rows={levels.map(({ price, power, airdrop, rewardsAtMost }, level) => ({
          name: `L${level}`,
          cells: [price, power, airdrop, rewardsAtMost].map(formatWithoutUnit),
        }))}
      />
      <h3 className={styles.beside}>{t('dao.quotas.title')}</h3>
      <p className={styles.small}>{t('dao.quotas.text')}</p>
      <PlanTable
        label={t('dao.quotas.title')}
        head={[t('dao.levels.level'), ...assets]}
        rows={levels.map(({ quotas }, level) => ({
          name: `L${level}`,
          cells: assets.map((asset) => formatWithoutUnit(quotas[asset])),
        }))}
      />
    </Card>
  )
}

const transferTerms = ['min', 'max', 'fee', 'reviewAbove', 'decisionAbove'] as const

function Transfers({ plan: { transfer } }: { plan: Plan }) {
  const t = useText()
  return (
    <Card title={t('dao.transfers.title')}>
      <p className={styles.small}>{t('dao.transfers.text')}</p>
      <PlanTable
        label={t('dao.transfers.title')}
        head={[t('dao.transfers.term'), ...assets]}
        rows={transferTerms.map((term) => ({
          name: t(`dao.transfers.${term}`),
          cells: assets.map((asset) => formatWithoutUnit(transfer[asset][term])),
        }))}
      />
    </Card>
  )
}

function Pledges({ plan }: { plan: Plan }) {
  const t = useText()
  return (
    <Card title={t('dao.pledges.title')}>
      <p className={styles.small}>{t('dao.pledges.text')}</p>
      <PlanTable
        label={t('dao.pledges.title')}
        head={[t('dao.pledges.days'), t('dao.pledges.weight')]}
        rows={plan.pledgeTerms.map(({ days, weight }) => ({
          name: valueText(t, 'days', days),
          cells: [valueText(t, 'weight', weight)],
        }))}
      />
      <Rows>
        <PlanValueRow plan={plan} name="pledgeAbove" unit="BTN" />
        <PlanValueRow plan={plan} name="closeHour" unit="hour" />
        <PlanValueRow plan={plan} name="dayFundingMax" unit="BTC" />
      </Rows>
    </Card>
  )
}

const reserves = ['airdrop', 'promotion', 'liquidity', 'mining'] as const

function Supply({ plan }: { plan: Plan }) {
  const t = useText()
  return (
    <Card title={t('dao.supply.title')}>
      <Rows>
        <Row label={t('dao.supply.issuance')}>{valueText(t, 'BTN', plan.supply.issuance)}</Row>
        {reserves.map((reserve) => (
          <Row key={reserve} label={t(`dao.supply.${reserve}`)}>
            {valueText(t, 'share', plan.supply[reserve])}
          </Row>
        ))}
        <PlanValueRow plan={plan} name="destruction" unit="share" />
        <PlanValueRow plan={plan} name="agentAirdrop" unit="BTN" />
        <PlanValueRow plan={plan} name="partnerAirdrop" unit="BTN" />
      </Rows>
    </Card>
  )
}

type PlanValueName = 'pledgeAbove' | 'closeHour' | 'dayFundingMax' | 'destruction' | 'agentAirdrop' | 'partnerAirdrop'

function PlanValueRow({ plan, name, unit }: { plan: Plan; name: PlanValueName; unit: Unit }) {
  const t = useText()
  return <Row label={t(`dao.values.${name}`)}>{valueText(t, unit, plan[name])}</Row>
}

/** Placeholder cards with about the height of the real ones. */
function CardSkeletons() {
  const t = useText()
  return (['allocation', 'levels.title', 'transfers.title'] as const).map((title) => (
    <Card key={title} title={t(`dao.${title}`)}>
      <Rows>
        {[1, 2, 3, 4, 5].map((number) => (
          <Row key={number} label="">
            <Skeleton>00,000 USDT</Skeleton>
          </Row>
        ))}
      </Rows>
    </Card>
  ))
}
