import { CircleCheck, CircleDashed } from 'lucide-react'
import { call, failureText, queryClient, read } from '../../shared/api/index.ts'
import { formatMoment, formatWholeAmount, isZero, placesOf } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { toast } from '../../shared/notify/index.ts'
import { PoolLink } from '../../shared/pool/index.ts'
import { useUnstoredPress } from '../../shared/press/index.ts'
import { useSession } from '../../shared/session/index.ts'
import { Amount, Button, Card, Loaded, Note, Row, Rows, Skeleton, StaleNote } from '../../shared/ui/index.ts'
import { CollectButton } from '../pledge/index.ts'
import styles from './dao.module.css'
import { listMissingConditions } from './missing-conditions.ts'
import own from './PartnerPart.module.css'
import type { PartnerStatus, usePartnerStatus } from './use-dao.ts'

/** How to become a partner: the conditions, the member's progress, and the outcome of an application. */
export function PartnerPart({ query }: { query: ReturnType<typeof usePartnerStatus> }) {
  const t = useText()
  const isExitSession = useSession(({ exit }) => exit)
  const { isRefetchError, dataUpdatedAt, refetch } = query
  return (
    <Loaded query={query} failed={t('dao.partner.failed')} offline={t('dao.partner.offlineText')}>
      {(status) => (
        <>
          <StaleNote since={isRefetchError ? dataUpdatedAt : null} />
          <p className={styles.intro}>{t('dao.partner.text')}</p>
          <div role="status">{status && <ApplicationStatus status={status} />}</div>
          {status?.reward && <Reward reward={status.reward} onAnswered={refetch} />}
          {status?.standing !== 'approved' && <Conditions status={status} />}
          {status && !isExitSession && (status.standing === 'none' || status.standing === 'rejected') && (
            <Apply status={status} onChanged={refetch} />
          )}
        </>
      )}
    </Loaded>
  )
}

function ApplicationStatus({ status }: { status: PartnerStatus }) {
  const t = useText()
  const language = useLanguage()
  const moment = (at: string | null): string => (at ? formatMoment(at, language) : '')
  switch (status.standing) {
    case 'none':
      return null
    case 'applied':
      return (
        <Note tone="sky">
          <p>{t('dao.partner.applied', { moment: moment(status.appliedAt) })}</p>
        </Note>
      )
    case 'approved':
      return (
        <Card title={t('dao.partner.approvedTitle')}>
          <p>{t('dao.partner.approved', { moment: moment(status.decidedAt) })}</p>
          <Airdrop airdrop={status.airdrop} />
        </Card>
      )
    case 'rejected':
      return (
        <Note tone="rose">
          <p>{t('dao.partner.rejected', { moment: moment(status.decidedAt) })}</p>
          {status.note && <p>{t('dao.partner.note', { note: status.note })}</p>}
          <PoolLink to="contact" />
        </Note>
      )
  }
}

function Airdrop({ airdrop }: Pick<PartnerStatus, 'airdrop'>) {
  const t = useText()
  if (!airdrop || airdrop.paid === null) return null
  const amount = formatWholeAmount(airdrop.amount, 'BTN')
  return <p>{airdrop.paid ? t('dao.partner.airdropPaid', { amount }) : t('dao.partner.airdropEmpty', { amount })}</p>
}

type RewardProps = { reward: NonNullable<PartnerStatus['reward']>; onAnswered: () => unknown }

/** The partner's rewards from promotions so far. Realized figures only. */
function Reward({ reward: { produced, collected }, onAnswered }: RewardProps) {
  const t = useText()
  return (
    <Card title={t('dao.parts.partner')}>
      <Rows>
        <Row label={t('dao.partner.produced')}>
          <Amount value={produced} symbol="USDT" places={placesOf.USDT} />
        </Row>
        <Row label={t('dao.partner.collected')}>
          <Amount value={collected} symbol="USDT" places={placesOf.USDT} />
        </Row>
      </Rows>
      <p className={styles.small}>{t('dao.partner.rewardText')}</p>
      {!isZero(produced) && (
        <CollectButton
          symbol="USDT"
          amount={produced}
          send={(key) => call('partner/collect', { key }, { quiet: true })}
          onAnswered={onAnswered}
        />
      )}
    </Card>
  )
}

const LAYERS = [1, 2, 3, 4, 5]

function Conditions({ status }: { status: PartnerStatus | undefined }) {
  const t = useText()
  return (
    <Card title={t('dao.partner.needs')}>
      <ul className={own.needs}>
        <Condition
          met={status?.activated}
          name={t('dao.partner.activation')}
          value={status && (status.activated ? t('profile.activated') : t('profile.notActivated'))}
        />
        {LAYERS.map((layer) => {
          const filling = status?.layers.find((one) => one.layer === layer)
          return (
            <Condition
              key={layer}
              met={filling && filling.members >= filling.needed}
              name={t('dao.partner.layer', { layer })}
              value={filling && t('dao.partner.ofNeeded', filling)}
            />
          )
        })}
      </ul>
    </Card>
  )
}

type ConditionProps = { met: boolean | undefined; name: string; value: string | undefined }

function Condition({ met, name, value }: ConditionProps) {
  const t = useText()
  return (
    <li className={own.need} data-met={met ? '' : undefined}>
      {met ? <CircleCheck size={20} aria-hidden="true" /> : <CircleDashed size={20} aria-hidden="true" />}
      <span className={own.needName}>
        {name}
        {met !== undefined && (
          <span className="visually-hidden">{`: ${met ? t('dao.partner.met') : t('dao.partner.notMet')}`}</span>
        )}
      </span>
      <span className={own.needValue}>{value ?? <Skeleton>000 / 000</Skeleton>}</span>
    </li>
  )
}

/** The button is disabled while a condition is not met. A text at the button names the condition. */
function Apply({ status, onChanged }: { status: PartnerStatus; onChanged: () => unknown }) {
  const t = useText()
  const { busy, failure, ask } = useUnstoredPress<PartnerStatus>()
  const missing = listMissingConditions(status)

  async function apply(): Promise<void> {
    const outcome = await ask((key) => call('partner/apply', { key }, { quiet: true }))
    if (outcome.kind === 'done') {
      queryClient.setQueryData(read('partner/status', {}).queryKey, outcome.value)
      return toast.success(t('dao.partner.sent'))
    }
    toast.error(failureText(t, outcome.failure))
    onChanged()
  }

  return (
    <>
      {missing.length > 0 && (
        <Note tone="lode">
          <p>{t('dao.partner.missing')}</p>
          <ul className={own.missing}>
            {missing.map((one) => (
              <li key={one.kind === 'layer' ? one.layer : one.kind}>
                {one.kind === 'activation'
                  ? t('dao.partner.missingActivation')
                  : t('dao.partner.missingMembers', { layer: one.layer, number: one.members })}
              </li>
            ))}
          </ul>
        </Note>
      )}
      {failure && <Note tone="rose">{failureText(t, failure)}</Note>}
      <Button busy={busy} disabled={!status.mayApply} onClick={apply}>
        {status.standing === 'rejected' ? t('dao.partner.applyAgain') : t('dao.partner.apply')}
      </Button>
    </>
  )
}
